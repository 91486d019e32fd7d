"""What is promised in few words is told with what was asked; what is offered or named again is taken."""

from collections.abc import Callable
from datetime import date

import pytest

from voice_server.domain.digest import OpenThread

Opened = Callable[..., tuple[OpenThread, ...]]


@pytest.mark.parametrize(
    ("language", "text"),
    [
        (
            "en",
            (
                "u: hi and i've got a voucher from my mother in law but i think it's run out is it still "
                "good\n"
                "a: I'll look that up and text you.\n"
                "u: ta"
            ),
        ),
        (
            "de",
            (
                "u: hallo und ich hab noch einen gutschein von meiner schwiegermutter aber der ist glaub "
                "ich abgelaufen gilt der noch\n"
                "a: Das schau ich nach und schreib Ihnen.\n"
                "u: danke"
            ),
        ),
        (
            "es",
            (
                "u: hola y tengo un vale de mi suegra pero creo que está caducado me sirve todavía\n"
                "a: Eso lo miro y le escribo.\n"
                "u: gracias"
            ),
        ),
        (
            "fr",
            (
                "u: bonjour et j'ai un bon d'achat de ma belle-mère mais je crois qu'il est périmé il "
                "est encore valable\n"
                "a: Je regarde ça et je vous écris.\n"
                "u: merci"
            ),
        ),
        (
            "it",
            (
                "u: ciao e ho un buono di mia suocera ma credo sia scaduto vale ancora\n"
                "a: Lo verifico e le scrivo.\n"
                "u: grazie"
            ),
        ),
        (
            "pt",
            (
                "u: olá e tenho um vale da minha sogra mas acho que já passou o prazo ainda serve\n"
                "a: Vou ver isso e mando-lhe mensagem.\n"
                "u: obrigada"
            ),
        ),
        (
            "nl",
            (
                "u: hoi en ik heb een cadeaubon van mijn schoonmoeder maar die is geloof ik verlopen kan "
                "die nog\n"
                "a: Dat zoek ik even uit en ik app je.\n"
                "u: top"
            ),
        ),
    ],
)
def test_what_the_agent_finds_out_is_told_with_what_was_asked(
    opened: Opened, language: str, text: str
) -> None:
    (thread,) = opened(text, language)

    asked = text.partition("\na:")[0].removeprefix("u: ")
    assert (thread.kind, thread.said_by) == ("promise", "agent")
    assert thread.text.strip('"').startswith(asked[:50])


@pytest.mark.parametrize(
    ("language", "text"),
    [
        (
            "en",
            (
                "u: It's out of print? What a pity.\n"
                "a: I could look for a second-hand copy for you.\n"
                "u: Please do.\n"
                "a: Right."
            ),
        ),
        (
            "de",
            (
                "u: Das ist vergriffen? Wie schade.\n"
                "a: Ich könnte Ihnen ein gebrauchtes Exemplar suchen.\n"
                "u: Ja bitte.\n"
                "a: Gut."
            ),
        ),
        (
            "es",
            (
                "u: ¿Está agotado? Qué pena.\n"
                "a: Podría buscarle un ejemplar de segunda mano.\n"
                "u: Sí, por favor.\n"
                "a: Bien."
            ),
        ),
        (
            "fr",
            (
                "u: Il est épuisé ? Quel dommage.\n"
                "a: Je pourrais vous chercher un exemplaire d'occasion.\n"
                "u: Oui, volontiers.\n"
                "a: Bien."
            ),
        ),
        (
            "it",
            ("u: È esaurito? Che peccato.\na: Potrei cercarle una copia usata.\nu: Sì, grazie.\na: Bene."),
        ),
        (
            "pt",
            (
                "u: Está esgotado? Que pena.\n"
                "a: Podia procurar-lhe um exemplar usado.\n"
                "u: Sim, por favor.\n"
                "a: Muito bem."
            ),
        ),
        (
            "nl",
            (
                "u: Is het uitverkocht? Wat jammer.\n"
                "a: Ik zou een tweedehands exemplaar voor u kunnen zoeken.\n"
                "u: Ja, graag.\n"
                "a: Goed."
            ),
        ),
    ],
)
def test_what_the_agent_could_look_for_is_promised_once_it_is_wanted(
    opened: Opened, language: str, text: str
) -> None:
    wanted = opened(text, language)
    left = opened(text.rpartition("\nu:")[0], language)

    assert [(one.kind, one.said_by) for one in wanted] == [("promise", "agent")]
    assert left == ()


@pytest.mark.parametrize(
    ("language", "text"),
    [
        (
            "en",
            (
                "u: Nobody's been about the damp patch.\n"
                "a: I can do an inspection on Thursday the tenth of December.\n"
                "u: Thursday the tenth, in the evening though.\n"
                "a: Okay."
            ),
        ),
        (
            "de",
            (
                "u: Wegen dem feuchten Fleck war noch niemand da.\n"
                "a: Ich kann am Donnerstag, den zehnten Dezember, vorbeikommen.\n"
                "u: Donnerstag, den zehnten, aber erst am Abend.\n"
                "a: Gut."
            ),
        ),
        (
            "es",
            (
                "u: Por la mancha de humedad no ha venido nadie.\n"
                "a: Puedo pasar el jueves diez de diciembre.\n"
                "u: El jueves diez, pero por la tarde.\n"
                "a: Vale."
            ),
        ),
        (
            "fr",
            (
                "u: Personne n'est venu pour la tache d'humidité.\n"
                "a: Je peux passer le jeudi dix décembre.\n"
                "u: Le jeudi dix, mais en soirée.\n"
                "a: D'accord."
            ),
        ),
        (
            "it",
            (
                "u: Per la macchia di umidità non è venuto nessuno.\n"
                "a: Posso passare giovedì dieci dicembre.\n"
                "u: Giovedì dieci, però di sera.\n"
                "a: Va bene."
            ),
        ),
        (
            "pt",
            (
                "u: Por causa da mancha de humidade não veio ninguém.\n"
                "a: Posso passar na quinta, dia dez de dezembro.\n"
                "u: Quinta, dia dez, mas à noite.\n"
                "a: Está bem."
            ),
        ),
        (
            "nl",
            (
                "u: Voor de vochtplek is er nog niemand geweest.\n"
                "a: Ik kan donderdag tien december langskomen.\n"
                "u: Donderdag de tiende, maar wel 's avonds.\n"
                "a: Goed."
            ),
        ),
    ],
)
def test_the_whole_day_said_again_is_taken_but_for_its_hour(opened: Opened, language: str, text: str) -> None:
    (thread,) = opened(text, language)

    assert (thread.kind, thread.due) == ("plan", date(2026, 12, 10))


@pytest.mark.parametrize(
    ("language", "text"),
    [
        (
            "en",
            (
                "u: I must ring the optician, my glasses have gone.\n"
                "a: Shall I remind you next time we speak?\n"
                "u: Yes, please.\n"
                "a: I will."
            ),
        ),
        (
            "de",
            (
                "u: Ich muss den Optiker anrufen, meine Brille ist kaputt.\n"
                "a: Soll ich Sie beim nächsten Mal daran erinnern?\n"
                "u: Ja, bitte.\n"
                "a: Mach ich."
            ),
        ),
        (
            "es",
            (
                "u: Tengo que llamar a la óptica, se me han roto las gafas.\n"
                "a: ¿Se lo recuerdo la próxima vez?\n"
                "u: Sí, por favor.\n"
                "a: Lo haré."
            ),
        ),
        (
            "fr",
            (
                "u: Je dois appeler l'opticien, mes lunettes sont cassées.\n"
                "a: Je vous le rappelle la prochaine fois ?\n"
                "u: Oui, s'il vous plaît.\n"
                "a: D'accord."
            ),
        ),
        (
            "it",
            (
                "u: Devo chiamare l'ottico, mi si sono rotti gli occhiali.\n"
                "a: Glielo ricordo la prossima volta?\n"
                "u: Sì, grazie.\n"
                "a: Va bene."
            ),
        ),
        (
            "pt",
            (
                "u: Tenho de ligar ao oculista, partiram-se-me os óculos.\n"
                "a: Lembro-lhe na próxima vez?\n"
                "u: Sim, por favor.\n"
                "a: Está bem."
            ),
        ),
        (
            "nl",
            (
                "u: Ik moet de opticien bellen, mijn bril is kapot.\n"
                "a: Zal ik u er de volgende keer aan herinneren?\n"
                "u: Ja, graag.\n"
                "a: Doe ik."
            ),
        ),
    ],
)
def test_a_reminder_for_the_next_time_is_told_with_what_it_is_of(
    opened: Opened, language: str, text: str
) -> None:
    (thread,) = opened(text, language)

    asked = text.partition("\na:")[0].removeprefix("u: ")
    assert thread.text.strip('"').startswith(asked.rstrip("."))


def test_an_offer_taken_in_other_words_is_told_with_the_promise(opened: Opened) -> None:
    text = (
        "a: Posso procurar-lhe uma receita de bolo-rei sem glúten.\n"
        "u: Ai, procure, procure. E depois diz-me.\n"
        "a: Digo-lhe na próxima conversa."
    )

    (thread,) = opened(text, "pt")

    assert thread.text == (
        '"Posso procurar-lhe uma receita de bolo-rei sem glúten." – "Ai, procure, procure." – '
        '"Digo-lhe na próxima conversa."'
    )


def test_what_somebody_missed_long_before_leads_to_no_later_promise(opened: Opened) -> None:
    text = (
        "u: das ibuprofen das hab ich wieder nicht vertragen da krieg ich so quaddeln\n"
        "a: Das schreibe ich auf.\n"
        "u: und die überweisung zum kardiologen da wollte die frau doktor noch überlegen ob ich da hin muss\n"
        "a: Ich frage Frau Doktor Wendlandt und rufe Sie zurück."
    )

    (thread,) = opened(text, "de")

    assert "kardiologen" in thread.text
    assert "ibuprofen" not in thread.text


@pytest.mark.parametrize(
    ("language", "text"),
    [
        (
            "en",
            "u: Is there a train at ten?\na: I could look for one.\nu: Please.\na: There's one at ten past.",
        ),
        ("en", "u: In blue?\na: I can look for one in the stockroom.\nu: Please do.\na: We have two."),
        (
            "de",
            "u: Haben Sie das in Blau?\na: Ich kann im Lager suchen.\nu: Ja, bitte.\na: Keins mehr da.",
        ),
        ("es", "u: ¿En azul?\na: Puedo buscarlo en el almacén.\nu: Sí, por favor.\na: Pues no queda."),
        ("fr", "u: En bleu ?\na: Je peux chercher en réserve.\nu: Oui.\na: Il n'y en a plus."),
        ("nl", "u: In het blauw?\na: Ik kan er een zoeken in het magazijn.\nu: Ja graag.\na: Nee, op."),
    ],
)
def test_what_is_looked_for_at_once_is_not_promised(opened: Opened, language: str, text: str) -> None:
    assert opened(text, language) == ()


@pytest.mark.parametrize(
    ("language", "offer", "but"),
    [
        (
            "en",
            "We could do Thursday the tenth.",
            "Thursday the tenth, but that's Mum's funeral.",
        ),
        ("es", "Puedo pasar el jueves diez de diciembre.", "El jueves diez, pero trabajo."),
        ("it", "Posso passare giovedì dieci dicembre.", "Giovedì dieci, però lavoro."),
        ("pt", "Posso passar na quinta, dia dez de dezembro.", "Quinta, dia dez, mas trabalho."),
        ("nl", "Ik kan donderdag tien december.", "Donderdag de tiende, maar dan werk ik."),
    ],
)
def test_the_day_said_again_with_what_is_on_it_takes_none(
    opened: Opened, language: str, offer: str, but: str
) -> None:
    assert opened(f"u: –\na: {offer}\nu: {but}\na: –", language) == ()


def test_of_the_day_said_again_the_hour_that_is_found_then_counts(opened: Opened) -> None:
    text = (
        "a: We've got Thursday the tenth of December at three.\n"
        "u: Thursday the tenth, but only in the evening.\n"
        "a: Six o'clock then.\n"
        "u: Fine."
    )

    (thread,) = opened(text)

    assert (thread.text, thread.due) == ('"Six o\'clock then." – "Fine."', date(2026, 12, 10))
