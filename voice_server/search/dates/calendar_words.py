"""The words in which languages speak of days: months, weekdays, “yesterday”, “ago”, and what leads to them.

They are read without accents, which speech-to-text and people in a hurry leave out. Entries of a table are in
the order of what they mean (January first, Monday first), `|` is between spellings of an entry, and `_` is a
space inside of one.
"""

import re
from collections.abc import Mapping

from msgspec import Struct

from voice_server.digest.language.calendar_names import calendar, rows


class Words(Struct, frozen=True):
    """What a language says of days. Mappings go from a folded word; a text is a pattern, with its accents."""

    months: Mapping[str, int]
    short: Mapping[str, int]  # one that ends in a dot needs it: without, it is another word ("5 out of 10")
    weekdays: Mapping[str, int]
    days: Mapping[str, int]  # "yesterday": how many days before today
    counts: Mapping[str, int]
    units: Mapping[str, str]  # of one day, week, weekend, month or year
    plurals: Mapping[str, str]
    seasons: Mapping[str, int]  # 0 is spring
    typical: frozenset[str]  # words by which the language shows, and none of names
    first: str = ""  # of a month, in words: "premier mai"
    leads: str = ""  # what stands before a time: "im März", "el martes"
    on: str = ""  # what stands before a day only: "am Dienstag"
    last: str = ""  # of one, before or after it: "letzte Woche", "semana pasada"
    lasts: str = ""  # of several: "die letzten drei Tage"
    this: str = ""
    before_ago: str = ""  # "vor zwei Wochen"
    after_ago: str = ""  # "due settimane fa"
    habits: str = ""  # before a weekday that is none in particular: "jeden Dienstag"
    closing: frozenset[str] = frozenset()  # weekdays where nothing follows: "na segunda vez" is a second time
    shy: frozenset[str] = frozenset()  # also words or names elsewhere, where they tell nothing by themselves
    day_dot_month: bool = False  # whether "7.5." is a date

    @property
    def anchors(self) -> frozenset[str]:
        """A text that names days in this language has one of these words."""
        tables = (self.months, self.short, self.weekdays, self.days, self.units, self.plurals, self.seasons)
        return frozenset(one for table in tables for one in anchors(table))

    def month(self, written: str) -> int:
        if written.isdecimal():
            return int(written)
        plain = written.rstrip(".")
        return self.months.get(plain) or self.short.get(plain) or self.short[plain + "."]


def anchors(table: Mapping[str, object]) -> frozenset[str]:
    """Return the longest word of each entry: no text has the entry without it."""
    return frozenset(max(re.findall("[a-z]+", entry), key=len) for entry in table)


_UNITS = ("day", "week", "weekend", "month", "year")


def _units(table: str) -> dict[str, str]:
    return {spelling: _UNITS[number] for spelling, number in rows(table).items()}


def _any(words: str) -> frozenset[str]:
    return frozenset(rows(words))


ENGLISH = Words(
    months=rows(calendar("en").months, 1),
    short=rows(calendar("en").short_months, 1),
    weekdays=rows(calendar("en").weekdays),
    days=rows("today|tonight|this_morning yesterday|last_night the_day_before_yesterday"),
    counts=rows(
        "a|an|one two|a_couple_of|couple_of three|a_few four five six seven eight nine ten eleven twelve", 1
    ),
    units=_units("day week weekend month year"),
    plurals=_units("days weeks - months years"),
    seasons=rows("spring summer autumn|fall winter"),
    typical=_any(
        "the and what when who where why how did does were she they my his with about which that have you"
    ),
)

GERMAN = Words(
    months=rows(calendar("de").months, 1),
    short=rows(calendar("de").short_months, 1),
    weekdays=rows(calendar("de").weekdays),
    days=rows("heute gestern|letzte_nacht vorgestern"),
    counts=rows(
        """ein|eine|einem|einer|einen zwei|zwo drei|ein_paar|einigen vier fünf|fuenf sechs sieben acht neun
        zehn elf zwölf|zwoelf dreizehn vierzehn""",
        1,
    ),
    units=_units("tag woche wochenende monat|monats jahr|jahres"),
    plurals=_units("tage|tagen wochen wochenenden monate|monaten jahre|jahren"),
    seasons=rows("frühling|frühjahr|fruehling|fruehjahr sommer herbst winter"),
    typical=_any(
        """wann wer wie wo warum welche welcher welches haben habe hat und ich wir mir mich uns das ist nicht
        mit sie er über beim zum ihr ihre mein meine gesagt erzählt gemacht"""
    ),
    first="erste|ersten",
    leads="im|in|den|dem|der|vom|zum|seit|bis|ab|nach|vor|anfang|mitte|ende|diese[mnrs]?",
    last="letzte[mnrs]?|vergangene[mnrs]?|vorige[mnrs]?",
    lasts="letzten?|vergangenen?",
    this="diese[mnrs]?",
    before_ago="vor",
    habits="jede[mnrs]?",
    shy=_any("mai april august september november montag freitag samstag sonntag sommer herbst winter"),
    on=r"(?<!\bi\s)(?<!\d\s)(?<!\d)am",  # "I am April", "at 7 am"
    day_dot_month=True,
)

FRENCH = Words(
    months=rows(calendar("fr").months, 1),
    short=rows(calendar("fr").short_months, 1),
    weekdays=rows(calendar("fr").weekdays),
    days=rows("aujourd'hui|ce_matin|ce_soir hier|la_nuit_dernière avant_hier"),
    counts=rows(
        "un|une deux trois|quelques quatre cinq six sept huit neuf dix onze douze treize quatorze quinze", 1
    ),
    units=_units("jour semaine week_end|weekend mois an|année"),
    plurals=_units("jours semaines - mois ans|années"),
    seasons=rows("printemps été automne hiver"),
    typical=_any(
        """quand qui quoi comment est une dans nous vous elle il avec mon ma était avait sont au du les avons
        ai qu"""
    ),
    first="premier",
    leads="en|le|du|au|l|cet?|depuis|début|fin|mi|mois de|mois d|avant|après|jusqu'en|jusqu'au",
    last="dernière?|passée?",
    lasts="dernière?s|passée?s",
    this="cet|cette|ce",
    before_ago="il y a|y a",
    habits="le|les|chaque",
    shy=_any("mars avril mai mardi hier"),
)

SPANISH = Words(
    months=rows(calendar("es").months, 1),
    short=rows(calendar("es").short_months, 1),
    weekdays=rows(calendar("es").weekdays),
    days=rows("hoy|esta_mañana|esta_noche ayer|anoche anteayer|antes_de_ayer|antier|anteanoche"),
    counts=rows(
        """un|una|uno dos|un_par_de tres|unos|unas|algunos|algunas cuatro cinco seis siete ocho nueve diez
        once doce trece catorce quince""",
        1,
    ),
    units=_units("día semana fin_de_semana mes año"),
    plurals=_units("días semanas - meses años"),
    seasons=rows("primavera verano otoño invierno"),
    typical=_any(
        """que cuando quien donde como cual fue dijo dije ella con por una para hizo mi su sobre hablamos
        estuvo"""
    ),
    first="primero",
    leads="en|en el|en la|el|la|del|al|desde|hasta|este|esta|mes de|principios de|mediados de|finales de"
    "|fines de",
    last="pasad[oa]|último|última",
    lasts="pasad[oa]s|últim[oa]s",
    this="este|esta",
    before_ago="hace",
    after_ago="atrás",
    habits="los|cada",
    shy=_any("mayo julio abril sábado domingo hoy ayer primavera"),
)

ITALIAN = Words(
    months=rows(calendar("it").months, 1),
    short=rows(calendar("it").short_months, 1),
    weekdays=rows(calendar("it").weekdays),
    days=rows(
        "oggi|stamattina|stasera ieri|la_scorsa_notte|la_notte_scorsa "
        "altro_ieri|avantieri|avant'ieri|ieri_l'altro"
    ),
    counts=rows(
        """un|una|uno due|un_paio_di tre|qualche|alcuni|alcune quattro cinque sei sette otto nove dieci undici
        dodici tredici quattordici quindici""",
        1,
    ),
    units=_units("giorno settimana fine_settimana|weekend|week_end mese anno"),
    plurals=_units("giorni settimane - mesi anni"),
    seasons=rows("primavera estate autunno inverno"),
    typical=_any(
        """che quando chi dove cosa perché quale ho detto con per della nel nella gli una mia mio suo abbiamo
        sono il siamo"""
    ),
    first="primo",
    leads="a|ad|in|nel|nell|del|dell|di|dal|dall|da|il|l|d|lo|inizio|fine|metà|questo|questa|quest|mese di",
    last="scors[oa]|passat[oa]",
    lasts="scors[ie]|ultim[ie]|passat[ie]",
    this="questo|questa|quest",
    after_ago="fa",
    habits="il|la|ogni|di|del",
    shy=_any("maggio sabato domenica primavera estate"),
)

PORTUGUESE = Words(
    months=rows(calendar("pt").months, 1),
    short=rows(calendar("pt").short_months, 1),
    weekdays=rows(
        """segunda_feira|segunda_passada|na_segunda terça_feira|terça_passada|na_terça
        quarta_feira|quarta_passada|na_quarta quinta_feira|quinta_passada|na_quinta
        sexta_feira|sexta_passada|na_sexta sábado domingo"""
    ),
    days=rows("hoje|esta_manhã|esta_noite ontem|noite_passada anteontem|antes_de_ontem"),
    counts=rows(
        """um|uma dois|duas|um_par_de três|alguns|algumas|uns|umas quatro cinco seis sete oito nove dez onze
        doze treze catorze|quatorze quinze""",
        1,
    ),
    units=_units("dia semana fim_de_semana|final_de_semana mês ano"),
    plurals=_units("dias semanas - meses anos"),
    seasons=rows("primavera verão outono inverno"),
    typical=_any(
        """que quando quem onde qual foi disse ela ele com por uma para fez meu minha não os nós falamos você
        em fomos"""
    ),
    first="primeiro",
    leads="em|no|na|do|da|desde|até|[nd]?est[ea]|dia|mês de|início de|meados de|fim de|final de",
    last="passad[oa]|últim[oa]",
    lasts="passad[oa]s|últim[oa]s",
    this="este|esta|neste|nesta|deste|desta",
    before_ago="há|faz",
    after_ago="atrás",
    habits="cada|tod[oa]|tod[oa] [oa]",
    closing=_any("na_segunda na_terça na_quarta na_quinta na_sexta"),
    shy=_any(
        "março abril maio julho sábado domingo primavera na_segunda na_terça na_quarta na_quinta na_sexta"
    ),
)

DUTCH = Words(
    months=rows(calendar("nl").months, 1),
    short=rows(calendar("nl").short_months, 1),
    weekdays=rows(calendar("nl").weekdays),
    days=rows(
        """vandaag|vanmorgen|vanochtend|vanmiddag|vanavond
        gisteren|gister|gisteravond|gisterenavond|gistermiddag|gisterochtend|gistermorgen|vannacht|afgelopen_nacht
        eergisteren"""
    ),
    counts=rows(
        """een|één twee drie|een_paar|enkele vier vijf zes zeven acht negen tien elf twaalf dertien veertien
        vijftien""",
        1,
    ),
    units=_units("dag week weekend|weekeinde maand jaar"),
    plurals=_units("dagen weken weekends maanden jaren"),
    seasons=rows("lente|voorjaar zomer herfst|najaar winter"),
    typical=_any(
        """wat wanneer wie waar hoe waarom welke heeft hebben heb het een zei zij ze ik wij met voor niet mijn
        naar toen hij gezegd"""
    ),
    first="eerste",
    on="op",
    leads="in|in de|de|sinds|tot|van|vanaf|begin|eind|half|medio|deze|dit",
    last="vorige?|afgelopen|laatste|verleden",
    lasts="laatste|afgelopen|voorbije",
    this="deze|dit",
    after_ago="geleden",
    habits="elke|iedere",
    shy=_any("mei april augustus september november december winter"),
)

LANGUAGES: Mapping[str, Words] = {
    "de": GERMAN,
    "fr": FRENCH,
    "es": SPANISH,
    "it": ITALIAN,
    "pt": PORTUGUESE,
    "nl": DUTCH,
    "en": ENGLISH,
}
