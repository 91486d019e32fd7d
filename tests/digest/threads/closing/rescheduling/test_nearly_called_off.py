"""Who only thought of calling off, or says after all that they come, keeps the appointment."""

from collections.abc import Callable
from datetime import date
from zoneinfo import ZoneInfo

import pytest

from voice_server.digest.threads.changes import thread_changes
from voice_server.domain.conversation import Message
from voice_server.domain.digest import EarlierThread

Call = Callable[[str], list[Message]]
BERLIN = ZoneInfo("Europe/Berlin")
FRIDAY = date(2026, 11, 20)
THE_CUT = {
    "en": '"A cut on Friday at three?" – "Yes please."',
    "de": '"Zum Schneiden am Freitag um drei?" – "Ja, bitte."',
    "es": '"¿Para cortar el viernes a las tres?" – "Sí, por favor."',
    "fr": '"Pour la coupe vendredi à quinze heures ?" – "Oui, merci."',
    "it": '"Per il taglio venerdì alle tre?" – "Sì, grazie."',
    "pt": '"Para o corte na sexta às três?" – "Sim, por favor."',
    "nl": '"Voor knippen vrijdag om drie uur?" – "Ja, graag."',
}


def _closed(call: Call, language: str, said: str) -> bool:
    known = EarlierThread(1, "plan", "user", THE_CUT[language], FRIDAY)
    text = "\n".join(("a: Bella, hello.", *said.split(" / ")))
    return 1 in thread_changes(call(text), language, BERLIN, open_before=[known]).closes


@pytest.mark.parametrize(
    ("language", "said"),
    [
        ("en", "u: I wanted to cancel Friday but it's fine, I'll come. / a: See you then."),
        ("en", "u: I was going to cancel Friday, but my daughter can drive me now. / a: Oh good."),
        ("de", "u: Ich wollte den Freitag absagen, aber jetzt komm ich doch. / a: Bis dann."),
        ("de", "u: Eigentlich wollte ich Freitag absagen, aber meine Tochter fährt mich. / a: Schön."),
        ("es", "u: Quería cancelar el viernes, pero al final voy. / a: Muy bien."),
        ("es", "u: Iba a cancelar el viernes, pero mi hija me puede llevar. / a: Muy bien."),
        ("fr", "u: Je voulais annuler vendredi mais ma fille peut me conduire, je viens. / a: Parfait."),
        ("fr", "u: J'allais annuler vendredi mais finalement je viens. / a: Parfait."),
        ("it", "u: Volevo disdire venerdì, ma alla fine vengo. / a: Perfetto."),
        ("it", "u: Stavo per disdire venerdì, ma mia figlia mi accompagna. / a: Perfetto."),
        ("pt", "u: Queria desmarcar sexta, mas afinal vou. / a: Ótimo."),
        ("pt", "u: Ia desmarcar sexta, mas a minha filha leva-me. / a: Ótimo."),
        ("nl", "u: Ik wilde vrijdag afzeggen, maar ik kom toch. / a: Fijn."),
        ("nl", "u: Eigenlijk wou ik vrijdag afzeggen, maar mijn dochter kan me brengen. / a: Fijn."),
    ],
)
def test_who_only_thought_of_calling_off_comes(call: Call, language: str, said: str) -> None:
    assert not _closed(call, language, said)


@pytest.mark.parametrize(
    ("language", "said"),
    [
        ("en", "u: I wanted to cancel Friday. / a: What's happened? / u: Oh, actually, no, I'll come."),
        ("de", "u: Ich wollte den Freitag absagen. Aber jetzt geht's mir besser, ich komme. / a: Schön."),
        ("es", "u: Quería cancelar el viernes. Pero ya estoy mejor, voy. / a: Muy bien."),
        ("fr", "u: Je voulais annuler vendredi. Mais ça va mieux, je viens. / a: Parfait."),
        ("it", "u: Volevo disdire venerdì. Ma sto meglio, vengo. / a: Bene."),
        ("pt", "u: Queria desmarcar sexta. Mas já estou melhor, vou. / a: Ótimo."),
        ("nl", "u: Ik wilde vrijdag afzeggen. Maar het gaat beter, ik kom gewoon. / a: Fijn."),
    ],
)
def test_who_says_after_it_that_they_come_keeps_it(call: Call, language: str, said: str) -> None:
    assert not _closed(call, language, said)


@pytest.mark.parametrize(
    ("language", "said"),
    [
        ("en", "u: Do I still have my cut on Friday, or was it cancelled? / a: No, it's still on."),
        ("de", "u: Steht mein Termin am Freitag noch, oder wurde der abgesagt? / a: Nein, der steht."),
        ("es", "u: ¿Mi cita del viernes sigue en pie o se canceló? / a: No, sigue en pie."),
        ("fr", "u: Mon rendez-vous de vendredi, il a été annulé ? / a: Non, il tient toujours."),
        ("it", "u: Il mio appuntamento di venerdì è stato annullato? / a: No, è confermato."),
        ("pt", "u: A minha marcação de sexta foi cancelada? / a: Não, mantém-se."),
        ("nl", "u: Staat mijn afspraak van vrijdag nog of is die afgezegd? / a: Nee hoor, die staat nog."),
    ],
)
def test_what_is_asked_about_and_confirmed_stays(call: Call, language: str, said: str) -> None:
    assert not _closed(call, language, said)


@pytest.mark.parametrize(
    ("language", "said"),
    [
        ("en", "u: I wanted to cancel Friday. / a: No problem, that's gone."),
        ("en", "u: I wanted to cancel Friday but nobody picked up. / a: I'll take you out."),
        ("en", "u: I was going to keep Friday but I have to cancel. / a: Okay."),
        ("en", "u: I'm going to have to cancel Friday, but I'll ring again in January. / a: Okay."),
        ("en", "u: I was going to call earlier but I was busy, I can't make Friday. / a: Okay."),
        ("en", "u: I was going to cancel Friday online but the app crashed. / a: All right, it's done."),
        ("en", "u: I wanted to cancel Friday but I'm fine with another day. / a: Okay."),
        ("de", "u: Ich wollte den Freitag absagen, aber da ging keiner ran. / a: Ich streiche Sie."),
        ("de", "u: Ich wollte den Freitag absagen, aber ich komme ein andermal. / a: Gut."),
        ("de", "u: Ich wollte den Freitag eigentlich behalten, aber ich muss absagen. / a: Gut."),
        ("es", "u: Quería mantener el viernes, pero tengo que cancelar. / a: Vale."),
        ("fr", "u: Je voulais garder vendredi, mais je dois annuler. / a: D'accord."),
        ("it", "u: Volevo tenere venerdì, ma devo disdire. / a: Va bene."),
        ("pt", "u: Queria manter sexta, mas tenho de desmarcar. / a: Está bem."),
        ("nl", "u: Ik wilde vrijdag houden, maar ik moet afzeggen. / a: Oké."),
    ],
)
def test_what_is_called_off_politely_is_off(call: Call, language: str, said: str) -> None:
    assert _closed(call, language, said)


@pytest.mark.parametrize(
    ("language", "said"),
    [
        ("en", "u: I need to cancel Friday. / a: Done. And your daughter's? / u: She'll come."),
        (
            "en",
            "u: I can't come on Friday. / a: Cancelled. We've an open evening. / u: Oh lovely, I'll come.",
        ),
        (
            "de",
            "u: Ich muss Freitag absagen. / a: Ist gestrichen. Wer passt auf? / u: Meine Mutter, sie kommt.",
        ),
        ("nl", "u: Ik moet vrijdag afzeggen. / a: Staat eruit. Bent u er nog? / u: Ja, ik ben er."),
        ("pt", "u: Queria desmarcar sexta. / a: Desmarcado. Quer vir buscar o champô? / u: Vou."),
    ],
)
def test_who_comes_for_something_else_keeps_nothing(call: Call, language: str, said: str) -> None:
    assert _closed(call, language, said)
