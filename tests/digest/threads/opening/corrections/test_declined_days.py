"""A day that is offered gives way to the one that is given for it."""

from collections.abc import Callable
from datetime import date

import pytest

from voice_server.domain.digest import OpenThread

Opened = Callable[..., tuple[OpenThread, ...]]
WEDNESDAY, THURSDAY, FRIDAY, SATURDAY = (date(2026, 11, day) for day in (18, 19, 20, 21))


@pytest.mark.parametrize(
    ("language", "offer", "declined", "instead"),
    [
        ("de", "Sie können sie morgen abholen.", "Morgen kann ich nicht.", "Ich komme am Donnerstag vorbei."),
        ("en", "You can collect it tomorrow.", "I can't tomorrow.", "I'll come by on Thursday."),
        ("es", "Puede recogerlo mañana.", "Mañana no puedo.", "Paso el jueves."),
        ("fr", "Vous pouvez la récupérer demain.", "Demain je ne peux pas.", "Je passe jeudi."),
        ("it", "Può ritirarla domani.", "Domani non posso.", "Passo giovedì."),
        ("nl", "U kunt hem morgen ophalen.", "Morgen kan ik niet.", "Ik kom donderdag langs."),
        ("pt", "Pode levantá-la amanhã.", "Amanhã não posso.", "Passo aí na quinta."),
    ],
)
def test_what_is_fetched_on_another_day_is_one_matter(
    opened: Opened, language: str, offer: str, declined: str, instead: str
) -> None:
    (one,) = opened(f"a: {offer}\nu: {declined} {instead}", language)
    assert (one.due, one.text) == (THURSDAY, f'"{offer}" – "{instead}"')


@pytest.mark.parametrize(
    ("language", "lines"),
    [
        (
            "de",
            (
                "a: können sie ihn morgen vorbeibringen",
                "u: morgen ist schlecht donnerstag ginge",
                "a: donnerstag um acht",
                "u: ja passt",
            ),
        ),
        (
            "en",
            (
                "a: can you bring him tomorrow",
                "u: tomorrow's no good thursday would work",
                "a: thursday at eight",
                "u: yes fine",
            ),
        ),
        (
            "nl",
            (
                "a: kunt u hem morgen brengen",
                "u: morgen niet donderdag kan wel",
                "a: donderdag om acht uur",
                "u: ja",
            ),
        ),
    ],
)
def test_what_was_asked_for_one_day_is_not_open_beside_the_other(
    opened: Opened, language: str, lines: tuple[str, ...]
) -> None:
    assert [one.due for one in opened("\n".join(lines), language)] == [THURSDAY]


@pytest.mark.parametrize(
    ("language", "offer", "declined", "day", "yes"),
    [
        (
            "de",
            "Ich schicke morgen den Monteur.",
            "Morgen kann ich nicht.",
            "Dann Donnerstag?",
            "Donnerstag passt.",
        ),
        ("en", "I'll send the plumber tomorrow.", "I can't tomorrow.", "Thursday then?", "Thursday's fine."),
        ("it", "Le mando l'idraulico domani.", "Domani non posso.", "Giovedì allora?", "Giovedì va bene."),
        (
            "nl",
            "Ik stuur morgen de loodgieter langs.",
            "Morgen kan ik niet.",
            "Donderdag dan?",
            "Donderdag is goed.",
        ),
    ],
)
def test_who_comes_is_told_with_the_day_agreed_on_instead(
    opened: Opened, language: str, offer: str, declined: str, day: str, yes: str
) -> None:
    (one,) = opened(f"a: {offer}\nu: {declined}\na: {day}\nu: {yes}", language)
    assert (one.due, one.text) == (THURSDAY, f'"{offer} … {day}" – "{yes}"')


def test_what_suits_stays_beside_what_comes_later(opened: Opened) -> None:
    both = (
        "a: Your glasses are ready tomorrow.\nu: Tomorrow's fine. I'll bring my daughter's on Thursday, too."
    )
    assert WEDNESDAY in {one.due for one in opened(both)}


@pytest.mark.parametrize(
    ("language", "promised", "asked", "settled"),
    [
        (
            "de",
            "Ich schicke morgen früh den Techniker.",
            "Kann er nach zwei kommen?",
            "Gut, dann morgen um drei.",
        ),
        (
            "en",
            "I'll send the engineer tomorrow morning.",
            "Could he come after two?",
            "Okay, tomorrow at three then.",
        ),
        (
            "es",
            "Le mando al técnico mañana por la mañana.",
            "¿Puede venir después de las dos?",
            "De acuerdo, mañana a las tres.",
        ),
        (
            "fr",
            "Je vous envoie le technicien demain matin.",
            "Il peut venir après 14 heures ?",
            "D'accord, demain à 15 heures.",
        ),
        ("it", "Le mando il tecnico domani mattina.", "Può venire dopo le due?", "Va bene, domani alle tre."),
        (
            "pt",
            "Mando o técnico amanhã de manhã.",
            "Ele pode vir depois das duas?",
            "Está bem, amanhã às três.",
        ),
    ],
)
def test_the_hour_settled_on_is_told_with_the_promise(
    opened: Opened, language: str, promised: str, asked: str, settled: str
) -> None:
    (one,) = opened(f"a: {promised}\nu: {asked}\na: {settled}", language)
    assert (one.due, one.text) == (WEDNESDAY, f'"{promised} … {settled}"')


@pytest.mark.parametrize("reply", ["I'm afraid not.", "He's with somebody else at two."])
def test_an_hour_that_is_refused_is_not_told(opened: Opened, reply: str) -> None:
    said = "I'll send the engineer tomorrow morning."
    assert [one.text for one in opened(f"a: {said}\nu: Could he come after two?\na: {reply}")] == [
        f'"{said}"'
    ]


@pytest.mark.parametrize(
    ("language", "lines"),
    [
        (
            "de",
            (
                "u: Kann ich Freitag zum Schneiden kommen?",
                "a: Freitag habe ich nur noch um neun Uhr.",
                "u: Da arbeite ich. Samstag vielleicht?",
                "a: Samstag um elf Uhr geht.",
                "u: Den nehme ich.",
            ),
        ),
        (
            "en",
            (
                "u: Can I come in on Friday?",
                "a: On Friday I only have nine o'clock left.",
                "u: I'm at work then. Saturday maybe?",
                "a: Saturday at eleven works.",
                "u: I'll take that one.",
            ),
        ),
        (
            "nl",
            (
                "u: Kan ik vrijdag terecht?",
                "a: Vrijdag heb ik alleen nog om negen uur.",
                "u: Dan moet ik mijn dochter brengen. Zaterdag misschien?",
                "a: Zaterdag om elf uur kan.",
                "u: Doe die maar.",
            ),
        ),
        (
            "pt",
            (
                "u: Posso ir na sexta?",
                "a: Na sexta só tenho às nove.",
                "u: A essa hora trabalho. Sábado talvez?",
                "a: Sábado às onze dá.",
                "u: Fico com esse.",
            ),
        ),
    ],
)
def test_an_offer_that_nobody_took_gives_way(opened: Opened, language: str, lines: tuple[str, ...]) -> None:
    assert [one.due for one in opened("\n".join(lines), language)] == [SATURDAY]


def test_an_offer_that_was_taken_stays_beside_another(opened: Opened) -> None:
    text = "u: Can I come in on Friday?\na: Friday at nine.\nu: And Saturday too?\na: Saturday at eleven."
    assert {one.due for one in opened(text)} == {FRIDAY, SATURDAY}


@pytest.mark.parametrize(
    ("language", "offer", "reply"),
    [
        ("en", "Your parcel comes tomorrow.", "I can't be in tomorrow. I'll ask my neighbour on Thursday."),
        ("nl", "De monteur komt morgen.", "Morgen kan niet. Ik bel u donderdag."),
        ("pt", "O técnico vai amanhã.", "Amanhã não posso. Ligo na quinta para combinar."),
    ],
)
def test_who_asks_or_rings_on_another_day_moves_nothing_to_it(
    opened: Opened, language: str, offer: str, reply: str
) -> None:
    assert not any(
        offer in one.text for one in opened(f"a: {offer}\nu: {reply}", language) if one.due == THURSDAY
    )


def test_the_hour_of_another_matter_is_not_the_promises(opened: Opened) -> None:
    said = "I'll email you the form tomorrow."
    text = f"a: {said}\nu: Do you close at five?\na: Yes, at five."
    assert [one.text for one in opened(text)] == [f'"{said}"']


def test_who_goes_back_to_the_first_offer_keeps_it(opened: Opened) -> None:
    asked = "u: Posso venire venerdì?\na: Venerdì alle nove.\nu: E sabato?\na: Sabato alle undici."
    assert FRIDAY in {one.due for one in opened(f"{asked}\nu: Meglio venerdì allora.", "it")}


@pytest.mark.parametrize(
    ("language", "offer", "reply"),
    [
        ("it", "la bici è pronta domani", "domani non riesco passo venerdì"),
        ("pt", "a bicicleta está pronta amanhã", "amanhã não consigo passo na sexta"),
    ],
)
def test_what_is_fetched_on_another_day_is_told_where_nobody_punctuates(
    opened: Opened, language: str, offer: str, reply: str
) -> None:
    (one,) = opened(f"a: {offer}\nu: {reply}\na: ok", language)
    assert (one.due, one.text) == (FRIDAY, f'"{offer}" – "{reply}"')


@pytest.mark.parametrize(
    ("language", "offer", "reason", "instead", "yes"),
    [
        ("en", "I'll ring you on Thursday.", "I'm at physio on Thursday.", "Friday at three, then.", "Yes."),
        (
            "de",
            "Ich rufe Sie am Donnerstag an.",
            "Donnerstag bin ich bei der Physio.",
            "Dann Freitag.",
            "Ja.",
        ),
        ("es", "Le llamo el jueves.", "El jueves estoy en el fisio.", "Entonces el viernes.", "Sí, bien."),
        ("fr", "Je vous rappelle jeudi.", "Jeudi je suis chez le kiné.", "Alors vendredi.", "Oui, ça va."),
        ("it", "La richiamo giovedì.", "Giovedì sono dal medico.", "Allora venerdì.", "Sì, va bene."),
        ("pt", "Ligo-lhe na quinta.", "Na quinta estou na fisioterapia.", "Então na sexta.", "Sim."),
        ("nl", "Ik bel u donderdag.", "Donderdag ben ik bij de fysio.", "Dan vrijdag.", "Ja, dat kan."),
    ],
)
def test_a_call_for_a_day_on_which_one_is_elsewhere_is_on_the_other_day(
    opened: Opened, language: str, offer: str, reason: str, instead: str, yes: str
) -> None:
    (one,) = opened(f"a: {offer}\nu: {reason}\na: {instead}\nu: {yes}", language)
    assert (one.due, one.text) == (FRIDAY, f'"{offer} … {instead}" – "{yes}"')


def test_another_hour_of_the_same_day_takes_the_place_of_the_first(opened: Opened) -> None:
    asked = "a: Ich rufe Sie am Donnerstagvormittag zurück.\nu: Donnerstagvormittag bin ich bei der Physio."
    (one,) = opened(f"{asked}\na: Dann am Donnerstag um drei.\nu: Ja, das geht.", "de")
    assert one.due == THURSDAY
    assert one.text.endswith('Dann am Donnerstag um drei." – "Ja, das geht."')


@pytest.mark.parametrize(
    ("language", "text"),
    [
        ("de", "Ich rufe Sie an.\nu: Am Donnerstag bin ich zu Hause.\na: Und der Termin am Freitag um drei?"),
        ("nl", "Ik bel u donderdag.\nu: Donderdag ben ik thuis.\na: Dan de massage vrijdag om drie uur."),
    ],
)
def test_another_matter_of_another_day_leaves_the_call(opened: Opened, language: str, text: str) -> None:
    assert not any(" … " in one.text for one in opened(f"a: {text}\nu: Ja, dat kan.", language))


PROBLEMS = {
    "en": ("About Wednesday, there's a problem, I have to travel.", "Have you got anything on Friday?",
           "Friday at half past eight."),
    "de": ("Wegen Mittwoch gibt es ein Problem, ich muss auf Dienstreise.", "Haben Sie am Freitag etwas?",
           "Freitag um halb neun."),
    "es": ("Para el miércoles hay un problema, me han puesto un viaje.", "¿Tienen algo el viernes?",
           "El viernes a las ocho y media."),
    "fr": ("Pour mercredi il y a un problème, j'ai un déplacement.", "Vous avez quelque chose vendredi ?",
           "Vendredi à huit heures et demie."),
    "it": ("Per mercoledì però c'è un problema, mi hanno messo una trasferta.", "Avete qualcosa venerdì?",
           "Venerdì alle otto e mezza."),
    "nl": ("Voor woensdag is er een probleem, ik moet op reis.", "Heeft u vrijdag iets?",
           "Vrijdag om half negen."),
    "pt": ("Para quarta há um problema, tenho uma viagem de trabalho.", "Tem alguma coisa na sexta?",
           "Sexta às oito e meia."),
}  # fmt: skip


@pytest.mark.parametrize("language", PROBLEMS)
def test_the_day_there_is_a_problem_with_gives_way_to_the_new_one(opened: Opened, language: str) -> None:
    problem, wish, offer = PROBLEMS[language]
    (one,) = opened(f"u: {problem}\na: –\nu: {wish}\na: {offer}\nu: OK.", language)
    assert one.due == FRIDAY


@pytest.mark.parametrize(
    ("language", "said"),
    [
        ("en", "I have a problem with the boiler, the plumber is coming on Friday."),
        ("de", "Es gibt ein Problem mit der Heizung, am Freitag kommt der Monteur."),
        ("es", "Hay un problema con la caldera, el viernes viene el técnico."),
        ("fr", "Il y a un problème avec la chaudière, vendredi le plombier vient."),
        ("it", "C'è un problema con la caldaia, venerdì viene il tecnico."),
        ("nl", "Er is een probleem met de ketel, vrijdag komt de monteur."),
        ("pt", "Há um problema com a caldeira, na sexta vem o técnico."),
    ],
)
def test_a_problem_with_a_thing_leaves_the_day_of_its_repair(
    opened: Opened, language: str, said: str
) -> None:
    (one,) = opened(f"u: {said}", language)
    assert one.due == FRIDAY


@pytest.mark.parametrize(
    ("language", "wrote", "yes", "bad", "instead", "taken"),
    [
        (
            "de", "Sie haben geschrieben, Sie kommen am Donnerstag.", "Ja, am Donnerstag um halb acht.",
            "Donnerstag ist schlecht, geht Freitag?", "Freitag um zehn.", "Zehn passt.",
        ),
        (
            "en", "You wrote that you're coming on Thursday.", "Yes, Thursday at half seven.",
            "I can't do Thursday, could you do Friday?", "Friday at ten.", "Perfect.",
        ),
        (
            "es", "Me escribieron que vienen el jueves.", "Sí, el jueves a las siete y media.",
            "El jueves me va mal, ¿podría ser el viernes?", "El viernes a las diez.", "Perfecto.",
        ),
        (
            "fr", "Vous avez écrit que vous venez jeudi.", "Oui, jeudi à sept heures et demie.",
            "Jeudi ça ne va pas, vous pourriez vendredi ?", "Vendredi à dix heures.", "Parfait.",
        ),
        (
            "it", "Mi avete scritto che venite giovedì.", "Sì, giovedì alle sette e mezza.",
            "Giovedì non posso, si può venerdì?", "Venerdì alle dieci.", "Va bene.",
        ),
        (
            "nl", "U schreef dat u donderdag komt.", "Ja, donderdag om half acht.",
            "Donderdag komt slecht uit, kan het vrijdag?", "Vrijdag om tien uur.", "Tien uur is goed.",
        ),
        (
            "pt", "Escreveram que vêm na quinta.", "Sim, na quinta às sete e meia.",
            "Quinta não me dá jeito, pode ser sexta?", "Sexta às dez.", "Às dez está bem.",
        ),
    ],
)  # fmt: skip
def test_the_day_they_wrote_of_gives_way_to_the_one_agreed_on(
    opened: Opened, language: str, wrote: str, yes: str, bad: str, instead: str, taken: str
) -> None:
    (one,) = opened(f"a: Hallo.\nu: {wrote}\na: {yes}\nu: {bad}\na: {instead}\nu: {taken}", language)
    assert one.due == FRIDAY


@pytest.mark.parametrize(
    ("language", "wish", "full"),
    [
        ("en", "A table for Saturday, at eight.", "We're full."),
        ("de", "Einen Tisch für Samstag, acht Uhr.", "Wir sind ausgebucht."),
        ("es", "Una mesa para el sábado, a las nueve.", "Estamos completos."),
        ("fr", "Une table pour samedi, à vingt heures.", "On est complet."),
        ("it", "Un tavolo per sabato, alle nove.", "Siamo al completo."),
        ("nl", "Een tafel voor zaterdag, acht uur.", "We zitten vol."),
        ("pt", "Uma mesa para sábado, às nove.", "Estamos lotados."),
    ],
)
def test_a_table_in_a_full_house_is_none(opened: Opened, language: str, wish: str, full: str) -> None:
    assert opened(f"a: .\nu: {wish}\na: {full}\nu: .", language) == ()


@pytest.mark.parametrize(
    "talk",
    [
        "u: I'm at the dentist on Saturday at eight.\na: We're closed then anyway.",
        "u: A table for Saturday, at eight. Can we bring the dog?\na: No dogs, I'm afraid.",
        "u: A table for Saturday, at eight.\na: We're full inside, but there's one on the terrace.",
    ],
)
def test_what_is_not_refused_itself_stays(opened: Opened, talk: str) -> None:
    assert [one.due for one in opened(f"a: .\n{talk}\nu: .")] == [date(2026, 11, 21)]
