"""What is put off by a week is told on its new day alone."""

from collections.abc import Callable
from datetime import date
from zoneinfo import ZoneInfo

import pytest

from voice_server.digest.threads.changes import thread_changes
from voice_server.domain.conversation import Message
from voice_server.domain.digest import EarlierThread

Call = Callable[[str], list[Message]]
BERLIN = ZoneInfo("Europe/Berlin")


@pytest.mark.parametrize(
    ("language", "known", "said"),
    [
        (
            "en",
            "next week tuesday then",
            (
                "u: it's off five are ill we're doing it a week later / a: the first of december then "
                "same time / u: yes please"
            ),
        ),
        (
            "de",
            "nächste woche dienstag also",
            (
                "u: das fällt aus fünf sind krank wir machen es eine woche später / a: dann der erste "
                "dezember gleiche zeit / u: ja gerne"
            ),
        ),
        (
            "fr",
            "mardi prochain donc",
            (
                "u: ça n'a pas lieu il y a cinq malades on le fait une semaine plus tard / a: alors le "
                "premier décembre même heure / u: oui volontiers"
            ),
        ),
        (
            "it",
            "martedì prossimo",
            (
                "u: non si fa ci sono cinque malati lo facciamo una settimana dopo / a: allora il primo "
                "dicembre stessa ora / u: sì grazie"
            ),
        ),
        (
            "es",
            "el martes que viene",
            (
                "u: no se hace hay cinco enfermos lo hacemos una semana más tarde / a: entonces el uno "
                "de diciembre a la misma hora / u: sí por favor"
            ),
        ),
        (
            "nl",
            "volgende week dinsdag dus",
            (
                "u: het gaat niet door er zijn er vijf ziek we doen het een week later / a: dan de "
                "eerste december zelfde tijd / u: ja graag"
            ),
        ),
    ],
)
def test_a_week_later_is_the_day_that_the_other_names(
    call: Call, language: str, known: str, said: str
) -> None:
    plan = EarlierThread(1, "plan", "agent", f'"tuesday" – "{known}"', date(2026, 11, 24))
    text = "\n".join(("a: hello", *said.split(" / ")))
    changes = thread_changes(call(text), language, BERLIN, open_before=[plan])

    assert changes.closes == (1,)
    assert [thread.due for thread in changes.opened] == [date(2026, 12, 1)]


@pytest.mark.parametrize(
    ("language", "said"),
    [
        (
            "en",
            "a: All right, he'll start the week after. / u: The 28th, right? / a: Yes, the 28th at eleven.",
        ),
        ("de", "a: Gut, dann fängt er in der Woche drauf an. / u: Am 28., ja? / a: Ja, am 28. um elf."),
        (
            "fr",
            (
                "a: D'accord, il commencera la semaine suivante. / u: Le 28, c'est bien ça ? / a: Oui, "
                "le 28 à 11 heures."
            ),
        ),
        ("it", "a: Va bene, comincia la settimana dopo. / u: Il 28, giusto? / a: Sì, il 28 alle undici."),
        ("pt", "a: Está bem, começa na semana seguinte. / u: Dia 28, não é? / a: Sim, dia 28 às onze."),
    ],
)
def test_a_day_that_is_confirmed_with_its_hour_is_agreed_on(call: Call, language: str, said: str) -> None:
    text = "\n".join(("u: Hello.", *said.split(" / ")))
    (thread,) = thread_changes(call(text), language, BERLIN).opened

    assert (thread.kind, thread.due) == ("plan", date(2026, 11, 28))


@pytest.mark.parametrize(
    ("language", "said"),
    [
        ("en", "u: The shop was closed on the 28th, right? / a: Yes, the 28th at eleven."),
        ("en", "u: When's the market? / a: The first of December. / u: Yes, thanks."),
        ("de", "u: Wann ist der Markt? / a: Am ersten Dezember. / u: Ja, danke."),
        ("fr", "u: C'est quand, le marché ? / a: Le premier décembre. / u: Oui, merci."),
        ("it", "u: Quand'è il mercato? / a: Il primo dicembre. / u: Sì, grazie."),
    ],
)
def test_a_day_that_is_only_told_is_not(call: Call, language: str, said: str) -> None:
    text = "\n".join(("a: Hello.", *said.split(" / ")))

    assert thread_changes(call(text), language, BERLIN).opened == ()


AFRESH = {
    "en": ("I'll put a quote together and email it.", "It's Tenerife now.", "I'll redo the quote."),
    "de": ("Ich schicke Ihnen das Angebot.", "Jetzt doch Teneriffa.", "Ich schicke Ihnen ein neues Angebot."),
    "es": ("Le mando el presupuesto.", "Ahora es Tenerife.", "Le mando un presupuesto nuevo."),
    "fr": ("Je vous envoie le devis.", "C'est Ténérife maintenant.", "Je vous envoie un nouveau devis."),
    "it": ("Le mando il preventivo.", "Adesso è Tenerife.", "Le mando un nuovo preventivo."),
    "nl": ("Ik stuur u de offerte.", "Het is nu Tenerife.", "Ik stuur u een nieuwe offerte."),
    "pt": ("Mando-lhe o orçamento.", "Agora é Tenerife.", "Mando-lhe um novo orçamento."),
}


@pytest.mark.parametrize("language", AFRESH)
def test_what_is_done_afresh_takes_the_place_of_the_first_promise(call: Call, language: str) -> None:
    promised, said, afresh = AFRESH[language]
    old = EarlierThread(1, "promise", "agent", f'"{promised}"', around=promised)
    changes = thread_changes(
        call(f"a: Hm.\nu: {said}\na: {afresh}\nu: –"), language, BERLIN, open_before=(old,)
    )

    assert changes.closes == (1,)
    assert [afresh in one.text for one in changes.opened] == [True]


def test_a_new_promise_of_another_matter_leaves_the_first(call: Call) -> None:
    old = EarlierThread(1, "promise", "agent", '"I\'ll send the quote."', around="I'll send the quote.")
    said = "a: Hello.\nu: My card is lost.\na: I'll send you a new card.\nu: Thanks."

    assert thread_changes(call(said), "en", BERLIN, open_before=(old,)).closes == ()
