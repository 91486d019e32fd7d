"""What the same call settles is not open, and nothing else is settled by it."""

from collections.abc import Callable
from datetime import date

import pytest

from voice_server.domain.digest import OpenThread

Opened = Callable[..., tuple[OpenThread, ...]]


def test_what_is_called_off_of_something_else_leaves_an_appointment(opened: Opened) -> None:
    booked = "u: I've got an appointment tomorrow at three.\na: Yes."
    newsletter = "u: Could you cancel the newsletter, please, it's too much.\na: Okay, that's cancelled."

    [thread] = opened(f"{booked}\n{newsletter}")

    assert thread.due == date(2026, 11, 18)


@pytest.mark.parametrize(
    ("language", "offer", "said"),
    [
        ("en", "Friday at ten then.", "Great. I'll have to cancel then, my bridge club."),
        ("de", "Freitag um zehn dann.", "Prima. Ich muss dann absagen, beim Chor mein ich."),
        ("nl", "Vrijdag om tien uur dan.", "Prima. Dan moet ik afzeggen, de yogales bedoel ik."),
        ("pt", "Sexta às dez então.", "Perfeito. Vou ter de desmarcar, a aula de ioga."),
    ],
)
def test_what_is_named_behind_a_cancellation_is_what_is_off(
    opened: Opened, language: str, offer: str, said: str
) -> None:
    wish = {"en": "Can I come on Friday?", "de": "Kann ich am Freitag kommen?"}
    wish |= {"nl": "Kan ik vrijdag komen?", "pt": "Posso ir na sexta?"}

    threads = opened(f"u: {wish[language]}\na: {offer}\nu: {said}", language)

    assert [one.due for one in threads] == [date(2026, 11, 20)]


def test_another_appointment_that_is_called_off_leaves_the_new_one(opened: Opened) -> None:
    text = """
        u: I'd like an appointment for my son Luke.
        a: Wednesday the 25th at four?
        u: Yes, that's great. But mine on the 2nd of December I have to cancel.
        a: All right, I'll cancel it.
    """

    [thread] = opened(text)

    assert thread.due == date(2026, 11, 25)


@pytest.mark.parametrize(
    ("language", "booked", "called_off", "asked"),
    [
        (
            "en",
            "I've an appointment tomorrow.",
            "I'd like to cancel it, it doesn't hurt.",
            "Not move it?",
        ),
        ("de", "Ich hab morgen einen Termin.", "Den möchte ich absagen, es ist gut.", "Nicht verschieben?"),
        ("es", "Tengo cita mañana a las tres.", "Quería anularla, ya no me duele.", "¿No quiere cambiarla?"),
        ("fr", "J'ai rendez-vous demain.", "Je voudrais l'annuler, je n'ai plus mal.", "Pas le reporter ?"),
        ("it", "Ho un appuntamento domani.", "Vorrei disdirlo, non mi fa più male.", "Non vuole spostarlo?"),
        ("pt", "Tenho consulta amanhã.", "Queria desmarcar, já não me dói.", "Não quer adiar?"),
        ("nl", "Ik heb morgen een afspraak.", "Die wil ik afzeggen, het doet geen pijn.", "Niet verzetten?"),
    ],
)
def test_what_is_called_off_with_a_reason_is_off(
    opened: Opened, language: str, booked: str, called_off: str, asked: str
) -> None:
    assert opened(f"u: {booked}", language) != ()
    assert opened(f"u: {booked}\na: Ok.\nu: {called_off}\na: {asked}\nu: No, no.", language) == ()


@pytest.mark.parametrize(
    "text",
    [
        "u: Which bus goes to your house?\na: The number four.",
        (
            "u: Do you have parking?\na: I'd have to ask the desk.\n"
            "u: Okay.\na: Yes, there is parking behind it."
        ),
        "a: Hello.\nu: Did I tell you I don't like tea?",
        "a: How can I help you today?",
        "u: I am home.\na: Is there anything else I can help you with?",
    ],
)
def test_an_answered_or_idle_question_is_not_open(opened: Opened, text: str) -> None:
    assert opened(text) == ()


def test_a_ban_on_one_way_to_do_it_declines_no_promise(opened: Opened) -> None:
    (thread,) = opened(
        "u: Is my coat done yet?\na: Not quite. I'll ring you as soon as it's ready.\n"
        "u: Please don't ring the landline. Use the mobile."
    )

    assert (thread.kind, thread.said_by) == ("promise", "agent")


def test_what_the_other_did_of_something_else_keeps_no_promise(opened: Opened) -> None:
    (thread,) = opened(
        "a: Le prometto che la richiamo.\nu: Va bene.\na: Sì.\nu: L'ho comprata ad aprile.", "it"
    )

    assert thread.kind == "promise"


def test_thanks_in_advance_settle_no_promise(opened: Opened) -> None:
    (thread,) = opened("a: I'll send you the form for the visa.\nu: Thanks for sending the form!")

    assert thread.kind == "promise"


@pytest.mark.parametrize(
    ("language", "text"),
    [
        ("en", "a: I'll send you the menu.\nu: Okay.\na: I've sent it to you.\nu: Got it."),
        ("en", "u: I'll send you the photos.\na: Okay.\nu: Never mind, they're gone."),
        ("en", "a: I'll send you the brochure.\nu: No need, I have it."),
        ("de", "a: Ich schicke Ihnen die Broschüre.\nu: Nicht nötig, danke."),
        ("es", "a: Le enviaré el folleto.\nu: No hace falta, gracias."),
        ("fr", "a: Je vous enverrai la brochure.\nu: Pas la peine, merci."),
        ("it", "a: Le manderò la brochure.\nu: Non serve, grazie."),
        ("pt", "a: Vou enviar a brochura.\nu: Não é preciso, obrigada."),
        ("nl", "a: Ik stuur u de brochure.\nu: Niet nodig, dank u."),
    ],
)
def test_what_the_same_call_settles_is_not_open(opened: Opened, language: str, text: str) -> None:
    assert opened(text, language) == ()


@pytest.mark.parametrize(
    ("language", "promise", "question", "noted"),
    [
        ("en", "I'll send you the estimate today.", "What's the address?", "Got it, thank you."),
        ("en", "I'll send you the estimate today.", "What's the address?", "Great, that's done."),
        ("es", "Le envío hoy el presupuesto.", "¿Cuál es su correo?", "Ya lo tengo."),
        ("fr", "Je vous envoie le devis aujourd'hui.", "Quelle est votre adresse ?", "Parfait, c'est bon."),
        ("it", "Le mando il preventivo oggi.", "Qual è l'indirizzo?", "Ecco fatto."),
        ("pt", "Envio-lhe hoje o orçamento.", "Qual é o seu e-mail?", "Está feito."),
    ],
)
def test_noting_an_address_keeps_no_promise(
    opened: Opened, language: str, promise: str, question: str, noted: str
) -> None:
    (thread,) = opened(
        f"u: Hello.\na: {promise} {question}\nu: donna at example dot com\na: {noted}", language
    )

    assert thread.kind == "promise"


@pytest.mark.parametrize(
    ("language", "wish", "heard"),
    [
        ("en", "Remind me tomorrow to feed the cat.", "Got it."),
        ("en", "Remind me to feed the cat.", "Got it."),
        ("en", "Remind me tomorrow to feed the cat.", "Okay, done."),
        ("en", "Remind me tomorrow to feed the cat. Hang on, no. Friday.", "Friday, got it."),
        ("de", "Erinnern Sie mich morgen an die Katze.", "Alles klar, hab ich."),
        ("es", "Recuérdeme mañana dar de comer al gato.", "Ya está."),
        ("fr", "Rappelez-moi demain de nourrir le chat.", "Parfait, c'est bon."),
        ("fr", "Rappelez-moi demain de nourrir le chat.", "C'est fait."),
        ("it", "Mi ricordi domani di dare da mangiare al gatto.", "Ce l'ho."),
        ("nl", "Herinner me er morgen aan de kat te voeren.", "Heb ik."),
        ("pt", "Lembre-me amanhã de dar comida ao gato.", "Está anotado."),
    ],
)
def test_who_only_hears_what_is_to_be_done_later_has_not_done_it(
    opened: Opened, language: str, wish: str, heard: str
) -> None:
    assert len(opened(f"a: Hello.\nu: {wish}\na: {heard}", language)) == 1


def test_what_was_asked_about_before_the_promise_may_keep_it(opened: Opened) -> None:
    said = "a: Shall I put you on the list?\nu: Yes please.\na: All done."

    assert opened(said) == ()


def test_one_that_is_cancelled_by_name_takes_no_other_along(opened: Opened) -> None:
    said = """
        u: We'll arrive a day later, on Friday the eleventh of December.
        a: Fine, I've noted that.
        u: And please cancel the massage.
        a: The massage is cancelled.
    """
    assert [one.due for one in opened(said)] == [date(2026, 12, 11)]


def test_a_number_that_is_noted_keeps_no_promise_made_before(opened: Opened) -> None:
    said = """
        u: nobody has been about the mould
        a: i'll chase the contractor and give you a ring by thursday
        u: i've got a new number it's four five six
        a: four five six got it
    """
    assert [one.kind for one in opened(said)] == ["promise"]


def test_a_promise_is_not_kept_by_what_it_was_said_of(opened: Opened) -> None:
    said = """
        u: the plumber says the pump will not last the winter
        a: I'll discuss it with the owner and the surveyor.
        u: okay and the bill is still not here
        a: The bill has been posted, the plumber got it, too.
    """
    assert "owner" in "".join(thread.text for thread in opened(said))


def test_what_is_not_needed_calls_off_what_it_was_asked_of(opened: Opened) -> None:
    said = """
        u: Hello.
        a: I'll put a credit of twelve pounds on your bill.
        u: sweet and the router came today do i plug it in?
        a: You don't need it any more.
    """
    assert [thread.kind for thread in opened(said)] == ["promise"]


def test_who_declines_after_a_question_of_their_own_declines_what_that_was_about(opened: Opened) -> None:
    threads = opened(
        "u: Could they leave us something cold?\na: I'll ask the kitchen and email you.\n"
        "u: Do you take dogs? No, don't worry, I'm just curious.\na: We do."
    )

    assert [thread.kind for thread in threads] == ["promise"]


def test_what_is_done_at_once_is_not_open(opened: Opened) -> None:
    assert opened("u: Somebody stole my card.\na: I'll block it now.\nu: Thank you.") == ()


def test_a_reply_about_something_else_leaves_a_request_alone(opened: Opened) -> None:
    kept = opened(
        "u: Please remind me about the dentist on Thursday.\na: I will send you the invoice on Wednesday."
    )
    aside = opened("u: Remind me on Friday to call the vet.\na: Sure. Friday we close at five.")

    assert {one.due for one in kept} == {date(2026, 11, 19), date(2026, 11, 18)}
    assert [one.text for one in aside] == ['"Remind me on Friday to call the vet."']


@pytest.mark.parametrize(
    ("language", "talk"),
    [
        ("en", "u: Please send me the price list.\na: I'm afraid I can't do that."),
        ("de", "u: Schicken Sie mir bitte die Preisliste.\na: Das geht leider nicht."),
        ("fr", "u: Envoyez-moi la liste des prix.\na: Malheureusement, je ne peux pas faire ça."),
        ("es", "u: Mándeme la lista de precios.\na: Me temo que no es posible."),
        ("it", "u: Mi mandi il listino prezzi.\na: Mi dispiace, non posso farlo."),
        ("nl", "u: Stuur me de prijslijst.\na: Dat doen wij helaas niet."),
        ("pt", "u: Mande-me a lista de preços.\na: Infelizmente não é possível."),
    ],
)
def test_a_request_that_is_refused_is_not_open(opened: Opened, language: str, talk: str) -> None:
    assert opened(f"{talk}\nu: Hm.", language=language) == ()


@pytest.mark.parametrize(
    ("language", "talk"),
    [
        ("en", "u: Please send me the price list.\na: Of course, will do.\nu: No, leave it, never mind."),
        ("de", "u: Schicken Sie mir die Preisliste.\na: Mache ich.\nu: Ach, lassen Sie es."),
        ("fr", "u: Envoyez-moi la liste des prix.\na: Je le fais.\nu: Non, ce n'est pas la peine."),
        ("es", "u: Mándeme la lista de precios.\na: Claro.\nu: Olvídelo, ya lo hago yo mismo."),
        ("it", "u: Mi mandi il listino prezzi.\na: Certo.\nu: Anzi, lasci stare."),
        ("nl", "u: Stuur me de prijslijst.\na: Doe ik.\nu: Ach, laat maar."),
        ("pt", "u: Mande-me a lista de preços.\na: Claro.\nu: Afinal, deixe estar."),
    ],
)
def test_what_is_waved_off_at_once_is_not_open(opened: Opened, language: str, talk: str) -> None:
    assert opened(talk, language=language) == ()


def test_who_does_not_need_what_was_offered_beside_still_wants_the_rest(opened: Opened) -> None:
    talk = "u: Please send me the price list.\na: Shall I send samples, too?\nu: Don't bother."

    assert [thread.kind for thread in opened(talk)] == ["request"]


def test_go_ahead_is_not_said_of_what_is_done(opened: Opened) -> None:
    (thread,) = opened("a: Je vous fais un devis d'ici vendredi.\nu: Oui, faites.", "fr")

    assert thread.kind == "promise"


@pytest.mark.parametrize(
    ("language", "offered", "refused"),
    [
        ("en", "yeah the battery's dead i'll change that too", "no no don't change the battery i've got one"),
        (
            "de",
            "die batterie ist hin die wechsle ich auch",
            "nein nein die batterie nicht wechseln ich hab eine",
        ),
        ("es", "la batería está muerta también te la cambio", "no no la batería no me la cambies tengo una"),
        (
            "fr",
            "la batterie est morte je vous la change aussi",
            "non non la batterie ne la changez pas j'en ai une",
        ),
        ("it", "la batteria è andata le cambio anche quella", "no no la batteria non la cambi ne ho una"),
        ("pt", "a bateria morreu troco-lhe também", "não não a bateria não troque tenho uma em casa"),
        ("nl", "de accu is dood die vervang ik ook", "nee nee de accu niet vervangen ik heb er een"),
    ],
)
def test_what_is_not_to_be_done_is_not_promised(
    opened: Opened, language: str, offered: str, refused: str
) -> None:
    assert opened(f"u: –\na: {offered}\nu: {refused}\na: –", language) == ()


@pytest.mark.parametrize(
    ("language", "asked", "sent"),
    [
        ("en", "Can you send me the address?", "Sent."),
        ("de", "Können Sie mir die Adresse schicken?", "Geschickt."),
        ("es", "¿Me puede mandar la dirección?", "Mandada."),
        ("fr", "Vous pouvez m'envoyer l'adresse ?", "Envoyée."),
        ("it", "Mi può mandare l'indirizzo?", "Mandato."),
        ("pt", "Pode mandar-me a morada?", "Mandada."),
        ("nl", "Kunt u me het adres sturen?", "Gestuurd."),
    ],
)
def test_what_is_sent_in_the_call_is_owed_no_more(
    opened: Opened, language: str, asked: str, sent: str
) -> None:
    assert opened(f"u: {asked}\na: {sent}\nu: –", language) == ()


@pytest.mark.parametrize(
    ("language", "said", "cancelled", "yes"),
    [
        (
            "en",
            "he's got an appointment on thursday but he's ill",
            "oh dear i'll cancel it then",
            "yes please",
        ),
        (
            "de",
            "er hat am donnerstag einen termin aber er ist krank",
            "oje dann streiche ich den",
            "ja bitte",
        ),
        ("es", "tiene cita el jueves pero está ingresado", "vaya pues la anulo", "sí por favor"),
        ("fr", "il a rendez-vous jeudi mais il est hospitalisé", "ah mince je l'annule alors", "oui merci"),
        ("it", "ha l'appuntamento giovedì ma è ricoverato", "oh allora lo annullo", "sì per favore"),
        ("pt", "ele tem consulta na quinta mas está internado", "então eu cancelo", "sim por favor"),
        ("nl", "hij heeft donderdag een afspraak maar hij is ziek", "ach dan zeg ik die af", "ja graag"),
    ],
)
def test_what_is_cancelled_in_the_call_is_no_plan(
    opened: Opened, language: str, said: str, cancelled: str, yes: str
) -> None:
    assert opened(f"u: {said}\na: {cancelled}\nu: {yes}", language) == ()


def test_what_the_agent_has_already_is_brought_no_more(opened: Opened) -> None:
    brings = "u: La autorización la lleva hoy en la mochila."

    assert opened(f"{brings}\na: Sí, ya me la ha dado.\nu: Bien.", "es") == ()
    assert len(opened(f"{brings}\na: Sí, perfecto.\nu: Bien.", "es")) == 1


@pytest.mark.parametrize(
    ("language", "asked", "reply"),
    [
        ("en", "Can you send me the October invoice?", "Of course, to the usual address. It's gone."),
        ("de", "Könnten Sie mir die Rechnung schicken?", "Klar, an die übliche Adresse. Ist schon raus."),
        ("es", "¿Me podéis mandar la factura de octubre?", "Claro, al correo de siempre. Ya está enviada."),
        ("fr", "Vous pouvez m'envoyer la facture ?", "Bien sûr, à l'adresse habituelle. C'est parti."),
        ("it", "Mi può mandare la fattura di ottobre?", "Certo, al solito indirizzo. È già inviata."),
        ("nl", "Kunt u me de factuur sturen?", "Natuurlijk, naar het gewone adres. Is al verstuurd."),
        ("pt", "Pode mandar-me a fatura?", "Claro, para o endereço do costume. Já está enviada."),
    ],
)
def test_what_is_sent_in_the_reply_is_asked_for_no_more(
    opened: Opened, language: str, asked: str, reply: str
) -> None:
    assert opened(f"a: Hello.\nu: {asked}\na: {reply}\nu: –", language) == ()


def test_what_is_to_be_sent_is_asked_for(opened: Opened) -> None:
    assert opened("a: Hello.\nu: Can you send me the invoice?\na: Of course. She's on her way out.\nu: –")


@pytest.mark.parametrize(
    ("language", "asked", "reply"),
    [
        ("en", "Could you send me the form?", "Yes. Oh dear, it's gone. I can't find it."),
        ("en", "Could you send me the photo again?", "I'm so sorry, it's gone. I deleted everything."),
        ("en", "Could you send me the invoice?", "The last one we sent in May, I'd have to write a new one."),
        ("pt", "Pode enviar-me a fatura?", "Quem trata disso é a Ana, mas ela já saiu."),
    ],
)
def test_what_or_who_is_gone_is_not_sent(opened: Opened, language: str, asked: str, reply: str) -> None:
    assert asked in " ".join(one.text for one in opened(f"a: .\nu: {asked}\na: {reply}\nu: –", language))


@pytest.mark.parametrize(
    ("language", "asked", "reply"),
    [
        ("en", "Could you send a photo to our email?", "Already done, ten minutes ago."),
        ("de", "Können Sie uns ein Foto schicken?", "Schon passiert, vor zehn Minuten."),
        ("es", "¿Nos puede mandar una foto?", "Ya está, hace diez minutos."),
        ("fr", "Vous pouvez nous envoyer une photo ?", "C'est déjà fait, il y a dix minutes."),
        ("it", "Ci può mandare una foto?", "Già fatto, dieci minuti fa."),
        ("nl", "Kunt u ons een foto sturen?", "Al gebeurd, tien minuten geleden."),
        ("pt", "Pode enviar-nos uma fotografia?", "Já está, há dez minutos."),
    ],
)
def test_what_was_done_before_it_was_asked_is_over(
    opened: Opened, language: str, asked: str, reply: str
) -> None:
    assert opened(f"u: .\na: {asked}\nu: {reply}\na: .", language) == ()


def test_a_day_called_off_by_its_number_is_off(opened: Opened) -> None:
    said = """
        a: We have him down for the second of December for that.
        u: Leave it till the new year, would you?
        a: I'll cancel the second, so.
    """

    assert not [one for one in opened(said) if one.due == date(2026, 12, 2)]


@pytest.mark.parametrize(
    ("language", "asked", "reply"),
    [
        ("en", "Can you bring it in tomorrow?", "Not tomorrow... Or no, wait, I'm in Utrecht then. Friday?"),
        ("nl", "Kunt u hem morgen brengen?", "Morgen niet... Of nee, wacht, dan zit ik in Utrecht. Vrijdag?"),
    ],
)
def test_a_day_that_will_not_do_is_asked_for_no_more(
    opened: Opened, language: str, asked: str, reply: str
) -> None:
    found = opened(f"a: {asked}\nu: {reply}\na: .", language)

    assert not [one for one in found if one.due == date(2026, 11, 18)]


#: What somebody has, why they cannot come any more, and what the agent does about it.
OFF = {
    "en": (
        "I've got two tickets for Saturday.",
        "I can't come any more, I broke my arm.",
        "I'll cancel them and refund you.",
    ),
    "de": (
        "Ich habe zwei Karten für Samstag.",
        "Ich kann nicht mehr kommen, Arm gebrochen.",
        "Ich storniere sie.",
    ),
    "es": (
        "Tengo dos entradas para el sábado.",
        "Ya no puedo ir, me he roto el brazo.",
        "Las anulo y le devuelvo el dinero.",
    ),
    "fr": (
        "J'ai deux billets pour samedi.",
        "Je ne peux plus venir, je me suis cassé le bras.",
        "Je les annule.",
    ),
    "it": ("ho 2 biglietti x sabato", "nn posso piu venire", "Li annullo e ti rimborso."),
    "nl": ("Ik heb twee kaartjes voor zaterdag.", "Ik kan niet meer komen, arm gebroken.", "Ik annuleer ze."),
    "pt": (
        "Tenho dois bilhetes para sábado.",
        "Já não posso ir, parti o braço.",
        "Cancelo-os e devolvo-lhe o dinheiro.",
    ),
}


@pytest.mark.parametrize("language", OFF)
def test_who_can_come_no_more_has_no_plan_left_whatever_the_reason(opened: Opened, language: str) -> None:
    has, because, answer = OFF[language]
    said = f"u: {has}\na: Rigoletto.\nu: {because}\na: {answer}"

    assert [one for one in opened(said, language) if one.kind == "plan"] == []


@pytest.mark.parametrize(
    ("language", "promise", "sent"),
    [
        ("en", "I'll send you the link.", "Sent."),
        ("de", "Ich schicke Ihnen den Link.", "Geschickt."),
        ("es", "Le mando el enlace.", "Enviado."),
        ("fr", "Je vous envoie le lien.", "Envoyé."),
        ("it", "Le mando il link.", "Mandato."),
        ("nl", "Ik stuur u de link.", "Verstuurd."),
        ("pt", "Mando-lhe o link.", "Enviado."),
    ],
)
def test_what_the_agent_says_is_sent_is_promised_no_more(
    opened: Opened, language: str, promise: str, sent: str
) -> None:
    assert opened(f"a: {promise}\nu: It's my son's address.\na: {sent}", language) == ()
    assert len(opened(f"a: {promise}\nu: It's my son's address.", language)) == 1
