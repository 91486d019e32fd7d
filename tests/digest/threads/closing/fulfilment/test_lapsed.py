"""Small undertakings without a day are over when their own day or call is."""

from collections.abc import Callable
from datetime import date
from zoneinfo import ZoneInfo

import pytest

from voice_server.digest.threads.changes import thread_changes
from voice_server.domain.conversation import Message
from voice_server.domain.digest import EarlierThread, ThreadKind

Call = Callable[[str], list[Message]]
BERLIN = ZoneInfo("Europe/Berlin")
LAST_WEEK, YESTERDAY, TODAY = date(2026, 11, 10), date(2026, 11, 16), date(2026, 11, 17)


@pytest.fixture
def lapses(call: Call) -> Callable[..., bool]:
    """Whether a thread said on a day is closed by a call on Tuesday 17 November 2026."""

    def is_closed(
        text: str, said: str, language: str, kind: ThreadKind = "promise", on: date = YESTERDAY
    ) -> bool:
        known = EarlierThread(1, kind, "agent", f'"{text}"', said_on=on)
        talk = call(f"a: .\nu: {said}")
        return thread_changes(talk, language, BERLIN, open_before=[known]).closes == (1,)

    return is_closed


@pytest.mark.parametrize(
    ("language", "promised", "said"),
    [
        ("en", "I'll let Mr. Pryce know that.", "The toe's lovely now."),
        ("en", "There's one space, I'll reserve it.", "Can we have a cake?"),
        ("en", "I'll send it over again right now.", "She's finished the tablets."),
        ("de", "Ich gebe das an die Küche weiter.", "Gibt es Parkplätze?"),
        ("es", "Se lo paso a cocina.", "¿Hay tarta?"),
        ("fr", "Je lui transmets.", "Il y a du gâteau ?"),
        ("it", "Avvisiamo la cuoca.", "C'è la torta?"),
        ("pt", "Deixo no nome dela.", "Há bolo?"),
        ("pt", "Eu ligo pra ele às cinco.", "O carro tá bom."),
        ("nl", "Ik geef het door.", "Is er taart?"),
        ("en", "I'll let his teacher, Miss Okafor, know.", "Tom's lost his coat."),
        ("de", "Ich sage seiner Lehrerin, Frau Wolf, Bescheid.", "Tom hat seine Jacke verloren."),
        ("es", "Aviso a su profesora, la señora Robles.", "Tom ha perdido su abrigo."),
        ("fr", "Je préviens sa maîtresse, madame Perrin.", "Tom a perdu son manteau."),
        ("it", "Avviso la sua maestra, la signora Bassi.", "Tom ha perso il cappotto."),
        ("nl", "Ik laat zijn juf, Anneke, dat weten.", "Tom is zijn jas kwijt."),
        ("pt", "Aviso a professora dele, a dona Rosa.", "O Tom perdeu o casaco."),
    ],
)
def test_what_is_done_in_passing_is_over_by_a_later_day(
    lapses: Callable[..., bool], language: str, promised: str, said: str
) -> None:
    assert lapses(promised, said, language)
    assert not lapses(promised, said, language, on=TODAY)


@pytest.mark.parametrize(
    ("language", "promised", "said"),
    [
        ("en", "I'll send the prescription right now.", "The prescription still isn't there."),
        ("de", "Ich schicke Ihnen das Formular sofort.", "Das Formular ist noch nicht da."),
        ("fr", "Je vous envoie le formulaire tout de suite.", "Le formulaire n'est pas arrivé."),
    ],
)
def test_what_the_caller_misses_is_not_over(
    lapses: Callable[..., bool], language: str, promised: str, said: str
) -> None:
    assert not lapses(promised, said, language)


@pytest.mark.parametrize(
    ("language", "promised"),
    [
        ("en", "I'll ask him and let you know."),
        ("en", "I'll send you the form."),
        ("en", "I'll call you at nine every morning."),
        ("de", "Ich sage Ihnen Bescheid."),
        ("es", "Le digo algo."),
        ("fr", "Je lui dis et je vous rappelle."),
        ("it", "Le faccio sapere."),
        ("pt", "Eu te aviso."),
        ("nl", "Dan bel ik voortaan om vier uur."),
    ],
)
def test_what_is_owed_to_the_caller_or_comes_again_stays(
    lapses: Callable[..., bool], language: str, promised: str
) -> None:
    assert not lapses(promised, ".", language, on=LAST_WEEK)


def test_an_appointment_of_which_only_the_hour_is_known_is_within_a_week(
    lapses: Callable[..., bool],
) -> None:
    def is_over(on: date) -> bool:
        return lapses("I can do twenty to eleven.", "Hello.", "en", kind="plan", on=on)

    assert is_over(LAST_WEEK)
    assert not is_over(YESTERDAY)


@pytest.mark.parametrize(
    ("language", "text"),
    [("en", "My test is on Friday week."), ("de", "Die Prüfung ist Freitag oder Samstag in einer Woche.")],
)
def test_a_plan_for_a_weekday_that_may_be_either_of_two_is_over_after_three_weeks(
    lapses: Callable[..., bool], language: str, text: str
) -> None:
    def is_over(on: date) -> bool:
        return lapses(text, "Hello.", language, kind="plan", on=on)

    assert is_over(date(2026, 10, 23)) == (language == "en"), "of two weekdays named nothing is sure"
    assert not is_over(date(2026, 11, 6))


def test_who_rang_has_kept_what_was_promised_with_it_in_the_same_call(call: Call) -> None:
    lowe = EarlierThread(1, "promise", "agent", '"I\'ll get Dr. Lowe to call you."', said_on=YESTERDAY)
    before_six = EarlierThread(2, "promise", "agent", '"She\'ll call you before six."', said_on=YESTERDAY)
    other = EarlierThread(3, "promise", "agent", '"I\'ll ring you about it."', said_on=LAST_WEEK)
    talk = call("a: Vets.\nu: Dr. Lowe rang last night, all normal.")

    assert thread_changes(talk, "en", BERLIN, open_before=[lowe, before_six, other]).closes == (1, 2)


@pytest.mark.parametrize(
    ("language", "promised", "said"),
    [
        ("de", "Er ruft eine halbe Stunde vorher an.", "Der Monteur war da, aber sie tropft."),
        ("en", "He'll ring you half an hour before.", "The plumber came, but it's dripping again."),
        ("it", "La chiama mezz'ora prima.", "L'idraulico è venuto, ma perde ancora."),
    ],
)
def test_a_call_before_a_visit_is_over_with_its_day(
    call: Call, language: str, promised: str, said: str
) -> None:
    spoken = call(f"a: .\nu: {said}")
    for due, closes in ((YESTERDAY, (1,)), (TODAY, ())):
        known = EarlierThread(1, "promise", "agent", f'"{promised}"', due, said_on=LAST_WEEK)
        assert thread_changes(spoken, language, BERLIN, open_before=[known]).closes == closes


@pytest.mark.parametrize(
    ("language", "promised", "on_a_day", "asked"),
    [
        ("en", "I'll bring the tyres along.", "I'll bring the tyres on Monday.", "And the tyres?"),
        ("de", "Ich bring die Reifen mit.", "Ich bring die Reifen am Montag mit.", "Und die Reifen?"),
        ("es", "Llevaré los neumáticos.", "Llevaré los neumáticos el lunes.", "¿Y los neumáticos?"),
        ("fr", "J'apporte les pneus.", "J'apporte les pneus lundi.", "Et les pneus ?"),
        ("it", "Porto le gomme.", "Porto le gomme lunedì.", "E le gomme?"),
        ("pt", "Levo os pneus.", "Levo os pneus na segunda.", "E os pneus?"),
        ("nl", "Ik neem de banden mee.", "Ik neem de banden maandag mee.", "En de banden?"),
    ],
)
def test_what_was_to_be_brought_to_a_visit_is_over_with_its_day(
    call: Call, language: str, promised: str, on_a_day: str, asked: str
) -> None:
    def closed(text: str, due: date, said: str) -> bool:
        known = EarlierThread(1, "promise", "user", f'"{text}"', due, said_on=LAST_WEEK)
        return thread_changes(call(f"a: .\nu: {said}"), language, BERLIN, open_before=[known]).closes == (1,)

    assert closed(promised, YESTERDAY, "Golf?")
    assert not closed(promised, TODAY, "Golf?")
    assert not closed(on_a_day, YESTERDAY, "Golf?")
    assert not closed(promised, YESTERDAY, asked)


@pytest.mark.parametrize(
    ("language", "promised"),
    [
        ("de", "ich schick ihnen die nummer vom zahnarzt gleich per mail"),
        ("nl", "ik stuur u het nummer van de tandarts meteen per mail"),
        ("fr", "je vous envoie le numéro de mon dentiste tout de suite par mail"),
    ],
)
def test_what_is_sent_at_once_is_over_however_long_it_is_told(
    lapses: Callable[..., bool], language: str, promised: str
) -> None:
    assert lapses(promised, "Ja.", language)


@pytest.mark.parametrize(
    "promised",
    [
        "ich schick ihnen die nummer vom zahnarzt am montag per mail",
        "ich frag meine frau nach der nummer und ruf sie gleich zurück",
    ],
)
def test_what_is_sent_on_a_day_or_answered_later_is_owed(lapses: Callable[..., bool], promised: str) -> None:
    assert not lapses(promised, "Ja.", "de")


@pytest.mark.parametrize(
    ("language", "agreed", "said"),
    [
        ("en", '"Come at eleven." – "Fine, for the fever."', "The fever's gone."),
        ("de", '"Kommen Sie um elf." – "Gut, mit dem Fieber."', "Das Fieber ist weg."),
        ("es", '"Venga a las once." – "Vale, por la fiebre."', "La fiebre se le fue."),
        ("fr", '"Venez à onze heures." – "Oui, pour la fièvre."', "La fièvre est partie."),
        ("it", '"Venga alle undici." – "Sì, per la febbre."', "La febbre è passata."),
        ("pt", '"Venha às onze." – "Sim, por causa da febre."', "A febre passou."),
        ("nl", '"Kom om elf uur." – "Ja, met de koorts."', "De koorts is weg."),
    ],
)
def test_an_hour_without_a_day_is_past_after_a_week_whatever_is_said_of_it(
    call: Call, language: str, agreed: str, said: str
) -> None:
    def closes(on: date) -> tuple[int, ...]:
        known = EarlierThread(1, "plan", "agent", agreed, said_on=on)
        return thread_changes(call(f"a: .\nu: {said}"), language, BERLIN, open_before=[known]).closes

    assert closes(LAST_WEEK) == (1,)
