"""What the user was to bring is over where they say how they left it with the other."""

from collections.abc import Callable
from zoneinfo import ZoneInfo

import pytest

from voice_server.digest.threads.changes import thread_changes
from voice_server.domain.conversation import Message
from voice_server.domain.digest import EarlierThread

Call = Callable[[str], list[Message]]
IsOver = Callable[..., bool]
BERLIN = ZoneInfo("Europe/Berlin")

BROUGHT = {
    "en": ("I'll bring the certificate on Saturday.",
           "I popped the certificate through your letterbox yesterday."),
    "de": ("Den Schein bring ich am Samstag mit.",
           "Den Schein hab ich euch gestern in den Briefkasten geworfen."),
    "es": ("El certificado lo llevo el sábado.", "El certificado os lo dejé ayer en el buzón."),
    "fr": ("L'attestation, je l'apporte samedi.",
           "L'attestation, je l'ai mise hier dans votre boîte aux lettres."),
    "it": ("Il certificato lo porto sabato.", "Il certificato ve l'ho messo ieri nella cassetta."),
    "pt": ("O certificado levo no sábado.", "O certificado deixei-o ontem na vossa caixa do correio."),
    "nl": ("Het bewijs neem ik zaterdag mee.", "Het bewijs heb ik gisteren bij jullie in de bus gegooid."),
}  # fmt: skip
NOT_YET = {
    "en": "I haven't put the certificate through your letterbox yet.",
    "de": "Den Schein hab ich noch nicht in den Briefkasten geworfen.",
    "es": "El certificado todavía no os lo dejé en el buzón.",
    "fr": "L'attestation, je ne l'ai pas encore mise dans votre boîte.",
    "it": "Il certificato non ve l'ho ancora messo nella cassetta.",
    "pt": "O certificado ainda não o deixei na vossa caixa.",
    "nl": "Het bewijs heb ik nog niet in de bus gegooid.",
}


@pytest.mark.parametrize("language", BROUGHT)
def test_what_was_left_with_the_other_is_brought(is_over: IsOver, language: str) -> None:
    promised, left = BROUGHT[language]

    assert is_over(language, promised, f"u: {left}\na: –")


@pytest.mark.parametrize("language", NOT_YET)
def test_what_was_not_left_there_is_still_owed(is_over: IsOver, language: str) -> None:
    assert not is_over(language, BROUGHT[language][0], f"u: {NOT_YET[language]}\na: –")


@pytest.mark.parametrize(
    "said",
    [
        "I put it through the wrong door, the certificate.",
        "I dropped my sister off at the surgery.",
        "Shall I put the certificate through your letterbox?",
        "I'll put the certificate through your letterbox.",
    ],
)
def test_another_thing_or_place_leaves_it_open(is_over: IsOver, said: str) -> None:
    assert not is_over("en", BROUGHT["en"][0], f"u: {said}\na: –")


LEFT = {
    "en": ("When can you bring it in?", "I'll bring it Friday first thing.",
           "I've dropped the car off with the lad."),
    "de": ("Wann können Sie ihn bringen?", "Ich bring ihn Freitag früh.",
           "Ich hab das Auto beim Jungen abgegeben."),
    "es": ("¿Cuándo lo puede traer?", "Lo llevo el viernes temprano.",
           "Ya he dejado el coche ahí con el chico."),
    "fr": ("Quand pouvez-vous l'amener ?", "Je l'amène vendredi.", "J'ai déposé la voiture chez vous."),
    "it": ("Quando la può portare?", "La porto venerdì presto.", "Ho lasciato la macchina lì al ragazzo."),
    "pt": ("Quando o senhor pode trazer?", "eu levo na sexta cedinho",
           "já deixei o carro aí com o rapaz viu"),
    "nl": ("Wanneer kunt u hem brengen?", "Ik breng hem vrijdag.",
           "Ik heb de auto bij de jongen afgegeven."),
}  # fmt: skip


@pytest.mark.parametrize("language", LEFT)
def test_what_a_promise_to_bring_it_does_not_name_is_whatever_was_left(call: Call, language: str) -> None:
    asked, promised, left = LEFT[language]
    thread = EarlierThread(1, "promise", "user", f'"{asked}" – "{promised}"', around=asked)

    assert thread_changes(call(f"u: {left}\na: –"), language, BERLIN, open_before=[thread]).closes == (1,)


def test_what_it_names_is_not_over_with_another_thing(is_over: IsOver) -> None:
    assert not is_over("en", BROUGHT["en"][0], "u: I've dropped the car off with the lad.\na: –")


def test_so_is_what_the_agent_asked_for(is_over: IsOver) -> None:
    said = "u: The form's in your letterbox.\na: –"

    assert is_over("en", "Please bring us the form.", said, "request", "agent")


def test_a_longer_word_for_the_thing_means_it(is_over: IsOver) -> None:
    promised = "Ich suche dir ein Rezept raus und schick es dir bis Samstag."
    asked = "a: Hast du das Linsenrezept bekommen?\nu: ja am mittwoch schon sieht lecker aus"

    assert is_over("de", promised, asked, "promise", "agent")
    assert not is_over("de", "Ich schicke dir den Plan.", asked, "promise", "agent")


def test_of_two_the_thing_that_is_named_is_there(call: Call) -> None:
    texts = ("Ich schicke dir ein Rezept.", "Ich schicke dir das Linsenrezept.")
    known = [EarlierThread(at, "promise", "agent", f'"{one}"', around=one) for at, one in enumerate(texts)]
    said = call("u: Das Linsenrezept ist angekommen.\na: –")

    assert thread_changes(said, "de", BERLIN, open_before=known).closes == (1,)


@pytest.mark.parametrize(
    ("promised", "said"),
    [
        ("Ich schicke Ihnen die Karte.", "Meine Fahrkarte ist angekommen."),
        ("Ich schicke Ihnen den Schlüssel.", "Der Autoschlüssel ist wieder da."),
    ],
)
def test_a_longer_word_that_nobody_asked_after_is_another_thing(
    is_over: IsOver, promised: str, said: str
) -> None:
    assert not is_over("de", promised, f"u: {said}\na: –", "promise", "agent")


def test_what_is_left_with_somebody_else_is_not_brought(is_over: IsOver) -> None:
    said = "I left the certificate with the secretary at my school."

    assert not is_over("en", BROUGHT["en"][0], f"u: {said}\na: –")


@pytest.mark.parametrize(
    ("language", "promised", "said"),
    [
        ("en", "I'll bring the bike on Monday.", "hi i've just dropped the bike off when will it be ready"),
        ("de", "dann bring ich das rad am montag", "das rad hab ich ja grad abgegeben wann ist es fertig"),
    ],
)
def test_a_question_behind_it_needs_no_mark(is_over: IsOver, language: str, promised: str, said: str) -> None:
    assert is_over(language, promised, f"u: {said}\na: –")


WITH_THEM = {
    "de": (
        "Den Oleander bring ich nächste Woche.",
        "Mein Oleander steht ja seit Montag bei Ihnen, hat mir nur keiner gesagt, was das kostet.",
    ),
    "en": (
        "I'll bring the oleander in next week.",
        "My oleander's been with you since Monday, only nobody told me what it costs.",
    ),
    "fr": ("J'apporte le laurier la semaine prochaine.", "Le laurier est chez vous depuis lundi."),
    "nl": ("De oleander breng ik volgende week.", "Mijn oleander staat al sinds maandag bij jullie."),
}


@pytest.mark.parametrize("language", WITH_THEM)
def test_what_has_been_with_the_other_since_a_day_is_brought(is_over: IsOver, language: str) -> None:
    promised, said = WITH_THEM[language]

    assert is_over(language, promised, f"u: {said}\na: –")


PAID = {
    "de": ("Die dreißig Euro bring ich nächste Woche vorbei.", "Ja, dreißig Euro, steht da, bezahlt."),
    "en": ("I'll drop the thirty pounds in next week.", "Yes, thirty pounds, it says, paid."),
    "it": ("Le porto i trenta euro la settimana prossima.", "Trenta euro, pagato."),
    "nl": ("Die dertig euro breng ik volgende week.", "Dertig euro, staat er, betaald."),
}


@pytest.mark.parametrize("language", PAID)
def test_a_sum_that_the_agent_finds_paid_is_owed_no_more(is_over: IsOver, language: str) -> None:
    promised, told = PAID[language]

    assert is_over(language, promised, f"u: ?\na: {told}")
