"""What the agent was to find out is over once it tells it by itself."""

from collections.abc import Callable
from zoneinfo import ZoneInfo

import pytest

from voice_server.digest.threads.changes import thread_changes
from voice_server.domain.conversation import Message
from voice_server.domain.digest import EarlierThread

Call = Callable[[str], list[Message]]
Closed = Callable[..., tuple[int, ...]]
BERLIN = ZoneInfo("Europe/Berlin")

VIDEOS = {
    "en": '"Do you do videos too?" – "I\'ll check with my colleague and get back to you."',
    "de": '"Gibt\'s da auch Videos?" – "Das kläre ich mit meiner Kollegin und melde mich."',
    "es": '"¿Mandáis vídeos también?" – "Lo consulto con mi compañera y le digo algo."',
    "fr": '"Vous envoyez aussi des vidéos ?" – "Je vois ça avec ma collègue et je reviens vers vous."',
    "it": '"Mandate anche dei video?" – "Sento la mia collega e le dico."',
    "pt": '"Também mandam vídeos?" – "Vou ver com a minha colega e digo-lhe alguma coisa."',
    "nl": '"Sturen jullie ook video\'s?" – "Dat overleg ik met mijn collega en dan hoort u van mij."',
}
TOLD = {
    "en": ("About the videos, yes, we're happy to do that.", "and about the videos that's no problem"),
    "de": ("Und wegen der Videos, das machen wir gern.", "zu den videos das geht zweimal die woche"),
    "es": ("Y lo de los vídeos, sin problema.", "sobre los vídeos se mandan dos por semana"),
    "fr": ("Et pour les vidéos, c'est d'accord.", "concernant les vidéos on en envoie deux par semaine"),
    "it": ("E per i video, va bene.", "riguardo ai video ce ne sono due a settimana"),
    "pt": ("Quanto aos vídeos, fazemos isso com gosto.", "sobre os vídeos há dois por semana"),
    "nl": ("En over de video's, dat doen we graag.", "wat betreft de video's twee keer per week"),
}
STILL_OPEN = {
    "en": "About the videos, I'll ask my colleague again today.",
    "de": "Wegen der Videos, da muss ich noch mal nachfragen.",
    "es": "Lo de los vídeos, tengo que preguntarlo todavía.",
    "fr": "Pour les vidéos, je ne sais pas encore.",
    "it": "Per i video, devo ancora chiedere.",
    "pt": "Quanto aos vídeos, ainda tenho de perguntar.",
    "nl": "Over de video's, dat moet ik nog navragen.",
}
PRICE = {
    "en": ('"what does a new battery cost" – "i\'ll ask the supplier and ring you"',
           "a new battery costs four hundred and eighty euros"),
    "de": ('"was kostet denn ein neuer akku" – "das frag ich nach und meld mich"',
           "ein neuer akku kostet vierhundertachtzig euro"),
    "es": ('"cuánto cuesta una batería nueva" – "lo pregunto al proveedor y le llamo"',
           "una batería nueva cuesta cuatrocientos ochenta euros"),
    "fr": ('"ça coûte combien une batterie neuve" – "je demande au fournisseur et je vous appelle"',
           "une batterie neuve coûte quatre cent quatre-vingts euros"),
    "it": ('"quanto costa una batteria nuova" – "chiedo al fornitore e la chiamo"',
           "una batteria nuova costa quattrocentottanta euro"),
    "pt": ('"quanto custa uma bateria nova" – "pergunto ao fornecedor e ligo-lhe"',
           "uma bateria nova custa quatrocentos e oitenta euros"),
    "nl": ('"wat kost een nieuwe accu" – "dat vraag ik na en dan bel ik u"',
           "een nieuwe accu kost vierhonderdtachtig euro"),
}  # fmt: skip


def _closed(call: Call, language: str, promised: str, told: str) -> bool:
    known = EarlierThread(1, "promise", "agent", promised, around=promised)
    changes = thread_changes(call(f"a: {told}\nu: –"), language, BERLIN, open_before=(known,))
    return changes.closes == (1,) and not any(one.kind == "promise" for one in changes.opened)


@pytest.mark.parametrize("language", TOLD)
def test_what_the_agent_goes_on_to_by_name_is_told(call: Call, language: str) -> None:
    assert all(_closed(call, language, VIDEOS[language], told) for told in TOLD[language])


@pytest.mark.parametrize("language", STILL_OPEN)
def test_what_is_put_off_once_more_is_still_owed(call: Call, language: str) -> None:
    assert not _closed(call, language, VIDEOS[language], STILL_OPEN[language])


@pytest.mark.parametrize("language", PRICE)
def test_who_says_what_was_asked_with_a_value_tells_it(call: Call, language: str) -> None:
    assert _closed(call, language, *PRICE[language])


def test_a_date_answers_when_it_is(call: Call) -> None:
    promised = '"When\'s the open day?" – "I\'ll find out and let you know."'

    assert _closed(call, "en", promised, "The open day is on Saturday the 5th of December.")
    assert not _closed(call, "en", promised, "We're open until six on Saturday, the shop is.")


def test_a_part_of_a_compound_names_what_was_asked(call: Call) -> None:
    promised = '"Wann gibt\'s denn Prüfungstermine?" – "Das frage ich nach und schreibe dir bis Freitag."'

    assert _closed(call, "de", promised, "Wegen der Prüfung: Es gibt den 3. Dezember oder den 9.")


@pytest.mark.parametrize(
    "said",
    [
        "The videos of Rex at the lake were lovely.",
        "About the videos, have you seen them?",
        "About the videos.",
        "About the invoice, that's no problem.",
        "We were talking about the videos in the team.",
    ],
)
def test_who_only_speaks_of_it_tells_nothing(call: Call, said: str) -> None:
    assert not _closed(call, "en", VIDEOS["en"], said)


def test_what_was_to_be_done_is_not_told(call: Call) -> None:
    promised = '"Could you mend the gate too?" – "I\'ll do that on Monday."'

    assert not _closed(call, "en", promised, "About the gate, it's the hinge.")


AWAY = {
    "de": "Wegen der Videos, meine Kollegin ist leider krank.",
    "es": "Lo de los vídeos, mi compañera está de baja.",
    "fr": "Pour les vidéos, ma collègue n'est pas là.",
    "it": "Per i video, la collega è in ferie.",
    "pt": "Quanto aos vídeos, a colega está de férias.",
    "nl": "Over de video's, mijn collega zit in Spanje.",
    "en": "About the videos, she's in Spain.",
}


@pytest.mark.parametrize("language", AWAY)
def test_who_tells_why_they_do_not_know_still_owes_it(call: Call, language: str) -> None:
    assert not _closed(call, language, VIDEOS[language], AWAY[language])


BUS = {
    "en": (
        '"could you find out when the village bus runs" – "i\'ll look it up for you"',
        "the village bus runs every hour from nine to five",
        "the village bus has a new driver",
    ),
    "de": (
        '"kannst du mal rausfinden wann der bürgerbus fährt" – "das such ich dir raus"',
        "der bürgerbus fährt jede stunde von neun bis fünf",
        "der bürgerbus hat einen neuen fahrer",
    ),
    "es": (
        '"puedes mirar a qué hora pasa el autobús del pueblo" – "te lo busco"',
        "el autobús del pueblo pasa a las nueve y a las once",
        "el autobús del pueblo tiene otro conductor",
    ),
    "fr": (
        '"tu peux regarder quand passe le bus du village" – "je te cherche ça"',
        "le bus du village passe à neuf heures et à onze heures",
        "le bus du village a un nouveau chauffeur",
    ),
    "it": (
        '"puoi vedere quando passa l\'autobus del paese" – "te lo cerco"',
        "l'autobus del paese passa alle nove e alle undici",
        "l'autobus del paese ha un altro autista",
    ),
    "nl": (
        '"kun jij eens uitzoeken wanneer de wijkbus rijdt" – "dat zoek ik voor je op"',
        "de wijkbus die rijdt elk uur van negen tot vijf",
        "de wijkbus heeft een nieuwe chauffeur",
    ),
    "pt": (
        '"podes ver a que horas passa o autocarro da aldeia" – "eu procuro isso"',
        "o autocarro da aldeia passa às nove e às onze",
        "o autocarro da aldeia tem outro condutor",
    ),
}


@pytest.mark.parametrize("language", BUS)
def test_what_the_agent_was_asked_to_look_up_is_over_once_it_tells_when(call: Call, language: str) -> None:
    promised, told, of_another = BUS[language]

    assert _closed(call, language, promised, told)
    assert not _closed(call, language, promised, of_another)


DECIDED = {
    "en": ("Can I keep hens?", "I'd have to ask, I'll let you know.", "The committee says yes to the hens."),
    "de": (
        "Darf ich Hühner halten?",
        "Ich frage und sage Bescheid.",
        "Der Vorstand erlaubt die Hühner nicht.",
    ),
    "es": ("¿Puedo tener gallinas?", "Lo pregunto y le digo.", "La junta dice que sí a las gallinas."),
    "fr": ("Je peux avoir des poules ?", "Je demande et je vous dis.", "Le comité dit oui pour les poules."),
    "it": (
        "Posso tenere le galline?",
        "Chiedo e le faccio sapere.",
        "Il comitato dice di sì alle galline.",
    ),
    "nl": ("Mag ik kippen houden?", "Ik vraag het en laat het weten.", "Het bestuur zegt ja tegen kippen."),
    "pt": ("Posso ter galinhas?", "Pergunto e digo-lhe.", "A direção diz que sim às galinhas."),
}


@pytest.mark.parametrize("language", DECIDED)
def test_what_others_decide_answers_what_they_were_to_be_asked(closed: Closed, language: str) -> None:
    asked, promised, decided = DECIDED[language]
    promise = EarlierThread(1, "promise", "agent", f'"{promised}"', around=f"{asked} {promised}")
    left = EarlierThread(1, "question", "user", f'"{asked}"')

    assert closed(f"a: Hallo. {decided}\nu: Oh.", promise, language=language) == (1,)
    assert closed(f"a: Hallo. {decided}\nu: Oh.", left, language=language) == (1,)


@pytest.mark.parametrize(
    "said",
    [
        "The committee says no to the parking.",
        "The committee hasn't agreed to the hens yet.",
        "Are hens allowed?",
    ],
)
def test_what_others_decide_of_something_else_or_not_yet_answers_nothing(closed: Closed, said: str) -> None:
    promised = "I'd have to ask the committee, I'll let you know."
    promise = EarlierThread(1, "promise", "agent", f'"{promised}"', around=f"Can I keep hens? {promised}")

    assert closed(f"a: Hello. {said}\nu: Oh.", promise) == ()


ASKED_AFTER = {
    "en": ("I'll ask the landlord and ring you.", "What did the landlord say?", "He's fine with it."),
    "de": ("Ich frage den Vermieter und melde mich.", "Hat der Vermieter ja gesagt?", "Hat er, nur in Weiß."),
    "es": ("Pregunto al casero y le llamo.", "¿Qué dijo el casero?", "Dice que sí."),
    "fr": (
        "Je demande au propriétaire et je vous rappelle.",
        "Le propriétaire a dit oui ?",
        "Il a dit oui, en blanc.",
    ),
    "it": ("Chiedo al padrone e la richiamo.", "Il padrone ha detto di sì?", "Ha detto di sì, in bianco."),
    "nl": ("Ik vraag het de verhuurder en bel u.", "Wat zei de verhuurder?", "Hij zegt ja, in het wit."),
    "pt": ("Pergunto ao senhorio e ligo-lhe.", "O senhorio disse que sim?", "Disse que sim, em branco."),
}


@pytest.mark.parametrize("language", ASKED_AFTER)
def test_whoever_was_to_be_asked_is_asked_after(closed: Closed, language: str) -> None:
    promised, asked, decided = ASKED_AFTER[language]
    promise = EarlierThread(1, "promise", "agent", f'"{promised}"', around=promised)

    assert closed(f"a: Hm.\nu: {asked}\na: {decided}\nu: –", promise, language=language) == (1,)


@pytest.mark.parametrize("said", ["Not yet, sorry.", "He hasn't said yet."])
def test_who_has_no_word_yet_owes_it(closed: Closed, said: str) -> None:
    promised = "I'll ask the landlord and ring you."
    promise = EarlierThread(1, "promise", "agent", f'"{promised}"', around=promised)

    assert closed(f"a: Hm.\nu: Any word from the landlord?\na: {said}\nu: –", promise) == ()


@pytest.mark.parametrize(
    ("language", "question", "told"),
    [
        ("en", "Can I have a shed?", "You asked about sheds. It's a yes, up to six foot by four."),
        ("de", "Darf ich eine Hütte bauen?", "Sie hatten nach der Hütte gefragt. Das geht, bis vier Meter."),
        ("es", "¿Puedo tener una caseta?", "Preguntó por la caseta. Sí, hasta cuatro metros."),
        ("fr", "Je pourrai avoir une cabane ?", "Vous aviez demandé pour la cabane. C'est oui."),
        ("it", "Posso metterci una casetta?", "Aveva chiesto della casetta. Sì, fino a quattro metri."),
        ("nl", "Mag ik er een huisje zetten?", "U had naar het huisje gevraagd. Dat mag."),
        ("pt", "Posso ter uma barraca?", "Tinha perguntado pela barraca. Sim, até quatro metros."),
    ],
)
def test_what_was_asked_is_answered_by_its_name(
    closed: Closed, language: str, question: str, told: str
) -> None:
    thread = EarlierThread(1, "question", "user", f'"{question}"', None, question)

    assert closed(f"a: {told}\nu: –", thread, language=language) == (1,)


def test_a_question_is_not_answered_by_what_shares_a_word(closed: Closed) -> None:
    thread = EarlierThread(1, "question", "user", '"Can my dog eat grapes?"', None, "Can my dog eat grapes?")

    assert closed("a: You asked about the dog show. Yes, it was lovely.\nu: –", thread) == ()


def test_a_promise_to_ask_is_closed_by_the_answer(closed: Closed) -> None:
    cellar = EarlierThread(
        8, "promise", "agent", '"Does the cellar have a window?" – "I\'ll ask the owner and ring you."'
    )

    assert closed("a: The owner says the cellar has no window.\nu: Pity.", cellar) == (8,)
