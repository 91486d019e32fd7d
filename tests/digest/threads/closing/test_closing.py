"""A later conversation closes what it says is done, off or moved; and nothing else."""

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
TABLE = EarlierThread(3, "plan", "agent", '"You\'re down for Friday at seven."', date(2026, 11, 20))
BIKES = EarlierThread(4, "question", "user", '"Do you have parking for bikes?"')


@pytest.mark.parametrize(
    "text",
    [
        "a: Hello.\nu: I bought the candles yesterday.",
        "a: Did you get the candles?\nu: yes i bought them",
        "a: Have you bought the candles yet?\nu: Yes, all fine.",
        "a: You wanted to buy the candles, just a reminder.\nu: Oh, thanks.",
        "a: Hello.\nu: I don't need the candles any more.",
    ],
)
def test_a_request_is_closed_when_it_is_done_or_off(closed: Closed, text: str) -> None:
    assert closed(text, CANDLES, TABLE) == (1,)


@pytest.mark.parametrize(
    "text",
    [
        "a: Have you bought the candles yet?\nu: No, not yet.",
        "a: Hello.\nu: I forgot to buy the candles.",
        "a: Hello.\nu: I bought some bread.",
        "a: The candles are lovely.\nu: I like candles.",
        "a: Hello.\nu: When I've bought the candles I'll tell you.",
    ],
)
def test_a_request_stays_open_when_it_is_not_done(closed: Closed, text: str) -> None:
    assert closed(text, CANDLES) == ()


def test_what_a_promise_was_about_closes_it(closed: Closed) -> None:
    assert closed("a: Hello.\nu: just to say the vase arrived this morning", VASE, CANDLES) == (2,)


def test_a_promise_stays_open_while_it_is_complained_about(closed: Closed) -> None:
    assert closed("a: Hello.\nu: the vase still hasn't come", VASE) == ()


@pytest.mark.parametrize(
    "text",
    [
        "a: I'm afraid the kitchen burnt down, so Friday's off.\nu: Oh no.",
        "a: Hello.\nu: They've moved it.",
        "a: Hello.\nu: Can I cancel it? I mean, please cancel.",
    ],
)
def test_an_appointment_is_closed_by_what_calls_it_off_or_moves_it(closed: Closed, text: str) -> None:
    assert closed(text, TABLE) == (3,)


@pytest.mark.parametrize(
    ("answer", "ids"), [("Of course, it's moved.", (3,)), ("I'm afraid not.", ())], ids=["granted", "refused"]
)
def test_a_wish_to_move_an_appointment_counts_when_it_is_granted(
    closed: Closed, answer: str, ids: tuple[int, ...]
) -> None:
    assert closed(f"u: Could we change Friday at seven to Saturday?\na: {answer}", TABLE) == ids


def test_of_two_appointments_nobody_knows_which_was_moved(closed: Closed) -> None:
    other = EarlierThread(5, "plan", "user", '"My exam is on the 3rd of December."', date(2026, 12, 3))

    assert closed("a: Hello.\nu: They've moved it.", TABLE, other) == ()


def test_an_appointment_that_is_past_is_not_the_one_that_was_moved(closed: Closed) -> None:
    past = EarlierThread(6, "plan", "agent", '"You\'re down for Monday at seven."', date(2026, 11, 16))

    assert closed("a: Hello.\nu: They've moved it.", past) == ()


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


def test_what_is_promised_anew_is_open_once(closed: Closed) -> None:
    recipe = EarlierThread(7, "promise", "agent", '"I\'ll send you the plum cake recipe."')

    assert closed("u: Hi.\na: I'll send you the plum cake recipe tomorrow.", recipe) == (7,)


@pytest.mark.parametrize(
    ("language", "thread", "text"),
    [
        ("de", "Erinnern Sie mich an die Kerzen.", "a: Haben Sie die Kerzen schon gekauft?\nu: Ja, gestern."),
        ("es", "Recuérdame que compre las velas.", "a: Hola.\nu: Ya compré las velas."),
        ("fr", "Rappelez-moi d'acheter les bougies.", "a: Bonjour.\nu: J'ai acheté les bougies hier."),
        ("it", "Mi ricordi di comprare le candele.", "a: Salve.\nu: Ho comprato le candele ieri."),
        ("pt", "Lembre-me de comprar as velas.", "a: Olá.\nu: Já comprei as velas."),
        ("nl", "Herinner me aan de kaarsen.", "a: Hallo.\nu: Ik heb de kaarsen gisteren gekocht."),
        ("de", "Der Tisch ist für Freitag reserviert.", "a: Hallo.\nu: Den Tisch brauchen wir nicht mehr."),
        (
            "es",
            "La mesa queda reservada para el viernes.",
            "a: Hola.\nu: Ya no necesito la mesa del viernes.",
        ),
        (
            "fr",
            "La table est réservée pour vendredi.",
            "a: Bonjour.\nu: Finalement on n'a plus besoin de la table.",
        ),
        ("it", "Il tavolo è prenotato per venerdì.", "a: Salve.\nu: Il tavolo non serve più."),
        ("pt", "A mesa está reservada para sexta.", "a: Olá.\nu: Afinal já não preciso da mesa."),
        ("nl", "De tafel is gereserveerd voor vrijdag.", "a: Hallo.\nu: De tafel hebben we niet meer nodig."),
    ],
)
def test_a_thread_is_closed_in_its_language(closed: Closed, language: str, thread: str, text: str) -> None:
    assert closed(text, EarlierThread(1, "request", "user", f'"{thread}"'), language=language) == (1,)


@pytest.mark.parametrize(
    ("language", "plan", "said"),
    [
        ("en", "I've got the dentist on Thursday.", "The dentist called, they can't do Thursday."),
        ("en", "We're having dinner with the Wilsons on Thursday.", "The Wilsons had to pull out of dinner."),
        ("en", "I'll call the landlord on Thursday.", "All sorted with the landlord."),
        ("en", "I'm taking Milo to the vet on Thursday.", "I've been to the vet with Milo already."),
        (
            "de",
            "Ich muss am Donnerstag zum Zahnarzt.",
            "Der Zahnarzt hat angerufen, die können Donnerstag nicht.",
        ),
        ("de", "Am Donnerstag muss ich zum Arzt.", "Ich war schon beim Arzt."),
        ("es", "El jueves voy al médico por la rodilla.", "Ya fui al médico."),
        ("fr", "Jeudi je vais chez le médecin.", "Je suis déjà allée chez le médecin."),
        ("fr", "Jeudi on dîne chez les Martin.", "Le dîner chez les Martin n'aura pas lieu."),
        ("it", "Giovedì vado dal medico.", "Sono già stata dal medico."),
        ("pt", "Quinta-feira vou ao médico.", "Já fui ao médico."),
        ("nl", "Donderdag ga ik naar de dokter.", "Ik ben al bij de dokter geweest."),
    ],
)
def test_an_appointment_that_was_kept_or_fell_through_is_closed(
    closed: Closed, language: str, plan: str, said: str
) -> None:
    thread = EarlierThread(1, "plan", "user", f'"{plan}"', date(2026, 11, 19))

    assert closed(f"a: Hallo.\nu: {said}", thread, language=language) == (1,)


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


def test_a_promise_to_ask_is_closed_by_the_answer(closed: Closed) -> None:
    cellar = EarlierThread(
        8, "promise", "agent", '"Does the cellar have a window?" – "I\'ll ask the owner and ring you."'
    )

    assert closed("a: The owner says the cellar has no window.\nu: Pity.", cellar) == (8,)


def test_without_phrases_of_the_language_nothing_is_closed(closed: Closed) -> None:
    assert closed("a: Hello.\nu: I bought the candles.", CANDLES, language="fi") == ()


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


def test_the_week_in_brackets_is_nothing_that_a_thread_is_about(closed: Closed) -> None:
    known = EarlierThread(7, "promise", "agent", '"I\'ll post it next week (week of 23 November 2026)."')

    assert closed("a: Hello.\nu: we paid the November rent", known, CANDLES) == ()


CALL_BACK = {
    "en": "I'll call you back.",
    "de": "Ich rufe Sie zurück.",
    "es": "La llamo más tarde.",
    "fr": "Je vous rappelle plus tard.",
    "it": "La richiamo più tardi.",
    "pt": "Ligo mais tarde.",
    "nl": "Ik bel u later terug.",
}


def call_back(said: str, due: date | None = None) -> EarlierThread:
    return EarlierThread(9, "promise", "user", f'"{said}"', due)


@pytest.mark.parametrize("language", CALL_BACK)
def test_who_promised_to_call_back_and_calls_has_kept_it(closed: Closed, language: str) -> None:
    text = "a: Salon Mira.\nu: Mira?"

    assert closed(text, call_back(CALL_BACK[language]), language=language) == (9,)


def test_a_call_back_is_kept_on_its_day_or_later_and_not_before(closed: Closed) -> None:
    text = "a: Hello.\nu: Are you open on Saturday?"

    assert closed(text, call_back("I'll call you again tomorrow.", date(2026, 11, 18))) == ()
    assert closed(text, call_back("I'll call you again tomorrow.", date(2026, 11, 17))) == (9,)


def test_a_call_back_about_something_is_kept_when_it_is_spoken_of(closed: Closed) -> None:
    about_the_boiler = call_back("I'll call you back about the boiler.")

    assert closed("a: Hello.\nu: Are you open on Saturday?", about_the_boiler) == ()
    assert closed("a: Hello.\nu: It's about the boiler again.", about_the_boiler) == (9,)


def test_who_promised_to_call_and_writes_has_not_called(call: Call) -> None:
    messages = call("a: Hello.\nu: Are you open on Saturday?")

    changes = thread_changes(
        messages, "en", BERLIN, open_before=[call_back("I'll call you back.")], is_call=False
    )

    assert changes.closes == ()


@pytest.mark.parametrize("said", ["I'll call my doctor.", "I'll send you the form."])
def test_another_promise_is_not_kept_by_calling(closed: Closed, said: str) -> None:
    assert closed("a: Hello.\nu: Are you open on Saturday?", call_back(said)) == ()


def test_that_the_agent_calls_back_is_not_kept_by_a_call_of_the_user(closed: Closed) -> None:
    by_agent = EarlierThread(9, "promise", "agent", '"I\'ll call you back."')

    assert closed("a: Hello.\nu: Are you open on Saturday?", by_agent) == ()


def test_a_name_by_which_they_greet_each_other_is_nothing_that_a_thread_is_about(closed: Closed) -> None:
    vase = EarlierThread(
        9,
        "promise",
        "agent",
        '"I\'ll call you back."',
        around="Hello Robin, Claire here. I'll call you back.",
    )

    assert closed("a: Harbor Physio.\nu: Hello Robin, I got the results.", vase) == ()


def test_a_reminder_that_was_offered_is_closed_by_reminding(closed: Closed) -> None:
    drops = EarlierThread(
        9, "promise", "agent", '"I have to buy the drops." – "Shall I remind you next week?"'
    )

    assert closed("a: You wanted to buy the drops, just a reminder.\nu: Oh, thanks.", drops) == (9,)
    assert closed("a: Hello.\nu: I bought the drops.", drops) == (9,)
    assert closed("a: Hello.\nu: Are you open on Saturday?", drops) == ()


@pytest.mark.parametrize(
    ("said", "closes"), [("I can't come tomorrow, I'm ill.", (9,)), ("See you tomorrow.", ())]
)
def test_what_is_called_off_by_its_day_is_found_by_another_name_of_it(
    closed: Closed, said: str, closes: tuple[int, ...]
) -> None:
    session = EarlierThread(9, "plan", "agent", '"Until Wednesday the 18th."', date(2026, 11, 18))

    assert closed(f"a: Hello.\nu: {said}", session, TABLE) == closes


def test_an_appointment_for_which_another_time_is_offered_gives_way(closed: Closed) -> None:
    said = """
        u: can i move my table though my sister's put the rehearsal on the friday
        a: i can do wednesday the second at half past four
        u: wednesday the second at half past four lovely
    """
    assert closed(said, TABLE) == (3,)


@pytest.mark.parametrize(
    "said",
    ["will do and forget about the candles my wife's put her foot down", "i don't want the candles any more"],
)
def test_what_is_wished_for_no_more_is_closed(closed: Closed, said: str) -> None:
    assert closed(f"a: hello\nu: {said}\na: fair enough no candles then", CANDLES) == (1,)


@pytest.mark.parametrize(
    "text",
    [
        "a: Two ducks?\nu: Fine. But make it Saturday then, after five.\na: Two ducks, Saturday after five.",
        "a: There are gales coming, so Friday's a no. Would Saturday do?\nu: Saturday, okay.",
    ],
)
def test_another_day_in_a_call_that_named_none_takes_the_old_ones_place(closed: Closed, text: str) -> None:
    assert closed(text, TABLE) == (3,)


@pytest.mark.parametrize(
    "text",
    [
        "u: My son needs one, too. Make it Saturday at five.\na: Saturday at five, done.",
        "u: I'd like bread.\na: How many?\nu: Make it three.\na: Three, done.",
    ],
)
def test_what_is_for_somebody_else_or_of_something_else_moves_nothing(closed: Closed, text: str) -> None:
    assert closed(text, TABLE) == ()


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


NINTH = EarlierThread(
    10, "plan", "user", '"How about the 9th of December, at eleven?" – "Eleven\'s fine."', date(2026, 12, 9)
)


@pytest.mark.parametrize(
    "text",
    [
        "a: She's off that week. Could we do the 16th instead?\nu: The 16th of December? Yes, I can do that.",
        "a: Hello.\nu: I have to cancel.\na: Thursday the third at ten?\nu: Yes, Thursday at ten.",
    ],
)
def test_an_appointment_gives_way_to_the_other_one_that_is_agreed_on(closed: Closed, text: str) -> None:
    assert closed(text, NINTH, VASE) == (10,)


@pytest.mark.parametrize(
    ("language", "thread", "text"),
    [
        (
            "es",
            '"Sí, la tenemos el 26 de noviembre a las diez." – "Perfecto, allí estaremos."',
            (
                "a: El banco no llega, hay que pasar la firma al 1 de diciembre.\n"
                "u: Vale. Iré con mi mujer, que firma también.\n"
                "a: Les esperamos el 1 de diciembre."
            ),
        ),
        (
            "en",
            '"I\'ve put you in room 4, Friday the 27th to Sunday the 29th of November."',
            (
                "a: Harbour View.\n"
                "u: I'm sorry, we'd have to come a week later. The fourth of December instead.\n"
                "a: No trouble. So Friday the 4th to Sunday the 6th of December?\n"
                "u: Yes please."
            ),
        ),
        (
            "it",
            '"volevo prenotare per giovedì sera"',
            (
                "a: pizzeria da nino\n"
                "u: dobbiamo spostare a venerdì perché il bambino ha la recita\n"
                "a: venerdì venti alle otto non ho posto ho alle nove\n"
                "u: alle nove va bene lo stesso"
            ),
        ),
    ],
)
def test_the_one_appointment_gives_way_whoever_moves_it(
    closed: Closed, language: str, thread: str, text: str
) -> None:
    known = EarlierThread(3, "plan", "agent" if language != "it" else "user", thread, date(2026, 11, 26))

    assert closed(text, known, language=language) == (3,)


def test_a_delivery_that_was_promised_gives_way_to_its_new_day(closed: Closed) -> None:
    promised = EarlierThread(
        9, "promise", "agent", '"We\'ll bring it back on the 20th of November."', date(2026, 11, 20)
    )
    text = "a: The velvet's come late, so it'll be the 27th of November now.\nu: The 27th then."

    assert closed(text, promised) == (9,)


VISIT = EarlierThread(8, "promise", "user", '"Ja, ich fahr am Samstag zu Karl-Heinz."', date(2026, 11, 14))


@pytest.mark.parametrize(
    ("answer", "closes"),
    [("Ja, ich war da.", (8,)), ("Nein, mir war nicht gut.", ()), ("Ja, noch nicht.", ())],
)
def test_who_says_yes_to_its_day_was_there(closed: Closed, answer: str, closes: tuple[int, ...]) -> None:
    text = f"a: Waren Sie am Samstag bei Karl-Heinz?\nu: {answer}"

    assert closed(text, VISIT, language="de") == closes


def test_an_appointment_stays_beside_another_one(closed: Closed) -> None:
    text = "a: Hello.\nu: I need a haircut too.\na: Friday the 27th at ten?\nu: Friday at ten, lovely."

    assert closed(text, NINTH) == ()


FORM = EarlierThread(
    11, "promise", "agent", '"I\'ll post you the form."', around="Form? I'll post you the form."
)


@pytest.mark.parametrize(
    "text",
    [
        "a: Hello.\nu: I still haven't got your message.",
        "a: Hello.\nu: My sister rang me yesterday.",
        "a: Hello.\nu: When I've got your letter I'll ring.",
    ],
)
def test_what_has_not_come_leaves_it_open(closed: Closed, text: str) -> None:
    assert closed(text, FORM) == ()


def test_of_two_things_promised_nobody_knows_which_has_come(closed: Closed) -> None:
    assert closed("a: Hello.\nu: I got your message, thanks.", FORM, VASE) == ()


def test_thanks_for_another_thing_leave_it_open(closed: Closed) -> None:
    assert closed("a: Hello.\nu: Thanks for the calendar, it's lovely.", FORM) == ()


@pytest.mark.parametrize("text", ["...", "?!", "😀"])
def test_where_nothing_was_said_nothing_is_closed(closed: Closed, text: str) -> None:
    assert closed(f"u: {text}", NINTH, FORM) == ()


@pytest.mark.parametrize(
    "text",
    [
        "a: Have you been before?\nu: Yes.",
        "a: Did you get the car back?\nu: Yes, it's running.",
        "a: Hello.\nu: Thanks for your time. Bye.",
        "a: Hello.\nu: They came on Saturday, my parents.",
        "a: Hello.\nu: Thanks for the appointment letter. What about the form?",
    ],
)
def test_small_talk_is_nothing_that_has_come(closed: Closed, text: str) -> None:
    assert closed(text, FORM) == ()


@pytest.mark.parametrize(
    "text",
    [
        "a: Harbor Physio.\nu: The concert?\na: I'm afraid the concert tickets are sold out.",
        "a: Harbor Physio.\nu: The traffic!\na: They've cancelled half the number nine buses today.",
    ],
)
def test_what_else_is_off_calls_off_no_appointment(closed: Closed, text: str) -> None:
    assert closed(text, NINTH) == ()


@pytest.mark.parametrize(
    "text",
    [
        "a: Hello.\nu: I'd like one more before that.\na: Wednesday the 25th at ten?\nu: Yes, please.",
        "a: Hello.\nu: My brother let me down, so I need a taxi too.\na: Friday at ten?\nu: Yes please.",
    ],
)
def test_who_wants_one_more_keeps_the_appointment(closed: Closed, text: str) -> None:
    assert closed(text, NINTH) == ()


LINK = EarlierThread(11, "promise", "agent", '"I\'ll e-mail you a new link."')


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


def test_a_condition_calls_nothing_off(closed: Closed) -> None:
    quote = EarlierThread(12, "promise", "agent", '"I\'ll have the quote by Wednesday."', date(2026, 11, 18))

    assert closed("u: If the quote is over nine hundred, cancel it.", quote) == ()
    assert closed("u: Cancel the quote, please.", quote) == (12,)


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


def test_what_need_not_be_done_calls_off_no_other_plan(closed: Closed) -> None:
    rome = EarlierThread(16, "plan", "user", '"We\'re going to Rome on 12 December."', date(2026, 12, 12))

    assert closed("u: My insurance wants a form.\na: You don't have to send anything.", rome) == ()


@pytest.mark.parametrize(
    ("language", "promised", "said"),
    [
        ("en", "I'll let you know as soon as it's here.", "Good morning, your sofa has arrived."),
        ("de", "Ich rufe Sie an, sobald es da ist.", "Guten Morgen, Ihr Sofa ist angekommen."),
        ("es", "Le aviso en cuanto llegue.", "Buenos días, ya ha llegado su sofá."),
    ],
)
def test_who_was_to_tell_when_it_comes_and_begins_by_telling_it_has(
    closed: Closed, language: str, promised: str, said: str
) -> None:
    thread = EarlierThread(17, "promise", "agent", f'"{promised}"')
    other = EarlierThread(18, "promise", "agent", f'"{promised} 2"')

    assert closed(f"a: {said}", thread, language=language) == (17,)
    assert closed(f"a: {said}", thread, other, language=language) == ()


def test_a_promise_to_tell_of_another_thing_stays_open(closed: Closed) -> None:
    part = EarlierThread(19, "promise", "agent", '"We will ring you when the part is in."')

    assert closed("a: Good morning, I've booked you a room.", part) == ()


def test_who_needs_it_by_another_day_now_waits_for_the_first_no_more(closed: Closed) -> None:
    told = (
        '"I\'ve got a certificate, it needs to go into Polish." – "You\'ll have it on the 10th of February."'
    )
    known = EarlierThread(1, "promise", "agent", told, date(2027, 2, 10))

    assert closed("a: Hello.\nu: I need the certificate by the 3rd of February now.\na: Fine.", known) == (1,)
    assert closed("a: Hello.\nu: Remind me on Friday to frame the certificate.\na: Fine.", known) == ()


@pytest.mark.parametrize(
    ("language", "asked", "promised", "fetched"),
    [
        (
            "en",
            "Are my new glasses in?",
            "I'll chase the lab and ring you.",
            "I picked the glasses up yesterday.",
        ),
        (
            "de",
            "Ist meine Brille da?",
            "Ich frag im Labor und ruf Sie an.",
            "Ich hab die Brille gestern abgeholt.",
        ),
        ("es", "¿Han llegado mis gafas?", "Pregunto al laboratorio y le llamo.", "Recogí las gafas ayer."),
        (
            "fr",
            "Mes lunettes sont là ?",
            "Je relance le labo et vous appelle.",
            "J'ai récupéré mes lunettes hier.",
        ),
        (
            "it",
            "Sono arrivati i miei occhiali?",
            "Sento il laboratorio e la chiamo.",
            "Ho ritirato gli occhiali ieri.",
        ),
        ("nl", "Is mijn bril er al?", "Ik vraag het lab en bel u.", "Ik heb mijn bril gisteren opgehaald."),
        (
            "pt",
            "Os meus óculos já chegaram?",
            "Pergunto ao laboratório e ligo.",
            "Fui buscar os óculos ontem.",
        ),
    ],
)
def test_what_the_agent_was_to_do_for_a_thing_has_no_use_once_it_is_fetched(
    closed: Closed, language: str, asked: str, promised: str, fetched: str
) -> None:
    known = EarlierThread(1, "promise", "agent", f'"{asked}" – "{promised}"')

    assert closed(f"a: Hallo.\nu: {fetched}\na: –", known, language=language) == (1,)


@pytest.mark.parametrize(
    ("language", "promised", "said"),
    [
        ("en", "We'll let you know as soon as it's back.", "i picked up the atlas on friday thank you"),
        ("de", "Ich sage Ihnen Bescheid, sobald es da ist.", "Ich hab das Buch am Freitag abgeholt."),
        ("nl", "Ik laat het u weten zodra het er is.", "Ik heb het boek vrijdag opgehaald."),
    ],
)
def test_who_has_fetched_what_they_were_to_be_told_of_waits_no_more(
    closed: Closed, language: str, promised: str, said: str
) -> None:
    thread = EarlierThread(9, "promise", "agent", f'"{promised}"')

    assert closed(f"a: Hi.\nu: {said}", thread, language=language) == (9,)


def test_what_one_did_get_round_to_is_done_though_the_agent_calls_it_it(closed: Closed) -> None:
    thread = EarlierThread(9, "promise", "user", '"ill ring my sister shes in cork"')

    assert closed("a: So, did you get round to it?\nu: i did yeah", thread) == (9,)
    assert closed("a: So, did you get round to it?\nu: not yet", thread) == ()


def test_what_was_to_be_sent_has_come_when_all_works(closed: Closed) -> None:
    link = EarlierThread(9, "promise", "agent", '"Le mando un link per cambiarla."')

    assert closed("a: Sì?\nu: Salve, ora funziona tutto.", link, language="it") == (9,)


@pytest.mark.parametrize(
    ("language", "promised", "said"),
    [
        ("en", "I'll send somebody round on Tuesday.", "your electrician came and the lights are on again"),
        ("de", "Ich schicke Ihnen einen Techniker.", "Ihr Techniker war gestern da, läuft alles."),
        ("fr", "Le plombier vous appellera avant de venir.", "Votre plombier est bien passé, merci."),
        ("es", "Le mando a un compañero.", "Ya vino su compañero y está arreglado."),
        ("it", "Le mando un tecnico.", "Il vostro tecnico è passato ieri."),
        ("pt", "Mando-lhe um técnico.", "O vosso técnico já veio, está tudo bem."),
        ("nl", "Ik stuur u een monteur.", "Uw monteur is gisteren geweest."),
    ],
)
def test_who_was_to_come_and_came_is_waited_for_no_more(
    closed: Closed, language: str, promised: str, said: str
) -> None:
    visit = EarlierThread(9, "promise", "agent", f'"{promised}"', date(2026, 11, 10))
    offer = EarlierThread(11, "promise", "agent", '"I will post the offer. Ich schicke das Angebot."')

    assert closed(f"a: Hi.\nu: {said}", visit, offer, language=language) == (9,)


def test_a_visit_that_is_still_ahead_is_another(closed: Closed) -> None:
    ahead = EarlierThread(9, "promise", "agent", '"I will send a joiner."', date(2026, 12, 10))

    assert closed("a: Hi.\nu: your plumber came yesterday", ahead) == ()


@pytest.mark.parametrize(
    "said", ["Your man never came.", "When your man has been I'll ring.", "Is he coming?"]
)
def test_who_has_not_come_is_waited_for(closed: Closed, said: str) -> None:
    visit = EarlierThread(9, "promise", "agent", '"I will send a man round."')

    assert closed(f"a: Hi.\nu: {said}", visit) == ()


@pytest.mark.parametrize(
    ("language", "promised", "said"),
    [
        ("en", "I'll ring you tomorrow.", "Hello, I'd promised you a call about the ferry."),
        (
            "de",
            "Ich rufe Sie morgen zurück.",
            "Ich hatte Ihnen den Rückruf versprochen. Es gibt noch Plätze.",
        ),
        ("fr", "Je vous rappelle demain.", "J'avais promis de vous rappeler. Il reste des places."),
    ],
)
def test_the_agent_that_calls_as_it_promised_owes_no_call(
    closed: Closed, language: str, promised: str, said: str
) -> None:
    call = EarlierThread(9, "promise", "agent", f'"{promised}"', date(2026, 11, 17))
    offer = EarlierThread(10, "promise", "agent", '"We will post the offer."')

    assert closed(f"a: {said}\nu: Oh.", call, offer, language=language) == (9,)


@pytest.mark.parametrize(
    ("language", "said"),
    [
        ("en", "a: So I'll cancel the lot."),
        ("de", "a: Dann sage ich alles ab."),
        ("pt", "a: Cancelo tudo, então."),
        ("it", "u: Disdica tutto, per favore."),
    ],
)
def test_who_calls_off_everything_leaves_nothing_open(closed: Closed, language: str, said: str) -> None:
    assert closed(f"a: Hi.\nu: We can't.\n{said}", TABLE, CANDLES, language=language) == (1, 3)


def test_what_has_been_moved_is_told_by_the_day_that_was_asked_about(closed: Closed) -> None:
    reminder = EarlierThread(9, "promise", "agent", '"I\'ll remind you."', date(2026, 12, 2))

    assert closed("a: Ready for the blood test on 2 December?\nu: They've moved it.", reminder) == (9,)


@pytest.mark.parametrize(
    ("language", "promised", "said"),
    [
        ("en", "I'll chase the surgery and text you.", "hi got your text is it still there"),
        ("en", "I'll email you the bill.", "hi got your email thanks but the radiators cold now"),
        ("de", "Ich gebe Ihnen Bescheid.", "Ich hab Ihre SMS bekommen."),
        ("fr", "Je vous préviens demain.", "J'ai eu votre message, merci."),
        ("es", "Le aviso mañana.", "Recibí su mensaje."),
        ("it", "La avviso domani.", "Ho ricevuto il suo messaggio."),
        ("pt", "Mando-lhe uma mensagem.", "Recebi a sua mensagem."),
        ("nl", "Ik laat het u weten.", "Ik heb uw bericht gekregen."),
    ],
)
def test_who_was_to_be_told_and_was_written_to_has_been(
    closed: Closed, language: str, promised: str, said: str
) -> None:
    assert closed(
        f"a: Hi.\nu: {said}", EarlierThread(9, "promise", "agent", f'"{promised}"'), language=language
    )


def test_who_was_to_be_rung_and_was_has_been(closed: Closed) -> None:
    ring = EarlierThread(9, "promise", "agent", '"I will ring you tomorrow."')
    text = EarlierThread(10, "promise", "agent", '"I will text you the price."')

    assert closed("a: Hi.\nu: Well, you rang me, and here I am.", ring, text) == (9,)
    assert closed("a: Hi.\nu: You never rang me.", ring, text) == ()


@pytest.mark.parametrize(
    ("language", "promised", "said"),
    [
        ("en", "I'll ring you when it's let out.", "I've had it on and it fits like a glove."),
        ("de", "Ich rufe Sie an, wenn sie fertig ist.", "Die sitzt wie angegossen."),
        ("fr", "Je vous appelle.", "Elle me va comme un gant."),
        ("es", "Yo la aviso.", "Me van como un guante."),
        ("it", "La avviso domani.", "Mi sta a pennello."),
        ("pt", "Aviso-a amanhã.", "Serve como uma luva."),
        ("nl", "Ik bel u morgen.", "Het zit als gegoten."),
    ],
)
def test_what_turned_out_well_is_waited_for_no_more(
    closed: Closed, language: str, promised: str, said: str
) -> None:
    thread = EarlierThread(9, "promise", "agent", f'"{promised}"')
    other = EarlierThread(10, "promise", "agent", '"I will post the form. Ich schicke die Karte."')

    assert closed(f"a: Hi.\nu: {said}", thread, language=language) == (9,)
    assert closed(f"a: Hi.\nu: {said}", thread, other, language=language) == (), "of two nobody knows which"


def test_an_agent_that_rings_about_something_owes_no_call(closed: Closed) -> None:
    words = "Rex had blood taken. I'll ring you the minute the results are in."
    call = EarlierThread(
        9, "promise", "agent", '"I\'ll ring you the minute the results are in."', around=words
    )

    assert closed("a: Hello, it's Ines from Lane Vets, about Rex.\nu: Oh, go on.", call) == (9,)
    assert closed("a: Lane Vets, it's Ines.\nu: It's about Rex.", call) == ()


@pytest.mark.parametrize(
    "said",
    [
        "Thursday fits perfectly.",
        "That guy has been ringing me all week.",
        "Your plumber came but he couldn't find the leak.",
        "You rang while I was out, I still want to talk.",
        "I got the email from the council.",
        "You called me Mary, my name is Maria.",
        "thanks for the call, bye",
        "Please don't cancel everything!",
        "They cancelled everything because of the snow.",
        "Here's a photo of the leak.",
    ],
)
def test_what_only_sounds_like_it_keeps_promises_open(closed: Closed, said: str) -> None:
    ring = EarlierThread(9, "promise", "agent", '"I will ring you about the piano."')
    visit = EarlierThread(10, "promise", "agent", '"I will send someone about the leak."')
    tell = EarlierThread(11, "promise", "agent", '"I will text you the gate code."')

    assert closed(f"a: Hi.\nu: {said}", ring, visit, tell) == ()
    assert closed(f"a: Hi.\nu: {said}", ring) == ()


@pytest.mark.parametrize(
    "said",
    [
        "Hi! I'm getting back to work. How can I help?",
        "Thanks for calling back about your order.",
        "Hello, this is Anna from Moor Motors, about your survey.",
    ],
)
def test_an_agent_that_only_picks_up_still_owes_its_call(closed: Closed, said: str) -> None:
    assert (
        closed(
            f"a: {said}\nu: Hello.", EarlierThread(9, "promise", "agent", '"I\'ll ring you about the piano."')
        )
        == ()
    )


def test_who_asks_to_call_off_everything_and_may_leaves_nothing_open(closed: Closed) -> None:
    assert closed("a: Hi.\nu: Could you cancel the lot?\na: Of course.", TABLE, CANDLES) == (1, 3)


GLASSES = EarlierThread(31, "promise", "agent", '"I\'ll have housekeeping look for your glasses."')


@pytest.mark.parametrize(
    ("language", "promised", "said"),
    [
        (
            "en",
            "I'll look for your glasses.",
            "It's about the glasses. Panic over, they were in my bag all along.",
        ),
        ("en", "I'll look for your glasses.", "About my glasses. They turned up at my sister's."),
        ("de", "Ich suche Ihre Schlüssel.", "Wegen der Schlüssel, die haben sich gefunden."),
        ("es", "Busco sus gafas y le llamo.", "Falsa alarma con las gafas, estaban en mi bolso."),
        ("fr", "Je cherche vos lunettes.", "Pour mes lunettes, fausse alerte."),
        ("it", "Cerco i suoi occhiali.", "Gli occhiali sono saltati fuori."),
        ("nl", "Ik zoek uw bril.", "Mijn bril is terecht."),
        ("pt", "Vou procurar os seus óculos.", "Os óculos apareceram ontem."),
    ],
)
def test_what_was_looked_for_and_is_there_again_is_looked_for_no_more(
    closed: Closed, language: str, promised: str, said: str
) -> None:
    thread = EarlierThread(31, "promise", "agent", f'"{promised}"')

    assert closed(f"a: Hello.\nu: {said}", thread, language=language) == (31,)


@pytest.mark.parametrize(
    "said",
    ["The glasses are still missing. They fixed the lift, though.", "They haven't turned up, my glasses."],
)
def test_what_is_still_missed_is_still_looked_for(closed: Closed, said: str) -> None:
    assert closed(f"a: Hello.\nu: {said}", GLASSES) == ()


def test_what_was_said_before_two_promises_means_the_first_of_them(closed: Closed) -> None:
    around = "The boiler's dead."
    boiler = EarlierThread(32, "promise", "agent", '"I\'ll have somebody with you."', around=around)
    joiner = EarlierThread(
        33, "promise", "agent", '"I\'ll get the joiner."', around=f"{around} The door sticks."
    )

    assert closed("a: Hello.\nu: The boiler's been fixed.", boiler, joiner) == (32,)
    assert closed("a: Hello.\nu: The door's been fixed.", boiler, joiner) == (33,)


def test_who_has_fetched_one_of_what_was_to_be_ordered_waits_no_more(closed: Closed) -> None:
    one = "\"Sold out, I'm afraid. I'll order one in and ring you when it's here.\""
    filters = "\"I'll order the filter and ring you when it's here.\""
    fetched = "a: Hello.\nu: I picked the book up yesterday, so you can cross me off."

    assert closed(fetched, EarlierThread(34, "promise", "agent", one)) == (34,)
    assert closed(fetched, EarlierThread(35, "promise", "agent", filters)) == ()


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


_CUT = {
    "en": "You're down for a haircut on Friday at seven.",
    "de": "Sie sind am Freitag um sieben zum Haareschneiden eingetragen.",
    "es": "Le he apuntado para un corte el viernes a las siete.",
    "fr": "Vous êtes inscrite pour une coupe vendredi à sept heures.",
    "it": "L'ho segnata per un taglio venerdì alle sette.",
    "nl": "U staat vrijdag om zeven uur ingepland voor een knipbeurt.",
    "pt": "Ficou marcada para um corte na sexta-feira às sete.",
}


@pytest.mark.parametrize(
    ("language", "said", "granted"),
    [
        ("en", "Can we call it off?", "No problem, I've taken you out."),
        ("en", "I've got to cancel, my son's broken his arm.", "Okay."),
        ("de", "Mir ist was dazwischengekommen.", "Kein Problem, ich habe Sie ausgetragen."),
        ("de", "Ich muss absagen, mein Sohn hat sich den Arm gebrochen.", "Alles klar."),
        ("es", "Nos ha surgido un imprevisto, no podemos ir.", "Entiendo."),
        ("fr", "Il faut que j'annule, mon fils s'est cassé le bras.", "D'accord."),
        ("it", "Dovrò disdire.", "Capisco."),
        ("nl", "Kunt u ons uitschrijven?", "Natuurlijk."),
        ("pt", "Surgiu um imprevisto, não podemos ir.", "Percebo."),
    ],
)
def test_who_calls_off_and_says_why_means_the_one_appointment(
    closed: Closed, language: str, said: str, granted: str
) -> None:
    thread = EarlierThread(38, "plan", "agent", f'"{_CUT[language]}"', date(2026, 11, 20))

    assert closed(f"a: Hello.\nu: {said}\na: {granted}", thread, language=language) == (38,)


@pytest.mark.parametrize(
    ("language", "said", "answered"),
    [
        ("en", "What happens if I need to cancel?", "You can ring us."),
        ("en", "I had to cancel my holiday.", "Oh dear."),
        ("en", "My sister can't come with me.", "I see."),
        ("de", "Was ist, wenn ich absagen muss?", "Rufen Sie einfach an."),
        ("es", "Casi tuve que cancelar.", "Menos mal."),
        ("fr", "J'ai failli annuler.", "Ah bon."),
        ("it", "Non voglio disdire.", "Bene."),
        ("nl", "Er is iets tussengekomen maar ik kom toch.", "Fijn."),
        ("pt", "Cancelei as férias.", "Que pena."),
        ("de", "Ich brauche keinen Parkplatz.", "Alles klar."),
        ("de", "Ich schaffe die Treppe nicht mehr.", "Ja."),
        ("es", "Ya no necesito aparcamiento.", "Vale."),
        ("fr", "Je n'ai plus besoin de parking.", "Très bien."),
        ("it", "Non mi serve più il parcheggio.", "Va bene."),
        ("pt", "Já não preciso de estacionamento.", "Está bem."),
    ],
)
def test_who_calls_off_something_else_or_nothing_keeps_the_appointment(
    closed: Closed, language: str, said: str, answered: str
) -> None:
    thread = EarlierThread(39, "plan", "agent", f'"{_CUT[language]}"', date(2026, 11, 20))

    assert closed(f"a: Hello.\nu: {said}\na: {answered}", thread, language=language) == ()


_ASKS_INSTEAD = {
    "en": ("We're closed on Friday. Does Saturday at ten work?", "That's all right, no problem."),
    "de": ("Frau Rau ist am Freitag krank, könnten wir Samstag um zehn sagen?", "Das geht, kein Problem."),
    "es": ("La doctora está enferma el viernes, ¿podríamos decir el sábado a las diez?", "Está bien."),
    "fr": ("Dana est absente vendredi, vous pourriez venir samedi à dix heures ?", "Ça va, pas de problème."),
    "it": ("Venerdì siamo chiusi. Sabato alle dieci le va bene?", "Mah, sì, dovrebbe andare."),
    "nl": ("We zijn vrijdag dicht. Kunnen we zaterdag om tien uur zeggen?", "Dat kan, geen probleem."),
    "pt": ("A Dana não está na sexta-feira, podia vir no sábado às dez?", "Pode ser, não há problema."),
}


@pytest.mark.parametrize("language", [*_ASKS_INSTEAD])
def test_another_day_that_the_agent_asks_for_takes_the_place_of_the_one_it_names(
    closed: Closed, language: str
) -> None:
    thread = EarlierThread(40, "plan", "agent", f'"{_CUT[language]}"', date(2026, 11, 20))
    asked, answered = _ASKS_INSTEAD[language]

    assert closed(f"u: Hm.\na: {asked}\nu: {answered}", thread, language=language) == (40,)


@pytest.mark.parametrize(
    "talk",
    [
        "a: You're in on Friday at seven. Could you come on Saturday to sign the form?\nu: Yes, fine.",
        "a: See you on Friday. Would you like a massage on Saturday at ten, too?\nu: Yes, please.",
        "a: We're closed on Friday. Does Saturday at ten work?\nu: I'd have to ask my husband.",
    ],
)
def test_another_day_for_something_else_or_that_nobody_takes_leaves_the_appointment(
    closed: Closed, talk: str
) -> None:
    thread = EarlierThread(41, "plan", "agent", f'"{_CUT["en"]}"', date(2026, 11, 20))

    assert closed(f"u: Hm.\n{talk}", thread) == ()


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


@pytest.mark.parametrize("said", ["Never mind.", "Oh, forget it.", "Don't bother."])
def test_what_is_waved_off_is_what_was_spoken_of_and_no_appointment(closed: Closed, said: str) -> None:
    assert closed(f"u: Do you sell eggs?\na: No, sorry.\nu: {said}", TABLE) == ()


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


HAIRCUT = EarlierThread(1, "plan", "user", '"The haircut on Monday at ten?" – "Perfect."', date(2026, 11, 23))
MASSAGE = EarlierThread(
    2, "plan", "user", '"And the massage on Wednesday at two?" – "Yes, great."', date(2026, 11, 25)
)


@pytest.mark.parametrize(
    "text",
    [
        "u: I have to cancel the massage, but the haircut stays.\na: All right.",
        "u: I'm afraid I can't come on Wednesday, but Monday's fine.\na: Okay, I've taken Wednesday out.",
        "u: I'd like to cancel both.\na: Both?\nu: No, only Wednesday is off. Monday stays.",
    ],
)
def test_what_stays_in_the_same_breath_is_not_called_off(closed: Closed, text: str) -> None:
    assert closed(text, HAIRCUT, MASSAGE) == (2,)


@pytest.mark.parametrize(
    "text",
    [
        "u: I wanted to change Monday, but it works after all.\na: Perfect, then it stays at ten.",
        "u: I'd like to cancel Monday. Oh no wait, I can make it after all. Leave it as it is.\na: Okay.",
        "u: Please cancel Monday.\na: Monday is cancelled.\nu: Hang on, leave Monday as it is.",
        "u: Could I move Monday to Tuesday?\na: I'm afraid we've nothing on Tuesday.\nu: I see.",
    ],
)
def test_what_is_refused_or_taken_back_leaves_the_appointment(closed: Closed, text: str) -> None:
    assert closed(text, HAIRCUT, MASSAGE) == ()


@pytest.mark.parametrize(
    "text",
    [
        "u: Please take me off your mailing list.\na: Of course, I've taken you off.",
        "u: Could you cancel my reminder texts?\na: No problem.",
        "u: I'd like to cancel the newsletter.\na: That's cancelled.",
    ],
)
def test_what_is_no_appointment_is_called_off_by_itself(closed: Closed, text: str) -> None:
    assert closed(text, HAIRCUT) == ()


def test_what_led_to_an_appointment_names_it(closed: Closed) -> None:
    bare = EarlierThread(
        1, "plan", "user", '"Monday at ten?" – "Perfect."', date(2026, 11, 23), around="I'd like a haircut."
    )

    assert closed("u: I need to cancel the haircut.\na: Okay, no problem.", bare) == (1,)


LESSONS = EarlierThread(
    3, "plan", "user", '"Every Tuesday at five?" – "Yes please."', around="tennis lessons"
)


@pytest.mark.parametrize(
    "text",
    [
        "u: I can't make it next Tuesday.\na: Okay, I'll take you out next Tuesday.",
        "u: I have to cancel my lesson this Tuesday, just this once.\na: No problem, it's cancelled.",
        "a: We're closed next Tuesday, so no lesson then.\nu: Thanks for telling me.",
    ],
)
def test_a_series_stays_when_one_of_it_is_off(closed: Closed, text: str) -> None:
    assert closed(text, LESSONS) == ()


@pytest.mark.parametrize(
    "text",
    [
        "u: I'd like to stop the lessons.\na: Okay, I've cancelled the lessons.",
        "u: Please cancel all my Tuesdays.\na: Done, they're all cancelled.",
    ],
)
def test_a_series_ends_when_all_of_it_is_off(closed: Closed, text: str) -> None:
    assert closed(text, LESSONS) == (3,)


SONS_VISIT = EarlierThread(
    4, "plan", "user", '"My son Alvin is coming to visit on Sunday."', date(2026, 11, 15)
)


@pytest.mark.parametrize(
    "text",
    [
        "u: Alvin didn't come on Sunday, he's coming this Saturday.",
        "a: How was Alvin's visit?\nu: He never turned up.",
        "a: Did Alvin come on Sunday?\nu: No, he had to work.",
    ],
)
def test_a_visit_that_did_not_happen_is_no_plan_any_more(closed: Closed, text: str) -> None:
    assert closed(text, SONS_VISIT) == (4,)


def test_somebody_else_who_did_not_come_leaves_the_visit(closed: Closed) -> None:
    assert closed("u: The nurse didn't come on Friday.", SONS_VISIT) == ()


def test_an_appointment_at_which_nobody_came_is_owed_until_there_is_another(closed: Closed) -> None:
    agreed = EarlierThread(
        5, "plan", "user", '"The engineer can come on Monday at nine." – "Perfect."', date(2026, 11, 16)
    )

    assert closed("u: Your engineer never turned up yesterday.\na: I'm so sorry.", agreed) == ()
    another = "a: I'm sorry. He can come on Friday at eight.\nu: All right."
    assert closed(f"u: Your engineer never turned up yesterday.\n{another}", agreed) == (5,)


def test_a_series_gives_way_to_how_it_runs_from_now_on(closed: Closed) -> None:
    text = "u: Could we do Tuesdays at six from now on?\na: Yes, Tuesdays at six."

    assert closed(text, LESSONS) == (3,)


def test_a_series_stays_beside_the_day_of_one_week(closed: Closed) -> None:
    text = "u: Just next week, could I come on Wednesday instead of Tuesday?\na: Yes, Wednesday at five."

    assert closed(text, LESSONS) == ()


def test_a_series_stays_beside_one_more(closed: Closed) -> None:
    text = "u: Could I have every Thursday at five as well?\na: Yes, every Thursday at five."

    assert closed(text, LESSONS) == ()


def test_what_does_not_work_after_all_does_not_stay(closed: Closed) -> None:
    tuning = EarlierThread(6, "plan", "user", '"Montag um neun?" – "Ja, das passt."', date(2026, 11, 23))

    assert closed("u: Der Montag klappt doch nicht.\na: Alles klar.", tuning, language="de") == (6,)


@pytest.mark.parametrize(
    ("text", "closes"),
    [
        (
            "u: I've been called in to work, he must come later.\na: We've got Tuesday at five.\nu: Yes.",
            (40,),
        ),
        (
            "u: I'd like an appointment for my sister too.\na: We've got Tuesday at half five.\nu: Perfect.",
            (),
        ),
        ("a: I'd see him again on the 15th of December at five.\nu: Perfect.", ()),
    ],
)
def test_the_one_appointment_gives_way_to_the_one_made_where_nothing_else_is_asked_for(
    closed: Closed, text: str, closes: tuple[int, ...]
) -> None:
    old = EarlierThread(40, "plan", "agent", '"Monday at eleven?" – "Yes."', date(2026, 11, 23))

    assert closed(text, old) == closes


@pytest.mark.parametrize(
    ("language", "said"),
    [
        ("de", "Ich streiche ihn."),
        ("de", "Ich storniere ihn."),
        ("es", "La anulo."),
        ("es", "La borro."),
        ("fr", "Je le supprime."),
        ("it", "Lo cancello."),
        ("pt", "Anulo-a."),
    ],
)
def test_an_agent_that_only_calls_off_means_the_one_appointment(
    closed: Closed, language: str, said: str
) -> None:
    plan = EarlierThread(41, "plan", "agent", '"…" – "…"', date(2026, 11, 24))

    assert closed(f"a: {said}", plan, language=language) == (41,)


@pytest.mark.parametrize(
    ("language", "text"),
    [
        ("en", "u: I can't make it that day, I'm afraid.\na: No problem."),
        ("de", "u: An dem Tag kann ich leider nicht.\na: Alles klar."),
        ("es", "u: ese día me operan a mi marido de cataratas no puedo estar\na: vaya"),
        ("fr", "u: Je pourrai pas venir comme prévu.\na: D'accord."),
        ("it", "u: Quel giorno non posso.\na: Va bene."),
        ("pt", "u: então não vai dar certo naquele dia\na: sem problema"),
        ("nl", "u: Die dag kan ik toch niet.\na: Geen probleem."),
    ],
)
def test_that_day_is_the_one_agreed_on(closed: Closed, language: str, text: str) -> None:
    agreed = EarlierThread(1, "plan", "user", '"10:00?" – "Ja."', date(2026, 11, 26))
    another = EarlierThread(2, "plan", "user", '"11:00?" – "Ja."', date(2026, 11, 30))

    assert closed(f"a: Hallo.\n{text}", agreed, language=language) == (1,)
    assert closed(f"a: Hallo.\n{text}", agreed, another, language=language) == ()


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
    ("language", "text"),
    [
        ("en", "Your plumber was lovely, you know."),
        ("fr", "Dites, il était charmant, votre monsieur."),
        ("it", "Il vostro tecnico è stato gentilissimo."),
        ("nl", "Uw monteur was heel aardig."),
    ],
)
def test_who_is_praised_has_been(closed: Closed, language: str, text: str) -> None:
    said = {
        "en": "We'll send someone about the tap.",
        "fr": "Je vous envoie un technicien.",
        "it": "Le mando un tecnico.",
        "nl": "Ik stuur u een monteur.",
    }[language]

    assert closed(
        f"a: .\nu: {text}", EarlierThread(1, "promise", "agent", f'"{said}"'), language=language
    ) == (1,)


def test_the_slot_that_is_freed_is_of_whom_was_spoken_just_before(closed: Closed) -> None:
    rex = EarlierThread(1, "plan", "user", '"The 16th at nine?" – "Rex, yes."', date(2026, 12, 16))
    biscuit = EarlierThread(2, "plan", "user", '"The 17th at two?" – "Biscuit, fine."', date(2026, 12, 17))
    said = "a: Vet's.\nu: My daughter has moved and took Biscuit along.\na: Then I'll free up the slot."

    assert closed(said, rex, biscuit) == (2,)


def test_another_hour_is_on_the_day_of_the_appointment_it_takes_the_place_of(call: Call) -> None:
    known = EarlierThread(1, "plan", "user", '"The 26th at four?" – "Perfect."', date(2026, 11, 26))
    said = call("a: Salon.\nu: Could we move it to half five?\na: Okay, half five it is.")
    changes = thread_changes(said, "en", BERLIN, open_before=[known])

    assert [one.due for one in changes.opened] == [date(2026, 11, 26)]
    assert changes.closes == (1,)


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


CHECK_IN = {
    "en": ("Remind me of the check-in on the 10th.", "Then I'll take the check-in off."),
    "de": ("Erinnere mich am 10. an den Check-in.", "Dann nehme ich den Check-in raus."),
    "es": ("Recuérdame el check-in el día 10.", "Entonces quito el check-in."),
    "fr": ("Rappelle-moi le check-in le 10.", "Alors j'enlève le check-in."),
    "it": ("Ricordami il check-in il 10.", "Allora tolgo il check-in."),
    "pt": ("Lembra-me do check-in no dia 10.", "Então tiro o check-in da lista."),
    "nl": ("Herinner me op de 10e aan het inchecken.", "Dan haal ik het inchecken eraf."),
}


@pytest.mark.parametrize("language", CHECK_IN)
def test_what_the_agent_takes_off_is_off(closed: Closed, language: str) -> None:
    text, taken_off = CHECK_IN[language]
    known = EarlierThread(1, "request", "user", f'"{text}"', date(2026, 12, 10))

    assert closed(f"u: .\na: {taken_off}", known, language=language) == (1,)


def test_what_the_agent_takes_off_may_be_named_where_the_matter_was_opened(closed: Closed) -> None:
    bed = EarlierThread(
        1, "plan", "user", '"Remind me Friday evening."', date(2026, 11, 20), "I must make up the spare bed."
    )
    sitter = EarlierThread(2, "request", "user", '"Remind me to text Jess."')
    said = "u: We've got Jess's sister instead, so forget the bed.\na: I've cancelled the spare bed reminder."

    assert closed(said, bed, sitter, TABLE) == (1,)


def test_the_old_day_that_is_named_beside_the_new_is_given_up(closed: Closed) -> None:
    brakes = EarlierThread(1, "plan", "user", '"Leave it till after payday then."', date(2026, 11, 23))
    choir = EarlierThread(2, "plan", "user", '"The choir sings."', date(2026, 11, 25))
    asked = "u: I'm booked in Monday for brakes, can we make it Tuesday? The choir's on Wednesday."

    assert closed(f"{asked}\na: Tuesday the 24th, same time.", brakes, choir) == (1,)
    assert closed(f"{asked}\na: No, sorry, Tuesday's full.", brakes) == ()


@pytest.mark.parametrize(
    ("language", "text", "said"),
    [
        ("en", "Is the goal still Nepal?", "So the new goal is Mont Blanc."),
        ("de", "Ist das Ziel noch Nepal?", "Also neues Ziel: der Montblanc."),
        ("es", "¿El objetivo sigue siendo Nepal?", "Entonces, nuevo objetivo: el Mont Blanc."),
        ("fr", "L'objectif reste le Népal ?", "Donc nouvel objectif : le Mont-Blanc."),
        ("it", "L'obiettivo resta il Nepal?", "Allora nuovo obiettivo: il Monte Bianco."),
        ("pt", "O objetivo continua a ser o Nepal?", "Então novo objetivo: o Monte Branco."),
        ("nl", "Is het doel nog Nepal?", "Dus nieuw doel: de Mont Blanc."),
    ],
)
def test_a_new_goal_takes_the_place_of_the_old(closed: Closed, language: str, text: str, said: str) -> None:
    known = EarlierThread(1, "plan", "user", f'"{text}" – "."', date(2027, 4, 10))

    assert closed(f"u: .\na: {said}", known, language=language) == (1,)


@pytest.mark.parametrize(("answer", "ids"), [("i did yeah", (1,)), ("no not yet", ())], ids=["yes", "no"])
def test_the_caller_may_ask_whether_it_is_done(closed: Closed, answer: str, ids: tuple[int, ...]) -> None:
    link = EarlierThread(1, "promise", "agent", '"thats a ten pound deposit ill text you the link"')

    assert closed(f"a: hi\nu: yeah perfect did you get my deposit\na: {answer}", link) == ids


@pytest.mark.parametrize(
    ("language", "promised", "missed", "again"),
    [
        ("en", "I'll send you the receipt.", "I still haven't had the receipt.", "I'll email it today."),
        ("de", "Ich schicke Ihnen das Rezept.", "Das Rezept ist nicht da.", "Ich schicke es morgen."),
        ("es", "Le mando el recibo.", "No me mandó el recibo.", "Se lo mando mañana."),
        ("fr", "Je vous envoie la facture.", "Je n'ai pas reçu la facture.", "Je vous l'envoie demain."),
        ("it", "Le mando la ricevuta.", "La ricevuta non è arrivata.", "Gliela mando domani."),
        ("pt", "Eu te mando o endereço.", "Você não me mandou o endereço.", "Desculpa, mando amanhã."),
        ("nl", "Ik stuur u de bon.", "De bon is niet gekomen.", "Die stuur ik u morgen."),
    ],
)
def test_what_is_promised_again_takes_the_place_of_the_first_promise(
    closed: Closed, language: str, promised: str, missed: str, again: str
) -> None:
    known = EarlierThread(1, "promise", "agent", f'"{promised}"')
    other = EarlierThread(2, "promise", "agent", '"Vanilla."')

    assert closed(f"a: .\nu: {missed}\na: {again}", known, other, language=language) == (1,)


@pytest.mark.parametrize(
    ("language", "promised", "missed", "again"),
    [
        ("en", "You'll get the quote on Monday.", "I haven't seen a quote yet.", "You'll have it tomorrow."),
        ("de", "Sie bekommen das Angebot.", "Ich hab noch kein Angebot gesehen.", "Sie haben es morgen."),
        ("es", "Le mando el presupuesto.", "Todavía no he visto el presupuesto.", "Lo tendrá mañana."),
        ("fr", "Vous aurez le devis lundi.", "Je n'ai pas encore vu le devis.", "Vous l'aurez demain."),
        ("it", "Le mando il preventivo.", "Non ho ancora avuto il preventivo.", "Ce l'avrà domani."),
        ("pt", "Envio-lhe o orçamento.", "Ainda não vi o orçamento.", "Tem-no amanhã."),
        ("nl", "Ik stuur u de offerte.", "Ik heb nog geen offerte gezien.", "U heeft hem morgen."),
    ],
)
def test_what_was_not_seen_yet_and_comes_later_is_told_once_with_what_it_is(
    call: Call, language: str, promised: str, missed: str, again: str
) -> None:
    known = EarlierThread(1, "promise", "agent", f'"{promised}"')
    said = call(f"a: .\nu: {missed}\na: {again}")

    changes = thread_changes(said, language, BERLIN, open_before=[known])

    assert changes.closes == (1,)
    assert [one.text for one in changes.opened] == [f'"{missed}" – "{again}"']


def test_what_the_agent_asks_after_and_promises_again_is_promised_once(closed: Closed) -> None:
    known = EarlierThread(1, "promise", "agent", '"Le mando el temario por correo."')
    said = "u: .\na: ¿Le llegó el temario?\nu: No, no me ha llegado nada.\na: Se lo reenvío ahora mismo."

    assert closed(said, known, language="es") == (1,)


@pytest.mark.parametrize(
    ("language", "promised", "said"),
    [
        (
            "en",
            "I'll send you the brochure.",
            (
                "a: Did you get the brochure?\nu: No, nothing came. But I wanted the price list, too.\n"
                "a: I'll send you the price list."
            ),
        ),
        (
            "de",
            "Ich schicke Ihnen die Rechnung.",
            (
                "a: Ist die Rechnung da?\nu: Nein, noch nichts gekommen. Auch der Techniker nicht.\n"
                "a: Ich schicke den Techniker am Montag."
            ),
        ),
        (
            "es",
            "Le mando el temario.",
            (
                "a: ¿Le llegó el temario?\nu: No, no ha llegado. ¿Y la matrícula?\n"
                "a: La matrícula se la mando mañana."
            ),
        ),
        (
            "fr",
            "Je vous envoie le contrat.",
            "a: Vous avez reçu le contrat ?\nu: Non, rien reçu.\na: Je vous rappelle lundi pour voir.",
        ),
    ],
)
def test_a_promise_of_something_else_leaves_what_did_not_come_open(
    closed: Closed, language: str, promised: str, said: str
) -> None:
    known = EarlierThread(1, "promise", "agent", f'"{promised}"')

    assert closed(f"u: .\n{said}", known, language=language) == ()


@pytest.mark.parametrize(
    ("language", "old", "off", "asked", "new"),
    [
        (
            "en",
            "Every Tuesday at ten?",
            "I can't do Tuesdays any more.",
            "Thursday at nine?",
            "Every Thursday, yes.",
        ),
        (
            "de",
            "Jeden Dienstag um elf?",
            "Dienstag geht nicht mehr.",
            "Dann donnerstags um neun?",
            "Ja, jeden Donnerstag.",
        ),
        ("es", "¿Los martes a las once?", "Los martes ya no puedo.", "¿Los jueves?", "Sí, todos los jueves."),
        (
            "fr",
            "Tous les mardis à dix heures ?",
            "Mardi je ne peux plus.",
            "Jeudi ?",
            "Oui, tous les jeudis.",
        ),
        ("it", "Tutti i martedì alle dieci?", "Il martedì non posso più.", "Giovedì?", "Sì, ogni giovedì."),
        ("pt", "Todas as terças às dez?", "À terça já não posso.", "À quinta?", "Sim, todas as quintas."),
        ("nl", "Elke dinsdag om tien uur?", "Dinsdag kan niet meer.", "Donderdag?", "Ja, elke donderdag."),
    ],
)
def test_a_series_gives_way_to_another_weekday_once_its_own_is_given_up(
    closed: Closed, language: str, old: str, off: str, asked: str, new: str
) -> None:
    series = EarlierThread(1, "plan", "user", f'"{old}" – "{new.partition(",")[0]}."')

    assert closed(f"a: .\nu: {off}\na: {asked}\nu: {new}", series, language=language) == (1,)


@pytest.mark.parametrize(
    ("language", "old", "off", "new"),
    [
        (
            "en",
            "Tuesdays at four?",
            "Ben has football on Tuesdays now. Is there another day?",
            "Thursday at five?",
        ),
        (
            "de",
            "Dienstags um vier?",
            "Emre hat dienstags jetzt Fußball. Geht ein anderer Tag?",
            "Donnerstag um fünf?",
        ),
        (
            "es",
            "¿Los martes a las cuatro?",
            "Ahora trabajo los martes. ¿No hay otro grupo?",
            "¿El jueves a las cinco?",
        ),
        (
            "fr",
            "Le mardi soir ?",
            "En fait je bosse le mardi maintenant, y a pas un autre groupe ?",
            "Jeudi à cinq heures ?",
        ),
        (
            "it",
            "Ogni martedì alle quattro?",
            "Adesso ogni martedì lavoro, non c'è un altro gruppo?",
            "Giovedì alle cinque?",
        ),
        ("pt", "Às terças às quatro?", "Agora trabalho às terças, não há outro grupo?", "Quinta às cinco?"),
        (
            "nl",
            "Elke dinsdag om vier uur?",
            "Hij heeft nu elke dinsdag voetbal. Kan het op een andere dag?",
            "Donderdag om vijf uur?",
        ),
    ],
)
def test_a_series_gives_way_to_another_day_that_is_asked_for(
    closed: Closed, language: str, old: str, off: str, new: str
) -> None:
    series = EarlierThread(1, "plan", "user", f'"{old}" – "Okay."')

    assert closed(f"a: .\nu: {off}\na: {new}\nu: Okay.", series, language=language) == (1,)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (
            '"Every Tuesday at ten?" – "Yes."',
            "u: We come every Tuesday. Is there another class for Ann?\na: Thursday at nine?\nu: Yes.",
        ),
        (
            '"Every Tuesday at ten?" – "Yes."',
            "u: I can't make it on Tuesday, is there another day?\na: Thursday at nine?\nu: Yes.",
        ),
        ('"Every Tuesday at ten?" – "Yes."', "u: I can't do next Tuesday.\na: Thursday at nine?\nu: Yes."),
        (
            '"The nurse comes every Tuesday."',
            "u: I can't do Tuesday.\na: Every Thursday?\nu: Every Thursday.",
        ),
    ],
)
def test_a_series_stays_for_one_other_day_or_what_only_the_caller_told_of(
    closed: Closed, text: str, said: str
) -> None:
    assert closed(f"a: .\n{said}", EarlierThread(1, "plan", "user", text)) == ()


@pytest.mark.parametrize(
    ("said", "ids"),
    [
        ("u: can we make it two dogs on Friday\na: Sure, but then it's half past six.\nu: fine", (3,)),
        ("u: posso levar também a minha irmã na sexta\na: Pode, mas ela fica às onze.\nu: ótimo", ()),
    ],
)
def test_another_hour_takes_the_place_of_the_old_unless_it_is_for_one_more(
    closed: Closed, said: str, ids: tuple[int, ...]
) -> None:
    language = "pt" if "irmã" in said else "en"
    table = EarlierThread(3, "plan", "agent", '"Friday at seven?" – "Yes."', date(2026, 11, 20))
    sexta = EarlierThread(3, "plan", "agent", '"Sexta às dez?" – "Sim."', date(2026, 11, 20))

    assert closed(f"a: .\n{said}", sexta if language == "pt" else table, language=language) == ids


MINE = EarlierThread(1, "plan", "user", '"Wednesday at half nine?" – "Yes."', date(2026, 11, 25))


@pytest.mark.parametrize(
    ("language", "moved", "offer", "answer"),
    [
        (
            "en",
            "My daughter can't come on the 2nd of December, hers needs moving.",
            "The 3rd?",
            "That's fine.",
        ),
        ("de", "Meine Tochter kann am 2. Dezember nicht, ihrer muss verschoben werden.", "Am 3.?", "Gut."),
        ("es", "Mi hija no puede el 2 de diciembre, hay que cambiar la suya.", "¿El 3?", "El 3 está bien."),
        ("fr", "Ma fille ne peut pas le 2 décembre, il faut déplacer le sien.", "Le 3 ?", "C'est bon."),
        ("nl", "Mijn dochter kan 2 december niet, die van haar moet verzet worden.", "De derde?", "Goed."),
    ],
)
def test_what_is_moved_of_another_day_leaves_ones_own(
    closed: Closed, language: str, moved: str, offer: str, answer: str
) -> None:
    assert closed(f"u: {moved}\na: {offer}\nu: {answer}", MINE, language=language) == ()


@pytest.mark.parametrize(
    "said",
    [
        "u: I can't make Wednesday, can we move it to the 2nd of December?\na: Sure, half nine.\nu: Great.",
        "u: Can we move it to the 2nd of December?\na: Sure, half nine.\nu: Great.",
        "u: I have to cancel, I'm in Rome from the 24th.\na: No problem, that's cancelled.",
        "u: Today I woke up with a fever, so I need to move it.\na: Friday at two?\nu: Yes please.",
        "u: I booked yesterday and now I can't make it.\na: Shall we say Friday at nine?\nu: Yes please.",
        "u: I'm in hospital until Friday, can we move my appointment?\na: Friday at two?\nu: Yes please.",
        "u: I'm flying to Spain tomorrow, can we postpone it?\na: The 30th at ten?\nu: Yes please.",
    ],
)
def test_the_day_to_which_it_is_moved_is_no_other_appointments(closed: Closed, said: str) -> None:
    assert closed(said, MINE) == (1,)


@pytest.mark.parametrize(
    ("language", "known", "asked", "answer"),
    [
        ("en", "Helen's coming on Sunday.", "Is Helen coming on Sunday?", "No, she's ill."),
        ("de", "Am Sonntag kommt Helene.", "Kommt Helene am Sonntag?", "Nein, die ist krank."),
        ("es", "el domingo viene elena", "¿Viene Elena el domingo?", "No, está enferma."),
        ("fr", "dimanche vient hélène", "Hélène vient dimanche ?", "Non, elle est malade."),
        ("it", "domenica viene elisa", "Elisa viene domenica?", "no è malata"),
        ("pt", "no domingo vem a helena", "A Helena vem no domingo?", "Não, está doente."),
        ("nl", "zondag komt sanne", "Komt Sanne zondag?", "nee die is ziek"),
    ],
)
def test_what_is_denied_of_its_day_is_off(
    closed: Closed, language: str, known: str, asked: str, answer: str
) -> None:
    visit = EarlierThread(7, "plan", "user", f'"{known}"', date(2026, 11, 22))

    assert closed(f"a: {asked}\nu: {answer}", visit, language=language) == (7,)


@pytest.mark.parametrize(
    "said",
    [
        "a: Have you bought something for Helen on Sunday?\nu: No.",
        "a: Have you baked for Helen on Sunday?\nu: No, not yet.",
        "a: Are you nervous about Helen coming on Sunday?\nu: No, not at all.",
        "a: Is Helen coming on Monday?\nu: No.",
    ],
)
def test_a_no_to_something_about_it_leaves_it(closed: Closed, said: str) -> None:
    visit = EarlierThread(7, "plan", "user", '"Helen\'s coming on Sunday."', date(2026, 11, 22))

    assert closed(said, visit) == ()


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


@pytest.mark.parametrize(
    ("language", "sent", "missed", "back"),
    [
        ("en", "I'll email you the form.", "I haven't had the form back yet.", "I'll bring it on Monday."),
        (
            "es",
            "Le mando el formulario.",
            "El formulario todavía no lo he recibido.",
            "Se lo llevo el lunes.",
        ),
        ("it", "Le mando il modulo.", "Il modulo non l'ho ancora ricevuto.", "Ve lo porto lunedì."),
    ],
)
def test_who_brings_a_form_has_it(closed: Closed, language: str, sent: str, missed: str, back: str) -> None:
    known = EarlierThread(1, "promise", "agent", f'"{sent}"')
    assert closed(f"a: {missed}\nu: {back}", known, language=language) == (1,)


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


FITTING = EarlierThread(
    1, "plan", "agent", '"We\'ve got you down for the second of December."', date(2026, 12, 2)
)


@pytest.mark.parametrize(
    "text",
    [
        "u: The second's no good now, my wife's in.\na: How about the ninth?\nu: The ninth, yeah.",
        "u: I can't do the second after all.\na: How about the ninth?\nu: The ninth's fine.",
        "u: Could we make it the ninth instead of the second?\na: Ninth it is.",
    ],
)
def test_a_day_that_is_told_by_its_number_alone_gives_way_to_the_new_one(call: Call, text: str) -> None:
    made = thread_changes(call(text), "en", BERLIN, open_before=(FITTING,))

    assert made.closes == (1,)
    assert [one.due for one in made.opened] == [date(2026, 12, 9)]


def test_the_second_of_two_things_is_no_day(closed: Closed) -> None:
    assert closed("u: The second flat's no good, it has no balcony.", FITTING) == ()


@pytest.mark.parametrize(
    ("language", "agreed", "off"),
    [
        ("en", "Friday at four.", "I'll have to skip Friday."),
        ("de", "Freitag um vier.", "Den Freitag muss ich auslassen."),
        ("es", "El viernes a las cuatro.", "El viernes me lo tengo que saltar."),
        ("fr", "Vendredi à quatre heures.", "Vendredi, je dois sauter mon tour."),
        ("it", "Venerdì alle quattro.", "Venerdì devo saltarlo."),
        ("nl", "Vrijdag om vier uur.", "Vrijdag moet ik overslaan."),
        ("pt", "Sexta às quatro.", "Sexta vou ter de saltar."),
    ],
    ids=["en", "de", "es", "fr", "it", "nl", "pt"],
)
def test_a_day_that_is_skipped_is_off(closed: Closed, language: str, agreed: str, off: str) -> None:
    plan = EarlierThread(1, "plan", "agent", f'"{agreed}"', date(2026, 11, 20))

    assert closed(f"u: {off}", plan, language=language) == (1,)


@pytest.mark.parametrize(
    ("language", "old", "over", "once"),
    [
        ("en", "Tuesdays at five, fine.", "Tuesdays don't work any more.", "This Tuesday I can't come."),
        (
            "de",
            "Dienstags um fünf, geht.",
            "Dienstag geht nicht mehr, Freitag?",
            "Diesen Dienstag kann ich nicht.",
        ),
        ("fr", "Tous les mardis, oui.", "Le mardi ça ne va plus.", "Ce mardi je ne peux pas."),
        ("es", "Los martes a las cinco, vale.", "Los martes ya no puede.", "Este martes no puede."),
        ("it", "Ogni martedì, va bene.", "Il martedì non va più bene.", "Questo martedì non posso."),
        ("pt", "Terças às cinco, pode ser.", "À terça já não dá.", "Esta terça não posso."),
        ("nl", "Elke dinsdag, prima.", "Dinsdag kan niet meer.", "Deze dinsdag kan ik niet."),
    ],
)
def test_a_series_ends_once_its_weekday_will_not_do_any_more(
    closed: Closed, language: str, old: str, over: str, once: str
) -> None:
    series = EarlierThread(1, "plan", "user", f'"?" – "{old}"')

    assert closed(f"a: .\nu: {over}\na: .", series, language=language) == (1,)
    assert closed(f"a: .\nu: {once}\na: .", series, language=language) == ()


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
