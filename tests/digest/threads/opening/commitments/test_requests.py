"""What is asked for is open, and told with the promise that it changes."""

from collections.abc import Callable

import pytest

from voice_server.domain.digest import OpenThread

Opened = Callable[..., tuple[OpenThread, ...]]


@pytest.mark.parametrize(
    ("language", "text"),
    [
        ("de", "a: Soll ich ihn schicken?\nu: Ja, an die Lindenallee acht.\na: Erledigt. Er geht raus."),
        ("en", "a: Shall I post it?\nu: Yes, to 14 Quarry Lane.\na: Done. It'll go out."),
        ("es", "a: ¿Se lo mando?\nu: sí a la calle almendro doce\na: Hecho."),
        ("it", "a: Glielo spedisco?\nu: sì in via garibaldi dodici\na: Fatto."),
        ("nl", "a: Zal ik het opsturen?\nu: ja naar de kerkstraat twaalf\na: Gedaan."),
        ("pt", "a: Mando por correio?\nu: sim para a rua das flores doze\na: Feito."),
    ],
)
def test_an_offer_that_is_done_on_the_spot_is_not_open(opened: Opened, language: str, text: str) -> None:
    assert not opened(text, language)


@pytest.mark.parametrize(
    ("language", "text"),
    [
        ("de", "a: Soll ich Sie am Freitag erinnern?\nu: Ja, gern.\na: Erledigt."),
        ("en", "a: Shall I ring you when it's in?\nu: Yes please.\na: Done."),
        ("en", "a: Shall I send you the form?\nu: Yes, by post.\na: Noted."),
        ("es", "a: ¿Le aviso cuando llegue?\nu: sí\na: Hecho."),
        ("it", "a: Le ricordo le pastiglie?\nu: sì grazie\na: Fatto."),
        ("nl", "a: Zal ik u bellen als het er is?\nu: ja\na: Gedaan."),
    ],
)
def test_what_is_still_to_come_is_open_though_the_agent_says_done(
    opened: Opened, language: str, text: str
) -> None:
    assert len(opened(text, language)) == 1


@pytest.mark.parametrize(
    ("language", "promised", "asked", "granted"),
    [
        ("en", "I'll email you the contract.", "I haven't got email, could you post it?", "Of course."),
        (
            "en",
            "I'll email you the contract.",
            "Could you send it to my daughter?",
            "Of course, I'll do that.",
        ),
        (
            "de",
            "Ich maile Ihnen den Vertrag.",
            "Können Sie ihn mit der Post schicken?",
            "Natürlich, mache ich.",
        ),
        ("fr", "Je vous envoie le contrat par mail.", "Vous pouvez l'envoyer par la poste ?", "Bien sûr."),
        ("es", "Le mando el contrato por correo.", "¿Puede mandarlo a mi hija?", "Claro."),
        ("it", "Le mando il contratto per e-mail.", "Può mandarlo per posta?", "Certo."),
        ("pt", "Envio-lhe o contrato por e-mail.", "Pode mandá-lo pelo correio?", "Claro."),
        ("nl", "Ik mail u het contract.", "Kunt u het met de post sturen?", "Natuurlijk."),
    ],
)
def test_what_is_asked_for_otherwise_is_told_with_the_promise_it_changes(
    opened: Opened, language: str, promised: str, asked: str, granted: str
) -> None:
    [thread] = opened(f"a: {promised}\nu: {asked}\na: {granted}", language=language)

    assert (thread.kind, thread.text) == ("request", f'"{promised}" – "{asked}"')


@pytest.mark.parametrize(
    ("language", "asked"),
    [
        ("en", "could you leave it with my neighbour"),
        ("en", "Could you let Tom know?"),
        ("en", "Can you have someone look at the tap?"),
        ("de", "Können Sie es bei der Nachbarin abgeben?"),
        ("fr", "Vous pouvez le laisser chez la voisine ?"),
        ("es", "¿Puede dejarlo con la vecina?"),
        ("it", "Può lasciarlo alla vicina?"),
        ("pt", "Pode deixar com a vizinha?"),
        ("nl", "Kunt u het bij de buurvrouw afgeven?"),
    ],
)
def test_an_errand_is_a_request_though_it_is_granted_by_a_mere_yes(
    opened: Opened, language: str, asked: str
) -> None:
    yes = {"en": "Of course.", "de": "Gern.", "fr": "Bien sûr.", "it": "Certo.", "nl": "Zeker."}
    [thread] = opened(f"u: {asked}\na: {yes.get(language, 'Claro.')}", language=language)

    assert (thread.kind, thread.text) == ("request", f'"{asked}"')


@pytest.mark.parametrize(
    "said",
    [
        "u: Could you put my name on the list?\na: Done.",
        "u: Can you bring it up on your screen?\na: Yes, I see it.",
        "u: Could you leave it for now?\na: Sure.",
        "a: When can you bring it?\nu: Tomorrow, I hope.",
    ],
)
def test_what_is_done_at_once_or_only_asked_is_no_errand(opened: Opened, said: str) -> None:
    assert opened(said) == ()


@pytest.mark.parametrize(
    ("language", "asked", "answer"),
    [
        ("en", "bring the vaccination card please", "i will if i can find it"),
        ("en", "Please bring your ID.", "Will do."),
        ("de", "Bringen Sie bitte den Impfpass mit.", "Mach ich."),
        ("es", "Traiga la cartilla, por favor.", "Sí, si la encuentro."),
        ("fr", "apportez le carnet de vaccination s'il vous plaît", "oui si je le retrouve"),
        ("it", "Porti il libretto, per favore.", "Va bene."),
        ("pt", "Traga o boletim, por favor.", "Está bem."),
        ("nl", "neem het inentingsboekje mee alstublieft", "doe ik als ik het kan vinden"),
    ],
)
def test_what_is_to_be_brought_is_asked_for(opened: Opened, language: str, asked: str, answer: str) -> None:
    (thread,) = opened(f"a: {asked}\nu: {answer}", language)

    assert (thread.kind, thread.said_by, thread.text) == ("request", "agent", f'"{asked}"')


@pytest.mark.parametrize("said", ["Bring her in at four.", "Bring the dog round on Friday."])
def test_who_is_to_be_brought_in_is_no_request(opened: Opened, said: str) -> None:
    assert opened(f"a: {said}") == ()


@pytest.mark.parametrize(
    ("language", "asked", "answer"),
    [
        ("en", "can they deliver it on saturday", "yes between nine and twelve"),
        ("fr", "Vous pouvez le livrer samedi ?", "Oui, entre neuf heures et midi."),
        ("it", "Potete portarlo sabato?", "Sì, tra le nove e le dodici."),
        ("pt", "Podem entregar no sábado?", "Sim, entre as nove e o meio-dia."),
    ],
)
def test_an_errand_whose_hour_is_said_is_told_with_it(
    opened: Opened, language: str, asked: str, answer: str
) -> None:
    [thread] = opened(f"u: {asked}\na: {answer}", language=language)

    assert (thread.kind, thread.text) == ("plan", f'"{asked}" – "{answer}"')
