"""A remark settles what it says is done, or answers; what it only speaks of stays open."""

from collections.abc import Callable
from datetime import date
from zoneinfo import ZoneInfo

import pytest

from voice_server.digest.threads.changes import thread_changes
from voice_server.domain.conversation import Message
from voice_server.domain.digest import EarlierThread

Call = Callable[[str], list[Message]]
Closed = Callable[..., tuple[int, ...]]
BERLIN = ZoneInfo("Europe/Berlin")

CANDLES = EarlierThread(1, "request", "user", '"Remind me to buy the candles."')
VASE = EarlierThread(
    2,
    "promise",
    "agent",
    '"Leave it with me, I\'ll ring you."',
    around="My vase never came. Leave it with me.",
)


def test_what_a_promise_was_about_closes_it(closed: Closed) -> None:
    assert closed("a: Hello.\nu: just to say the vase arrived this morning", VASE, CANDLES) == (2,)


def test_a_promise_stays_open_while_it_is_complained_about(closed: Closed) -> None:
    assert closed("a: Hello.\nu: the vase still hasn't come", VASE) == ()


BIKES = EarlierThread(4, "question", "user", '"Do you have parking for bikes?"')


def test_a_question_is_closed_by_its_answer(closed: Closed) -> None:
    assert closed("a: Yes, there is parking for bikes behind the house.\nu: Great.", BIKES) == (4,)


PUT_OFF = {
    "en": '"How many guests will there be?" – "I don\'t know yet, I\'ll tell you next time."',
    "de": '"Wie viele Gäste kommen?" – "Das sage ich Ihnen nächste Woche."',
    "es": '"¿Cuántos invitados vienen?" – "Se lo digo la próxima vez."',
    "fr": '"Combien d\'invités seront là ?" – "Je vous le dirai la prochaine fois."',
    "it": '"Quanti invitati siete?" – "Glielo dico la prossima volta."',
    "pt": '"Quantos convidados são?" – "Digo-lhe da próxima vez."',
    "nl": '"Hoeveel gasten komen er?" – "Dat vertel ik u de volgende keer."',
}


@pytest.mark.parametrize(
    ("language", "text"),
    [
        ("en", "a: Hello.\nu: There will be thirty guests."),
        ("en", "a: How many guests are you now?\nu: Thirty."),
        ("de", "a: Hallo.\nu: Es sind dreißig Gäste."),
        ("es", "a: Hola.\nu: Son treinta invitados."),
        ("fr", "a: Bonjour.\nu: Nous avons trente invités."),
        ("it", "a: Salve.\nu: Abbiamo trenta invitati."),
        ("pt", "a: Olá.\nu: São trinta convidados."),
        ("nl", "a: Hallo.\nu: Er komen dertig gasten."),
    ],
)
def test_an_answer_put_off_is_closed_when_it_is_given(closed: Closed, language: str, text: str) -> None:
    put_off = EarlierThread(8, "promise", "user", PUT_OFF[language])

    assert closed(text, put_off, language=language) == (8,)


@pytest.mark.parametrize(
    "text",
    [
        "a: Hello.\nu: I bought the flowers.",
        "a: How many guests will there be?\nu: I still don't know.",
        "a: How many guests will there be?\nu: Maybe thirty.",
        "a: Hello.\nu: Do the guests need a ticket?",
        "a: We look forward to your guests.\nu: Thanks.",
    ],
)
def test_an_answer_put_off_stays_open_until_it_is_given(closed: Closed, text: str) -> None:
    put_off = EarlierThread(8, "promise", "user", PUT_OFF["en"])

    assert closed(text, put_off) == ()


def test_a_promise_of_the_user_is_not_kept_by_speaking_of_it(closed: Closed) -> None:
    form = EarlierThread(9, "promise", "user", '"Can you bring the form?" – "I\'ll bring it on Friday."')

    assert closed("a: Hello.\nu: I have questions about the form.", form) == ()


@pytest.mark.parametrize(
    ("language", "said"),
    [
        ("en", "I bought the tickets for Lisbon."),
        ("en", "I haven't been to Lisbon yet."),
        ("de", "Ich habe die Karten für Lisbon gekauft."),
    ],
)
def test_a_journey_ahead_is_not_over_with_what_is_done_for_it(
    closed: Closed, language: str, said: str
) -> None:
    journey = EarlierThread(1, "plan", "user", '"I\'m flying to Lisbon in December."', date(2026, 12, 18))

    assert closed(f"a: Hello.\nu: {said}", journey, language=language) == ()


@pytest.mark.parametrize(
    ("language", "promise", "said"),
    [
        ("en", "I'll send you the form for the visa.", "Thanks for the form."),
        ("de", "Ich schicke Ihnen das Formular.", "Danke für das Formular."),
        ("es", "Le enviaré el formulario.", "Gracias por el formulario."),
        ("fr", "Je vous enverrai le formulaire.", "Merci pour le formulaire."),
        ("it", "Le manderò il modulo.", "Grazie per il modulo."),
        ("pt", "Vou enviar o formulário.", "Obrigada pelo formulário."),
        ("nl", "Ik stuur u het formulier.", "Bedankt voor het formulier."),
    ],
)
def test_who_thanks_for_what_was_promised_has_it(
    closed: Closed, language: str, promise: str, said: str
) -> None:
    thread = EarlierThread(1, "promise", "agent", f'"{promise}"')

    assert closed(f"a: Hallo.\nu: {said}", thread, language=language) == (1,)


@pytest.mark.parametrize(
    ("language", "promised", "said"),
    [
        ("de", "Ich schicke Ihnen den Anmeldebogen zu.", "Der Bogen ist angekommen, danke."),
        ("nl", "Ik stuur u het inschrijfformulier.", "Het formulier is aangekomen."),
        ("it", "La richiamo domani per la sciarpa.", "Mi avete richiamato per la sciarpa."),
        ("en", "I'll check with the kennels and text you.", "you texted me about the kennels thanks"),
    ],
)
def test_a_promise_that_was_kept_is_closed_by_who_it_was_made_to(
    closed: Closed, language: str, promised: str, said: str
) -> None:
    known = EarlierThread(7, "promise", "agent", f'"{promised}"')

    assert closed(f"a: Hallo.\nu: {said}", known, language=language) == (7,)


def test_a_reminder_that_was_offered_is_closed_by_reminding(closed: Closed) -> None:
    drops = EarlierThread(
        9, "promise", "agent", '"I have to buy the drops." – "Shall I remind you next week?"'
    )

    assert closed("a: You wanted to buy the drops, just a reminder.\nu: Oh, thanks.", drops) == (9,)
    assert closed("a: Hello.\nu: I bought the drops.", drops) == (9,)
    assert closed("a: Hello.\nu: Are you open on Saturday?", drops) == ()


@pytest.mark.parametrize(
    ("language", "thread", "text"),
    [
        ("en", '"Remind me to return the drill."', "a: And the drill?\nu: Returned! He gave me figs."),
        (
            "de",
            '"Erinnern Sie mich, die Bohrmaschine zurückzugeben."',
            "a: Und die Bohrmaschine?\nu: Erledigt!",
        ),
        ("fr", '"Rappelez-moi de rendre la perceuse."', "a: Alors, la perceuse ?\nu: Rendue !"),
        ("es", '"Recuérdeme devolver el taladro."', "a: ¿Y el taladro?\nu: ¡Devuelto!"),
        ("it", '"Mi ricordi di restituire il trapano."', "a: E il trapano?\nu: Restituito!"),
        ("nl", '"Herinner me eraan de boor terug te brengen."', "a: En de boor?\nu: Teruggebracht!"),
        ("pt", '"Lembre-me de devolver o berbequim."', "a: E o berbequim?\nu: Devolvido!"),
        (
            "fr",
            '"Nous vous appellerons dès qu\'on voit le chat."',
            "u: C'est pour le chat, il est rentré tout seul !",
        ),
    ],
)
def test_a_single_word_says_that_it_is_done(closed: Closed, language: str, thread: str, text: str) -> None:
    known = EarlierThread(1, "request", "user", thread)

    assert closed(text, known, language=language) == (1,)


@pytest.mark.parametrize("said", ["I got seventy one in the anatomy exam.", "I've done two chapters of it."])
def test_an_exam_ahead_is_not_closed_by_another_or_by_study(closed: Closed, said: str) -> None:
    exam = EarlierThread(8, "plan", "user", '"Pharmacology is on the 4th."', date(2026, 12, 4))

    assert closed(f"a: How was the exam?\nu: {said}", exam) == ()


def test_in_a_long_turn_what_is_not_done_is_something_else(closed: Closed) -> None:
    said = (
        "yeah hello again the candles came thank you they are lovely and they smell of the sea only "
        "wednesday there is nobody at home because we have to take the little one to the clinic"
    )
    assert closed(f"a: hello\nu: {said}", CANDLES) == (1,)


VISIT = EarlierThread(8, "promise", "user", '"Ja, ich fahr am Samstag zu Karl-Heinz."', date(2026, 11, 14))


@pytest.mark.parametrize(
    ("answer", "closes"),
    [("Ja, ich war da.", (8,)), ("Nein, mir war nicht gut.", ()), ("Ja, noch nicht.", ())],
)
def test_who_says_yes_to_its_day_was_there(closed: Closed, answer: str, closes: tuple[int, ...]) -> None:
    text = f"a: Waren Sie am Samstag bei Karl-Heinz?\nu: {answer}"

    assert closed(text, VISIT, language="de") == closes


@pytest.mark.parametrize(
    ("language", "promised", "said"),
    [
        ("en", "I'll put a new key in the post.", "The new key fits perfectly, thanks."),
        ("de", "Ich schicke Ihnen einen neuen Link.", "Der Link hat geklappt, danke."),
        ("fr", "Je vous envoie un nouveau lien.", "Le lien a marché, merci."),
        ("es", "Le mando un enlace nuevo.", "El enlace funcionó, gracias."),
        ("it", "Le mando un link nuovo.", "Il link ha funzionato, grazie."),
        ("nl", "Ik stuur u een nieuwe link.", "De link werkte, dank u."),
        ("pt", "Mando-lhe um link novo.", "O link funcionou, obrigada."),
    ],
)
def test_what_was_to_be_sent_and_is_in_use_has_come(
    closed: Closed, language: str, promised: str, said: str
) -> None:
    sent = EarlierThread(11, "promise", "agent", f'"{promised}"')

    assert closed(f"a: Hello.\nu: {said}", sent, language=language) == (11,)


LINK = EarlierThread(11, "promise", "agent", '"I\'ll e-mail you a new link."')


@pytest.mark.parametrize(
    "said",
    [
        "The link never worked.",
        "Has the link worked for others?",
        "If the link works I'll tell you.",
    ],
)
def test_what_does_not_work_or_is_another_thing_keeps_a_promise_open(closed: Closed, said: str) -> None:
    assert closed(f"a: Hello.\nu: {said}", LINK) == ()


def test_what_is_done_counts_though_something_else_will_be(closed: Closed) -> None:
    ticket = EarlierThread(13, "promise", "user", '"I\'ll buy the ticket and tell you."')

    assert closed("u: I've bought the ticket, the train gets in at nine.", ticket) == (13,)


@pytest.mark.parametrize(
    ("promised", "said"),
    [
        ("I'll send the engineer about the heating on Friday.", "The heating works in the kitchen only."),
        ("I'll call your daughter tomorrow.", "My daughter works in Leeds."),
        (
            "We'll send you the quote for the boiler.",
            "The boiler works again, but I'm waiting for your quote.",
        ),
        ("I'll ask the doctor about your tablets.", "The tablets worked well."),
        ("I'll send you the form tomorrow.", "I'm calling about the parking permit form, thanks."),
        ("I'll send you the form tomorrow.", "You don't have to send anything else."),
    ],
)
def test_what_only_speaks_of_the_same_keeps_a_promise_open(closed: Closed, promised: str, said: str) -> None:
    thread = EarlierThread(15, "promise", "agent", f'"{promised}"')

    assert closed(f"a: Hello.\nu: {said}", thread) == ()


def test_what_one_did_get_round_to_is_done_though_the_agent_calls_it_it(closed: Closed) -> None:
    thread = EarlierThread(9, "promise", "user", '"ill ring my sister shes in cork"')

    assert closed("a: So, did you get round to it?\nu: i did yeah", thread) == (9,)
    assert closed("a: So, did you get round to it?\nu: not yet", thread) == ()


def test_what_was_to_be_sent_has_come_when_all_works(closed: Closed) -> None:
    link = EarlierThread(9, "promise", "agent", '"Le mando un link per cambiarla."')

    assert closed("a: Sì?\nu: Salve, ora funziona tutto.", link, language="it") == (9,)


def test_what_was_said_before_two_promises_means_the_first_of_them(closed: Closed) -> None:
    around = "The boiler's dead."
    boiler = EarlierThread(32, "promise", "agent", '"I\'ll have somebody with you."', around=around)
    joiner = EarlierThread(
        33, "promise", "agent", '"I\'ll get the joiner."', around=f"{around} The door sticks."
    )

    assert closed("a: Hello.\nu: The boiler's been fixed.", boiler, joiner) == (32,)
    assert closed("a: Hello.\nu: The door's been fixed.", boiler, joiner) == (33,)


@pytest.mark.parametrize(
    ("language", "wish", "asked", "said"),
    [
        (
            "en",
            "Remind me of the form for the camp.",
            "How's the form?",
            "I popped it through the letterbox.",
        ),
        (
            "de",
            "Erinnern Sie mich an die Anmeldung.",
            "Wie steht's mit der Anmeldung?",
            "Die hab ich eingeworfen.",
        ),
        ("es", "Recuérdeme lo del formulario.", "¿Y el formulario?", "Lo eché ayer en el buzón."),
        ("fr", "Rappelez-moi le formulaire.", "Et le formulaire ?", "Je l'ai glissé dans la boîte hier."),
        ("it", "Mi ricordi il modulo del campo.", "E il modulo?", "L'ho imbucato ieri."),
        ("nl", "Herinner me aan het formulier.", "En het formulier?", "Dat heb ik in de bus gegooid."),
        ("pt", "Lembre-me do formulário.", "E o formulário?", "Deixei-o ontem na caixa."),
    ],
)
def test_who_is_asked_about_it_and_has_done_something_to_it_has_kept_it(
    closed: Closed, language: str, wish: str, asked: str, said: str
) -> None:
    thread = EarlierThread(36, "request", "user", f'"{wish}"')

    assert closed(f"a: {asked}\nu: {said}", thread, language=language) == (36,)


@pytest.mark.parametrize(
    "said", ["I picked the first ones yesterday.", "I forgot it again.", "I burnt it again."]
)
def test_who_is_asked_about_it_and_did_something_else_has_not_kept_it(closed: Closed, said: str) -> None:
    thread = EarlierThread(37, "request", "user", '"Remind me to water the tomatoes."')

    assert closed(f"a: How are the tomatoes?\nu: {said}", thread) == ()


@pytest.mark.parametrize(
    ("language", "promised", "said"),
    [
        ("en", "I'll refund the twelve pounds.", "Twelve pounds arrived, thanks."),
        ("de", "Ich überweise Ihnen die zwölf Euro.", "Die zwölf Euro sind angekommen."),
        ("es", "Le devuelvo los doce euros.", "Los doce euros han llegado."),
        ("fr", "Je vous rembourse les douze euros.", "Les douze euros sont arrivés."),
        ("it", "Le rimborso i dodici euro.", "I dodici euro sono arrivati."),
        ("nl", "Ik stort de twaalf euro terug.", "De twaalf euro is binnen."),
        ("pt", "Devolvo-lhe os doze euros.", "Os doze euros chegaram."),
    ],
)
def test_a_sum_that_has_arrived_is_the_one_that_was_promised(
    closed: Closed, language: str, promised: str, said: str
) -> None:
    thread = EarlierThread(42, "promise", "agent", f'"{promised}"')

    assert closed(f"a: Hm.\nu: {said}", thread, language=language) == (42,)


@pytest.mark.parametrize(
    "said",
    [
        "The twelve pounds haven't arrived.",
        "Ten pounds arrived.",
        "I paid twelve pounds.",
        "I sent twelve pounds.",
    ],
)
def test_another_sum_or_one_that_has_not_arrived_closes_nothing(closed: Closed, said: str) -> None:
    thread = EarlierThread(43, "promise", "agent", '"I\'ll refund the twelve pounds."')

    assert closed(f"a: Hm.\nu: {said}", thread) == ()


_GUTTER = {
    "en": ("I'll send somebody about the gutter and ring you.", "I rang last week about the gutter."),
    "de": ("Ich schicke jemanden wegen der Dachrinne.", "Ich habe neulich wegen der Dachrinne angerufen."),
    "fr": ("Je vous envoie quelqu'un pour la gouttière.", "J'ai déjà appelé pour la gouttière."),
    "es": ("Le mando a alguien por el canalón.", "Ya llamé por el canalón la semana pasada."),
    "it": ("Le mando qualcuno per la grondaia.", "Ho già chiamato ieri per la grondaia."),
    "nl": ("Ik stuur iemand voor de dakgoot.", "Ik heb vorige week gebeld over de dakgoot."),
    "pt": ("Mando alguém por causa da caleira.", "Já liguei ontem por causa da caleira."),
}


@pytest.mark.parametrize("language", _GUTTER)
def test_who_rang_about_what_was_promised_has_not_had_it(closed: Closed, language: str) -> None:
    promised, said = _GUTTER[language]
    thread = EarlierThread(44, "promise", "agent", f'"{promised}"')

    assert closed(f"a: Hm.\nu: {said}", thread, language=language) == ()


@pytest.mark.parametrize(
    "said", ["I've got a question about the gutter.", "I spoke to your colleague about the gutter."]
)
def test_to_speak_of_a_matter_once_more_closes_nothing(closed: Closed, said: str) -> None:
    thread = EarlierThread(45, "promise", "agent", '"I\'ll have the gutter fixed."')

    assert closed(f"a: Hm.\nu: {said}", thread) == ()


@pytest.mark.parametrize(
    "said", ["I rang the council about the gutter.", "I asked about the gutter, it's theirs."]
)
def test_who_promised_to_ask_has_done_so_by_asking(closed: Closed, said: str) -> None:
    thread = EarlierThread(46, "promise", "user", '"I\'ll ask the council about the gutter."')

    assert closed(f"a: Hm.\nu: {said}", thread) == (46,)


@pytest.mark.parametrize(
    ("language", "promised", "said"),
    [
        ("en", "I'll send you the photos tonight.", "I've only sent half the photos."),
        ("de", "Ich schicke Ihnen die Fotos.", "Ich habe erst eins von den Fotos geschickt."),
        ("fr", "Je vous envoie les photos.", "Je n'ai envoyé qu'une des photos."),
        ("es", "Le mando las fotos.", "Solo he mandado una de las fotos."),
        ("it", "Le mando le foto.", "Ho mandato solo una delle foto."),
        ("nl", "Ik stuur u de foto's.", "Ik heb maar een van de foto's gestuurd."),
        ("pt", "Mando-lhe as fotografias.", "Só mandei uma das fotografias."),
    ],
)
def test_what_is_done_in_part_stays_open(closed: Closed, language: str, promised: str, said: str) -> None:
    thread = EarlierThread(47, "promise", "user", f'"{promised}"')

    assert closed(f"a: Hm.\nu: {said}", thread, language=language) == ()


def test_a_yes_to_what_the_user_tells_answers_no_question(closed: Closed) -> None:
    thread = EarlierThread(48, "promise", "user", '"Chiamo il comune per l\'albero."')
    talk = "u: Non sono riuscito a parlare con il comune.\na: Va bene, non c'è problema."

    assert closed(talk, thread, language="it") == ()


@pytest.mark.parametrize(
    ("language", "promised", "text"),
    [
        ("en", "I'll send someone about the boiler.", "Pete's been. Thing is, he'd brought the wrong pump."),
        ("en", "I'll post you the form.", "I got the form, but it's somebody else's."),
        ("de", "Ich schicke Ihnen das Formular.", "Das Formular ist da. Es ist nicht das richtige."),
        ("fr", "Je vous envoie l'attestation.", "J'ai reçu l'attestation. Sauf que c'est écrit Noémie."),
    ],
)
def test_what_came_and_is_wrong_keeps_no_promise(
    closed: Closed, language: str, promised: str, text: str
) -> None:
    known = EarlierThread(1, "promise", "agent", f'"{promised}"')

    assert closed(f"a: Hello.\nu: {text}", known, language=language) == ()


@pytest.mark.parametrize(
    ("language", "promised", "asked", "told"),
    [
        (
            "en",
            "I'll ask about the car and ring you.",
            "You were going to ring about the car.",
            "You get the Polo.",
        ),
        (
            "de",
            "Ich frage wegen dem Leihwagen und melde mich.",
            "Sie wollten sich melden wegen dem Leihwagen.",
            "Sie kriegen den Polo.",
        ),
        (
            "fr",
            "Je demande pour la voiture et je vous rappelle.",
            "Vous deviez me rappeler pour la voiture.",
            "Vous aurez la Clio.",
        ),
    ],
)
def test_who_is_told_at_last_waits_no_more(
    closed: Closed, language: str, promised: str, asked: str, told: str
) -> None:
    known = EarlierThread(1, "promise", "agent", f'"{promised}"')

    assert closed(f"a: .\nu: {asked}\na: {told}", known, language=language) == (1,)
    assert closed(f"a: .\nu: {asked}\na: ?", known, language=language) == ()


@pytest.mark.parametrize(
    ("language", "daily", "asked", "answer"),
    [
        ("en", "Remind me of the tablets every morning.", "Have you taken the tablets?", "Yes, I have."),
        ("de", "Erinnere mich jeden Morgen an die Tabletten.", "Haben Sie die Tabletten genommen?", "Ja."),
        ("es", "Recuérdame las pastillas todos los días.", "¿Ha tomado las pastillas?", "Sí, claro."),
        ("fr", "Rappelle-moi les cachets tous les jours.", "Vous avez pris les cachets ?", "Oui, oui."),
        ("it", "Ricordami le pastiglie tutti i giorni.", "Ha preso le pastiglie?", "Sì, certo."),
        ("pt", "Lembra-me dos comprimidos todos os dias.", "Já tomou os comprimidos?", "Sim, já."),
        ("nl", "Herinner me elke dag aan de tabletten.", "Heeft u de tabletten al genomen?", "Ja hoor."),
    ],
)
def test_what_is_done_once_of_a_series_leaves_the_rest(
    closed: Closed, language: str, daily: str, asked: str, answer: str
) -> None:
    known = EarlierThread(1, "request", "user", f'"{daily}"')

    assert closed(f"a: {asked}\nu: {answer}", known, language=language) == ()


@pytest.mark.parametrize(("answer", "ids"), [("i did yeah", (1,)), ("no not yet", ())], ids=["yes", "no"])
def test_the_caller_may_ask_whether_it_is_done(closed: Closed, answer: str, ids: tuple[int, ...]) -> None:
    link = EarlierThread(1, "promise", "agent", '"thats a ten pound deposit ill text you the link"')

    assert closed(f"a: hi\nu: yeah perfect did you get my deposit\na: {answer}", link) == ids


@pytest.mark.parametrize(
    ("language", "promised", "asked", "answer", "settles"),
    [
        ("de", "Ich überweise die Anzahlung.", "Und die Anzahlung ist angekommen?", "Ja, vielen Dank.", True),
        ("en", "I'll pay the deposit tonight.", "And the deposit went through?", "It did, thanks.", True),
        ("es", "Pago la señal esta noche.", "¿La señal les llegó?", "Sí, gracias.", True),
        ("fr", "Je paie l'acompte ce soir.", "Et l'acompte est bien arrivé ?", "Oui, merci.", True),
        ("it", "Pago la caparra stasera.", "La caparra vi è arrivata?", "Sì.", True),
        ("nl", "Ik betaal de aanbetaling.", "Is de aanbetaling binnen?", "Ja hoor.", True),
        (
            "en",
            "I'll pay the deposit tonight.",
            "And the deposit went through?",
            "Not yet, I'm afraid.",
            False,
        ),
        ("en", "I'll pay the deposit tonight.", "So the deposit was too high?", "Yes, sorry.", False),
        ("fr", "Je paie l'acompte ce soir.", "Et l'acompte est bien arrivé ?", "Non, pas encore.", False),
    ],
)
def test_a_yes_to_a_question_by_tone_keeps_a_promise(
    call: Call, language: str, promised: str, asked: str, answer: str, *, settles: bool
) -> None:
    known = EarlierThread(1, "promise", "user", f'"{promised}"', date(2026, 11, 16))
    changes = thread_changes(call(f"u: {asked}\na: {answer}"), language, BERLIN, open_before=[known])
    assert (changes.closes == (1,)) is settles


@pytest.mark.parametrize(
    ("language", "promised", "text"),
    [
        (
            "de",
            "ok ich hol einen gutschein",
            "u: geht der gutschein am telefon\na: Ja, vierzig Euro. Erledigt.",
        ),
        ("en", "i'll get a voucher", "u: i forgot the voucher can i do it by phone\na: Yes, forty. Done."),
        ("es", "compro un bono cuando vaya", "u: ¿el bono puede ser por teléfono?\na: Sí, cuarenta. Hecho."),
    ],
)
def test_what_is_done_on_the_spot_is_owed_no_more(
    closed: Closed, language: str, promised: str, text: str
) -> None:
    known = EarlierThread(1, "promise", "user", f'"{promised}"')
    assert closed(text, known, language=language) == (1,)


def test_what_is_only_noted_is_still_owed(closed: Closed) -> None:
    known = EarlierThread(1, "promise", "user", '"I\'ll get a voucher when I come in."')
    assert closed("u: Can you keep the voucher until Friday?\na: Yes. Noted.", known) == ()


def test_a_message_about_something_does_not_keep_its_promise(closed: Closed) -> None:
    known = EarlierThread(1, "promise", "user", '"I\'ll pay the deposit tonight."')
    assert closed("u: You got my message about the deposit?\na: Yes.", known) == ()


SIGNED_UP = [
    ("en", "have you signed up yet", "i'll do that this week",
     "good and i've signed up too it wasn't that expensive", "i haven't signed up yet"),
    ("de", "hast du dich angemeldet", "das mach ich diese woche",
     "gut und angemeldet hab ich mich auch war gar nicht so teuer", "angemeldet hab ich mich noch nicht"),
    ("es", "ya te has apuntado al coro", "lo hago esta semana",
     "bien y me he apuntado al coro no era tan caro", "no me he apuntado al coro todavía"),
    ("fr", "tu t'es inscrite à la chorale", "je le fais cette semaine",
     "bien et je me suis inscrite à la chorale c'était pas si cher", "je me suis pas inscrite à la chorale"),
    ("it", "ti sei già iscritta", "lo faccio questa settimana",
     "bene e mi sono iscritta non era così caro", "non mi sono ancora iscritta"),
    ("nl", "heb je je ingeschreven", "dat doe ik deze week",
     "goed en ik heb me ingeschreven was niet zo duur", "ik heb me nog niet ingeschreven"),
    ("pt", "já te inscreveste", "faço isso esta semana",
     "bem e me inscrevi não foi assim tão caro", "ainda não me inscrevi"),
]  # fmt: skip


@pytest.mark.parametrize(("language", "asked", "promised", "said", "denied"), SIGNED_UP)
def test_who_has_signed_up_need_not_any_more(
    closed: Closed, language: str, asked: str, promised: str, said: str, denied: str
) -> None:
    text = f'"{asked}" – "{promised}"'
    known = EarlierThread(1, "promise", "user", text, date(2026, 11, 15), text)

    assert closed(f"a: hallo\nu: {said}", known, language=language) == (1,)
    assert closed(f"a: hallo\nu: {denied}", known, language=language) == ()


@pytest.mark.parametrize(
    ("language", "promised", "found", "still_open", "another"),
    [
        (
            "en",
            "I'll get a roofer to quote for that and let you know.",
            "The roofer can come on Friday at nine, does that work?",
            "The roofer hasn't got back to me, I'll ring him on Friday.",
            "The electrician can come on Friday at nine.",
        ),
        (
            "de",
            "Ich lasse einen Dachdecker ein Angebot machen und melde mich dann.",
            "Der Dachdecker kann am Freitag um neun kommen, passt das?",
            "Der Dachdecker hat sich noch nicht gemeldet, ich rufe ihn am Freitag an.",
            "Der Elektriker kann am Freitag um neun kommen.",
        ),
        (
            "es",
            "Le pido presupuesto a un techador y le digo algo.",
            "El techador puede ir el viernes a las nueve, ¿le va bien?",
            "El techador no me ha contestado, le llamo el viernes.",
            "El electricista puede ir el viernes a las nueve.",
        ),
        (
            "fr",
            "Je demande un devis à un couvreur et je reviens vers vous.",
            "Le couvreur peut passer vendredi à neuf heures, ça vous va ?",
            "Le couvreur ne m'a pas répondu, je l'appelle vendredi.",
            "L'électricien peut passer vendredi à neuf heures.",
        ),
        (
            "it",
            "Chiedo un preventivo a un lattoniere e le faccio sapere.",
            "Il lattoniere può venire venerdì alle nove, va bene?",
            "Il lattoniere non mi ha risposto, lo chiamo venerdì.",
            "L'elettricista può venire venerdì alle nove.",
        ),
        (
            "nl",
            "Ik laat een dakdekker een offerte maken en dan hoort u van mij.",
            "De dakdekker kan vrijdag om negen uur komen, past dat?",
            "De dakdekker heeft nog niet gereageerd, ik bel hem vrijdag.",
            "De elektricien kan vrijdag om negen uur komen.",
        ),
        (
            "pt",
            "Peço um orçamento a um telhador e depois digo-lhe alguma coisa.",
            "O telhador pode ir na sexta às nove, dá-lhe jeito?",
            "O telhador não me respondeu, ligo-lhe na sexta.",
            "O eletricista pode ir na sexta às nove.",
        ),
    ],
    ids=["en", "de", "es", "fr", "it", "nl", "pt"],
)
def test_whoever_the_agent_was_to_get_is_got_once_they_can_come(
    is_over: Callable[..., bool], language: str, promised: str, found: str, still_open: str, another: str
) -> None:
    assert is_over(language, promised, f"u: Hi.\na: {found}", said_by="agent")
    assert not is_over(language, promised, f"u: Hi.\na: {still_open}", said_by="agent")
    assert not is_over(language, promised, f"u: Hi.\na: {another}", said_by="agent")


@pytest.mark.parametrize(
    ("language", "promised", "said"),
    [
        ("en", "We'll give you your money back.", "The refund's arrived."),
        ("de", "Wir überweisen Ihnen das Geld zurück.", "Die Rückerstattung ist da."),
        ("es", "Te devolvemos el dinero.", "Ya me ha llegado el reembolso."),
        ("fr", "On vous rembourse.", "Le remboursement est arrivé."),
        ("it", "La rimborsiamo.", "Il rimborso è arrivato."),
        ("pt", "Reembolsamos o valor.", "O reembolso já chegou."),
        ("nl", "We storten het bedrag terug.", "De terugbetaling is binnen."),
    ],
)
def test_a_refund_that_came_is_the_one_promised(
    closed: Closed, language: str, promised: str, said: str
) -> None:
    known = EarlierThread(1, "promise", "agent", f'"{promised}"')

    assert closed(f"a: Hello.\nu: {said}\na: –", known, language=language) == (1,)


@pytest.mark.parametrize(
    "said", ["The refund hasn't arrived.", "The parcel's arrived.", "I paid the refund fee."]
)
def test_a_refund_stays_promised_until_it_is_there(closed: Closed, said: str) -> None:
    known = EarlierThread(1, "promise", "agent", '"We\'ll give you your money back."')

    assert closed(f"a: Hello.\nu: {said}\na: –", known) == ()


@pytest.mark.parametrize(
    ("language", "promised", "said"),
    [
        ("es", "Te devolvemos el dinero.", "Me ingresaron ayer en el hospital."),
        ("it", "La rimborsiamo.", "Ho fatto il bonifico."),
        ("de", "Wir zahlen Ihnen das Geld zurück.", "Ich hab die Überweisung gemacht."),
        ("en", "We'll give you your fifteen pounds back.", "I've done the transfer."),
        ("en", "We'll give you your fifteen pounds back.", "Only ten pounds of the refund arrived."),
        ("en", "We'll give you your fifteen pounds back.", "The refund came but only half."),
        ("en", "We'll give you your fifteen pounds back.", "I got the refund email."),
    ],
)
def test_ones_own_transfer_or_a_part_is_no_refund(
    closed: Closed, language: str, promised: str, said: str
) -> None:
    known = EarlierThread(1, "promise", "agent", f'"{promised}"', None, promised)

    assert closed(f"a: Hello.\nu: {said}", known, language=language) == ()
