"""An offer is taken in many words, and by what goes on as if it were: few say a plain yes on the phone."""

from collections.abc import Callable
from datetime import date
from zoneinfo import ZoneInfo

import pytest

from voice_server.digest.threads.changes import thread_changes
from voice_server.domain.conversation import Message
from voice_server.domain.digest import EarlierThread, OpenThread

Opened = Callable[..., tuple[OpenThread, ...]]


@pytest.mark.parametrize(
    ("language", "offer", "reply"),
    [
        (
            "en",
            "It's ninety-five pounds, and I can do Wednesday the second of December at eight.",
            "A hundred and fourteen then. Go on.",
        ),
        ("en", "I can do Wednesday the second of December at eight.", "That's early. Go on then."),
        (
            "it",
            "La dottoressa riceve anche mercoledì 2 dicembre alle sedici e dieci.",
            "Sedici e dieci, ottimo.",
        ),
    ],
)
def test_it_is_taken_by_any_sentence_of_the_reply(
    opened: Opened, language: str, offer: str, reply: str
) -> None:
    (made,) = opened(f"a: {offer}\nu: {reply}", language)

    assert made.due == date(2026, 12, 2)


@pytest.mark.parametrize("reply", ["A hundred and fourteen then?", "That's early. But go on, ask me later."])
def test_a_question_or_a_but_takes_nothing(opened: Opened, reply: str) -> None:
    threads = opened(f"a: I can do Wednesday the second of December at eight.\nu: {reply}")

    assert not [one for one in threads if one.kind == "plan"]


@pytest.mark.parametrize(
    ("language", "offer", "reply", "back"),
    [
        (
            "en",
            "The engineer can come on Wednesday the second of December between eight and twelve.",
            "I'm at work then. But Mrs Hill opposite has a key.",
            "Wonderful, he'll ring there.",
        ),
        (
            "de",
            "Der Techniker kann am Mittwoch, dem 2. Dezember, zwischen acht und zwölf.",
            "Da bin ich arbeiten. Aber Frau Hill gegenüber hat einen Schlüssel.",
            "Wunderbar, dann klingelt er da.",
        ),
    ],
)
def test_it_is_taken_where_a_way_is_found(
    opened: Opened, language: str, offer: str, reply: str, back: str
) -> None:
    threads = opened(f"a: {offer}\nu: {reply}\na: {back}", language)

    assert [one.due for one in threads if one.kind == "plan"] == [date(2026, 12, 2)]


def test_no_way_is_found_where_the_agent_asks_on(opened: Opened) -> None:
    offer = "The engineer can come on Wednesday the second of December between eight and twelve."
    said = f"a: {offer}\nu: I'm at work then. But my neighbour has a key.\na: Great, would Friday be better?"

    assert not [one for one in opened(said) if one.due == date(2026, 12, 2)]


def test_what_the_agent_says_again_is_agreed_on(opened: Opened) -> None:
    said = (
        "u: A cut and a colour?\na: He's got half past eleven tomorrow, but only for a cut.\n"
        "u: Just the cut then.\na: Cut with Marco, half past eleven tomorrow.\nu: How much is it?"
    )
    plans = [one for one in opened(said) if one.kind == "plan"]

    assert [one.due for one in plans] == [date(2026, 11, 18)]


@pytest.mark.parametrize(
    ("language", "told"),
    [
        ("en", "Another team will come on Friday the fourth of December, between ten and twelve."),
        ("de", "Es kommt ein anderes Team am Freitag, dem 4. Dezember, zwischen zehn und zwölf."),
        ("es", "Va a ir otro equipo el viernes 4 de diciembre, entre diez y doce."),
        ("fr", "Une autre équipe viendra vendredi 4 décembre, entre dix heures et midi."),
        ("it", "Verrà un'altra squadra venerdì 4 dicembre, tra le dieci e le dodici."),
        ("nl", "Er komt een ander team op vrijdag 4 december, tussen tien en twaalf."),
        ("pt", "Vai outra equipa na sexta, 4 de dezembro, entre as dez e as doze."),
    ],
)
def test_who_is_to_come_is_expected_whatever_is_said_to_it(opened: Opened, language: str, told: str) -> None:
    (made,) = opened(f"u: Hm.\na: {told}\nu: Hm.", language)

    assert (made.kind, made.due) == ("promise", date(2026, 12, 4))


def test_a_reminder_is_told_with_what_it_is_of(opened: Opened) -> None:
    threads = opened(
        "u: Can you remind me about the chiropodist?\na: Of course. When is it?\n"
        "u: Wednesday, two o'clock, in Neath.\na: I'll ring you Wednesday morning to remind you."
    )

    assert any("chiropodist" in one.text and one.due == date(2026, 11, 18) for one in threads)


@pytest.mark.parametrize(
    ("language", "before", "offer", "answer"),
    [
        ("en", "half past seven", "It would have to be eight o'clock, not half seven.", "Eight's grand."),
        ("de", "um halb acht", "Dann müsste es acht Uhr sein, nicht halb acht.", "Acht ist gut."),
        ("es", "a las siete y media", "Entonces tendría que ser a las ocho.", "A las ocho está bien."),
        (
            "fr",
            "dix-neuf heures",
            "Alors il faudrait que ce soit à vingt heures.",
            "Vingt heures, très bien.",
        ),
        ("it", "alle sette e mezza", "Allora dovrebbe essere alle otto.", "Alle otto va bene."),
    ],
)
def test_the_only_hour_there_is_takes_the_place_of_the_one_agreed_on(
    call: Callable[[str], list[Message]], language: str, before: str, offer: str, answer: str
) -> None:
    known = EarlierThread(1, "plan", "user", f'"{before}?" – "OK."', date(2026, 12, 12))
    changes = thread_changes(
        call(f"a: Hello.\nu: Hm.\na: {offer}\nu: {answer}"),
        language,
        ZoneInfo("Europe/Berlin"),
        open_before=[known],
    )

    assert (changes.closes, [one.due for one in changes.opened]) == ((1,), [date(2026, 12, 12)])


def test_a_comma_within_a_time_divides_nothing(opened: Opened) -> None:
    said = "u: À vingt heures ?\na: Vingt heures, quatre personnes, c'est noté.\nu: Vingt heures, oui, merci."

    assert all("ingt heures" in one.text for one in opened(said, "fr"))


@pytest.mark.parametrize(
    ("language", "offer", "reply"),
    [
        ("en", "I can do Wednesday at eight, it's ninety pounds.", "Okay, I'll compare prices."),
        ("en", "I can do Wednesday at eight, it's ninety pounds.", "Right, that's a lot of money."),
        ("en", "He can come on Wednesday at eight.", "I'm at work then. But thanks anyway.\na: Okay, bye."),
        ("de", "Er kann Mittwoch um acht.", "Da arbeite ich. Aber das ist mir zu früh.\na: Gut."),
        ("de", "Ich hätte Mittwoch um acht.", "Bis dann.\na: Tschüss."),
        ("it", "Ho mercoledì alle otto.", "Ci penso.\na: Va bene."),
        ("fr", "Il peut venir mercredi à huit heures.", "Mais je suis en vacances.\na: D'accord."),
    ],
)
def test_what_nobody_took_is_not_agreed_on(opened: Opened, language: str, offer: str, reply: str) -> None:
    assert not [one for one in opened(f"a: {offer}\nu: {reply}", language) if one.kind == "plan"]


@pytest.mark.parametrize(
    ("language", "told", "asked"),
    [
        ("en", "Your rent is due on Friday.", "Shall I put you in touch with the bank?"),
        ("en", "The library is shut on Saturday.", "Shall I put you on hold?"),
        ("es", "El banco abre el lunes.", "¿Le anoto el número?"),
    ],
)
def test_nobody_is_put_down_for_what_they_only_hear(
    opened: Opened, language: str, told: str, asked: str
) -> None:
    assert not [one for one in opened(f"a: {told} {asked}\nu: OK.", language) if one.kind == "plan"]


def test_what_is_called_off_beside_it_leaves_what_is_agreed_on(opened: Opened) -> None:
    threads = opened("u: Can I come on Friday at ten instead?\na: Of course, I've cancelled the other one.")

    assert [one.due for one in threads] == [date(2026, 11, 20)]


ASKED_BEFORE = {
    "en": (
        "How about Saturday, half past ten?",
        "Is Jasmin in then?",
        "She is, yes.",
        "Then I'll take that.",
    ),
    "de": (
        "Wie wär's Samstag um halb elf?",
        "Ist da die Jasmin da?",
        "Die ist da, ja.",
        "Dann nehm ich das.",
    ),
    "es": ("¿Qué tal el sábado a las diez?", "¿Está Jasmín?", "Sí, está.", "Pues me lo quedo."),
    "fr": ("Samedi à dix heures et demie ?", "Jasmine est là ?", "Oui, elle est là.", "Alors je prends ça."),
    "it": ("Sabato alle dieci e mezza?", "C'è Jasmine?", "Sì, c'è.", "Allora prendo quello."),
    "nl": ("Zaterdag om half elf?", "Is Jasmijn er dan?", "Die is er, ja.", "Dan neem ik die."),
    "pt": ("Sábado às dez e meia?", "A Jasmim está?", "Está, sim.", "Então fico com esse."),
}


@pytest.mark.parametrize("language", ASKED_BEFORE)
def test_an_offer_is_taken_once_a_question_of_it_is_answered(opened: Opened, language: str) -> None:
    offer, asked, told, taken = ASKED_BEFORE[language]
    (made,) = opened(f"a: {offer}\nu: {asked}\na: {told}\nu: {taken}", language)

    assert (made.kind, made.due) == ("plan", date(2026, 11, 21))
    assert offer in made.text


@pytest.mark.parametrize(
    "said",
    [
        "u: Is Jasmin in?\na: No, she isn't.\nu: Okay.",
        "u: Is Jasmin in?\na: She's in on Friday.\nu: Okay.",
        "u: Is there anything later?\na: I'm afraid not.\nu: Okay.",
        "u: What does it cost?\na: Forty pounds.\nu: I'll think about it.",
        "u: What does it cost?\na: Forty pounds.\nu: Okay.\na: Shall I put you down?\nu: Not yet.",
    ],
)
def test_a_question_alone_takes_no_offer(opened: Opened, said: str) -> None:
    threads = opened(f"a: How about Saturday, half past ten?\n{said}")

    assert not [one for one in threads if one.kind == "plan"]


@pytest.mark.parametrize(
    ("language", "offer", "reply"),
    [
        ("en", "The earliest I have is Friday at two.", "Friday? Well, I haven't much choice."),
        ("de", "Der früheste Termin wäre Freitag um zwei.", "Freitag? Na ja, dann muss es wohl gehen."),
        ("es", "Lo más pronto es el viernes a las dos.", "¿El viernes? Bueno, no me queda otra."),
        ("fr", "Le plus tôt, c'est vendredi à quatorze heures.", "Vendredi ? Bon, j'ai pas trop le choix."),
        ("it", "La prima data è venerdì alle due.", "Venerdì? Va be', non ho scelta."),
        ("nl", "Het vroegste is vrijdag om twee uur.", "Vrijdag? Nou ja, dan moet het maar."),
        ("pt", "O mais cedo é sexta às duas.", "Sexta? Bom, não tenho outro remédio."),
    ],
)
def test_who_has_no_choice_takes_it(opened: Opened, language: str, offer: str, reply: str) -> None:
    threads = opened(f"a: {offer}\nu: {reply}\na: .", language)

    assert [one.due for one in threads if one.kind == "plan"] == [date(2026, 11, 20)]


THOUGHT_BETTER_OF = {
    "en": ("I've got Wednesday at nine?", "Wednesday, yes.", "Oh, no, hang on, I've got the gas man.",
           "Could you do Thursday?", "Thursday at six.", "Six'll do."),
    "de": ("Ich hätte Mittwoch um neun?", "Mittwoch, ja.", "Ach nein, warten Sie, da kommt der Gasmann.",
           "Ginge Donnerstag?", "Donnerstag um sechs.", "Um sechs passt."),
    "es": ("¿Le va el miércoles a las nueve?", "El miércoles, sí.", "Ay, no, espere, viene el del gas.",
           "¿Podría ser el jueves?", "El jueves a las seis.", "A las seis, vale."),
    "fr": ("J'ai mercredi à neuf heures ?", "Mercredi, oui.", "Ah non, attendez, j'ai le gaz.",
           "Ce serait possible jeudi ?", "Jeudi à six heures.", "Six heures, ça va."),
    "it": ("Ho mercoledì alle nove?", "Mercoledì, sì.", "Ah no, aspetti, viene quello del gas.",
           "Si può giovedì?", "Giovedì alle sei.", "Alle sei va bene."),
    "nl": ("Ik heb woensdag negen uur?", "Woensdag, ja.", "O nee, wacht, dan komt de gasman.",
           "Kan het donderdag?", "Donderdag om zes uur.", "Zes uur is goed."),
    "pt": ("Tenho quarta às nove?", "Quarta, sim.", "Ai, não, espere, vem o homem do gás.",
           "Podia ser quinta?", "Quinta às seis.", "Às seis, pode ser."),
}  # fmt: skip


@pytest.mark.parametrize("language", THOUGHT_BETTER_OF)
def test_a_yes_that_is_taken_back_at_once_takes_nothing(opened: Opened, language: str) -> None:
    offer, yes, no, asked, other, fine = THOUGHT_BETTER_OF[language]
    threads = opened(f"a: {offer}\nu: {yes} {no} {asked}\na: {other}\nu: {fine}", language)

    assert [one.due for one in threads if one.kind == "plan"] == [date(2026, 11, 19)]


def test_a_question_behind_a_yes_takes_nothing_back(opened: Opened) -> None:
    said = "a: I've got Wednesday at nine?\nu: Wednesday, yes. No, nothing else. Is Friday a bank holiday?"

    assert date(2026, 11, 18) in [one.due for one in opened(said)]


@pytest.mark.parametrize(
    ("language", "lines"),
    [
        ("en", "a: Friday at ten?\nu: No, I can't. I've no choice, I have to work.\na: I see."),
        ("en", "a: Friday at ten?\nu: I'm in hospital that day. I haven't much choice.\na: I see."),
        ("de", "a: Freitag um zehn?\nu: Da arbeite ich, ich hab keine Wahl.\na: Gut."),
        ("fr", "a: Vendredi à dix heures ?\nu: Je travaille, je n'ai pas le choix.\na: D'accord."),
        ("es", "a: ¿El viernes a las diez?\nu: Trabajo, no me queda otra.\na: Vale."),
        ("nl", "a: Vrijdag om tien uur?\nu: Dan werk ik, het is niet anders.\na: Goed."),
        ("en", "a: Saturday at ten?\nu: Does Jasmin do it?\na: Jasmin has left us.\nu: Oh. Okay.\na: Yes."),
        ("de", "a: Samstag um zehn?\nu: Ist Frau Meier da?\na: Die ist im Urlaub.\nu: Ach so. Okay, danke."),
        (
            "en",
            "a: I have Saturday at ten.\nu: What is it?\na: Two hundred pounds.\nu: Okay, thanks.\na: Bye.",
        ),
    ],
)
def test_who_cannot_or_only_heard_an_answer_takes_nothing(opened: Opened, language: str, lines: str) -> None:
    assert not [one for one in opened(lines, language) if one.kind == "plan"]


@pytest.mark.parametrize(
    ("language", "lines"),
    [
        (
            "es",
            "a: ¿El miércoles a las nueve?\nu: Sí, perfecto. No trabajo ese día. ¿A las nueve, no?\na: Sí.",
        ),
        ("pt", "a: Quarta às nove?\nu: Sim, perfeito. Não trabalho nesse dia. Às nove, certo?\na: Certo."),
    ],
)
def test_who_asks_for_the_hour_once_more_has_taken_it(opened: Opened, language: str, lines: str) -> None:
    assert [one.due for one in opened(lines, language)] == [date(2026, 11, 18)]


def test_what_is_said_behind_a_time_does_not_make_it_over(opened: Opened) -> None:
    said = "a: Samstag, der 5. Dezember, um elf, da ist die Jasmin auch da.\nu: Super, den nehm ich."
    (thread,) = opened(f"u: Geht Samstag?\n{said}", "de")

    assert (thread.kind, thread.due) == ("plan", date(2026, 12, 5))


def test_what_goes_against_a_time_is_not(opened: Opened) -> None:
    said = "a: Saturday the 5th, at eleven, but Jasmin's not in then.\nu: Oh. I'd rather have Jasmin."

    assert not [one for one in opened(f"u: Saturday?\n{said}") if one.kind == "plan"]


@pytest.mark.parametrize("yes", ["Marvellous.", "Oh fantastic.", "Magic, thanks.", "Fair enough."])
def test_there_are_many_ways_to_say_yes(opened: Opened, yes: str) -> None:
    assert [one.due for one in opened(f"a: Saturday at ten?\nu: {yes}")] == [date(2026, 11, 21)]


def test_a_day_that_was_offered_too_may_be_asked_for_instead(opened: Opened) -> None:
    said = """
        a: Friday or Monday at ten?
        u: Friday, yes. Oh no, hang on, I've got the gas man. Could you do Monday?
        a: Yes, Monday's fine.
    """

    assert [one.due for one in opened(said)] == [date(2026, 11, 23)]


def test_thanks_for_a_price_take_nothing(opened: Opened) -> None:
    assert not opened(
        "a: Saturday at ten?\nu: Is it sixty pounds?\na: Yes, sixty.\nu: Oh. Okay, thanks anyway."
    )


@pytest.mark.parametrize(
    ("language", "offer", "answer"),
    [
        ("en", "I can offer you Thursday at ten.", "Fantastic, but I'm in Leeds that day."),
        ("de", "Ich hätte Donnerstag um zehn frei.", "Super, aber da bin ich verreist."),
        ("es", "Tengo el jueves a las diez.", "Genial, pero ese día estoy fuera."),
        ("fr", "J'ai jeudi à dix heures.", "Super, mais je suis en déplacement ce jour-là."),
        ("it", "Ho giovedì alle dieci.", "Ottimo, ma quel giorno sono fuori."),
        ("nl", "Ik heb donderdag om tien uur.", "Prima, maar dan ben ik weg."),
        ("pt", "Tenho quinta às dez.", "Ótimo, mas nesse dia estou fora."),
    ],
)
def test_who_is_elsewhere_then_takes_nothing(opened: Opened, language: str, offer: str, answer: str) -> None:
    assert opened(f"a: {offer}\nu: {answer}\na: .", language) == ()


@pytest.mark.parametrize(
    ("language", "wish", "offer", "answer"),
    [
        ("es", "El sábado por la tarde, por favor.", "¿Tres y media?", "Tres y media, genial."),
        ("it", "Sabato pomeriggio, per favore.", "Tre e mezza?", "Tre e mezza, perfetto."),
        ("pt", "Sábado à tarde, por favor.", "Três e meia?", "Três e meia, ótimo."),
    ],
)
def test_half_past_is_an_hour_without_its_article(
    opened: Opened, language: str, wish: str, offer: str, answer: str
) -> None:
    found = opened(f"a: .\nu: {wish}\na: Sí. {offer}\nu: {answer}\na: .", language)

    assert [one.text for one in found if one.kind == "plan"][-1].endswith(f'"{offer}" – "{answer}"')


def test_an_offer_may_be_taken_whole_some_words_later(opened: Opened) -> None:
    said = """
        a: Thursday the third, twenty past nine? You'd be fasting.
        u: Fasting, right. No tea even?
        a: Water only.
        u: God. Okay, twenty past nine Thursday.
    """

    assert [one.due for one in opened(said)] == [date(2026, 12, 3)]


def test_who_will_have_him_there_takes_the_time(opened: Opened) -> None:
    said = "a: Friday the eleventh, at four, with the nurse?\nu: Four. I'll have him there.\na: Lovely."

    assert [one.due for one in opened(said)] == [date(2026, 12, 11)]


def test_an_hour_taken_before_another_matter_is_taken(opened: Opened) -> None:
    said = "a: I can do tuesday the first of december seven am\nu: seven alright and theres a dog in the yard"

    assert [one.due for one in opened(said)] == [date(2026, 12, 1)]


def test_a_parcel_left_with_somebody_else_is_delivered_that_day(opened: Opened) -> None:
    said = """
        a: We can redeliver Wednesday, the second.
        u: I'm at work Wednesday. Leave it with Bev at number four.
        a: Bev at number four.
    """

    assert [one.due for one in opened(said)] == [date(2026, 12, 2)]


@pytest.mark.parametrize(
    ("language", "offer", "answer"),
    [
        ("de", "Geht Mittwoch um drei?", "Ja, aber da habe ich den Hund dabei."),
        ("fr", "Mercredi à seize heures ?", "Oui, mais là j'ai une question."),
        ("es", "¿El miércoles a las tres?", "Sí, pero entonces tengo que salir a las cuatro."),
        ("en", "Wednesday at three?", "Yes, but I'm in pain."),
    ],
)
def test_a_but_that_is_no_elsewhere_takes_the_time(
    opened: Opened, language: str, offer: str, answer: str
) -> None:
    assert [one.kind for one in opened(f"a: {offer}\nu: {answer}\na: .", language)] == ["plan"]


@pytest.mark.parametrize(
    ("language", "offer", "answer"),
    [
        ("en", "There's another group on Thursday the 3rd at seven.", "That one works."),
        ("de", "Es gibt noch einen Kurs am Donnerstag, den dritten, um sieben.", "Der passt."),
        ("fr", "Il y a un cours jeudi 3 à dix-neuf heures.", "Celui-là, oui."),
        ("es", "Hay otra clase el jueves 3 a las siete.", "Ese sí."),
        ("it", "C'è un altro corso giovedì 3 alle sette.", "Quello va bene."),
        ("pt", "Há outra aula na quinta, dia 3, às sete.", "Essa serve."),
        ("nl", "Er is nog een les op donderdag de derde om zeven uur.", "Die past."),
    ],
)
def test_what_takes_place_on_a_day_is_offered_and_taken_with_that_one(
    opened: Opened, language: str, offer: str, answer: str
) -> None:
    assert [one.due for one in opened(f"a: {offer}\nu: {answer}\na: .", language)] == [date(2026, 12, 3)]


@pytest.mark.parametrize(
    ("language", "told", "answer"),
    [
        ("en", "There's a concert on Friday at eight.", "Okay."),
        ("it", "Karin c'è venerdì alle otto.", "Va bene."),
    ],
)
def test_what_is_on_or_who_is_in_is_no_offer(opened: Opened, language: str, told: str, answer: str) -> None:
    assert opened(f"a: {told}\nu: {answer}\na: .", language) == ()


@pytest.mark.parametrize(
    ("language", "offer", "taken", "day"),
    [
        ("en", "We could come on Wednesday the ninth, half eight.", "The ninth.", date(2026, 12, 9)),
        ("en", "I can get Lewis to you on Friday between eight and ten.", "Lovely.", date(2026, 11, 20)),
        ("de", "Am neunzehnten Dezember hätte ich noch einen Wagen.", "Den nehmen wir.", date(2026, 12, 19)),
        ("de", "Der Fahrer hätte Freitag, den elften Dezember.", "Freitag passt.", date(2026, 12, 11)),
        ("nl", "Dinsdag acht december, kwart over negen?", "Dan kom ik de achtste.", date(2026, 12, 8)),
    ],
)
def test_a_part_of_what_is_offered_takes_it(
    opened: Opened, language: str, offer: str, taken: str, day: date
) -> None:
    (thread,) = opened(f"a: .\nu: .\na: {offer}\nu: {taken}", language)

    assert (thread.kind, thread.due) == ("plan", day)


def test_what_is_promised_beside_an_appointment_stays_beside_it(opened: Opened) -> None:
    appointment, promise = opened("""
        a: We could come on Wednesday the ninth, half eight.
        u: The ninth. I'll clear the cupboard before that.
    """)

    assert (appointment.kind, promise.kind) == ("plan", "promise")
    assert "cupboard" in promise.text


HELD = {
    "de": ("Es gibt noch einen Kurs am Donnerstag um sieben.", "Der passt mir gut.", "Okay, danke."),
    "en": ("There's another group on Thursday at seven.", "That one works for me.", "Okay, thank you."),
    "es": ("Hay otra clase el jueves a las siete.", "Esa me viene bien.", "Vale, gracias."),
    "fr": ("Il y a un autre cours jeudi à dix-neuf heures.", "Celui-là me va.", "D'accord, merci."),
    "it": ("C'è un altro corso giovedì alle sette.", "Quello mi va bene.", "Va bene, grazie."),
    "nl": ("Er is nog een les op donderdag om zeven uur.", "Die past me goed.", "Oké, bedankt."),
    "pt": ("Há outra aula na quinta às sete.", "Essa fica bem para mim.", "Está bem, obrigada."),
}


@pytest.mark.parametrize("language", HELD)
def test_a_class_is_joined_by_who_takes_that_one(opened: Opened, language: str) -> None:
    held, taken, _ = HELD[language]
    (thread,) = opened(f"a: .\nu: .\na: {held}\nu: {taken}", language)

    assert thread.due == date(2026, 11, 19)


@pytest.mark.parametrize("language", HELD)
def test_a_class_is_not_joined_by_who_only_hears_of_it(opened: Opened, language: str) -> None:
    held, _, heard = HELD[language]

    assert not opened(f"a: .\nu: .\na: {held}\nu: {heard}", language)


WHICH_WEEKDAY = {
    "de": (
        "Am dritten Dezember um fünf?",
        "Was ist das für ein Tag?",
        "Ein Donnerstag.",
        "Gut, um fünf bin ich da.",
    ),
    "en": ("The third of December, at five?", "What day's that?", "A Thursday.", "Go on, five's fine."),
    "es": ("¿El tres de diciembre, a las cinco?", "¿Qué día cae?", "Jueves.", "Venga, a las cinco estoy."),
    "fr": (
        "Le trois décembre, à cinq heures ?",
        "C'est quel jour ?",
        "Un jeudi.",
        "D'accord, à cinq heures.",
    ),
}


@pytest.mark.parametrize("language", WHICH_WEEKDAY)
def test_an_offer_is_taken_once_its_weekday_is_told(opened: Opened, language: str) -> None:
    offer, asked, told, taken = WHICH_WEEKDAY[language]
    (thread,) = opened(f"a: .\nu: .\na: {offer}\nu: {asked}\na: {told}\nu: {taken}\na: .", language)

    assert (thread.kind, thread.due) == ("plan", date(2026, 12, 3))


def test_an_hour_that_is_the_number_of_another_day_leaves_that(opened: Opened) -> None:
    found = opened(
        """
        a: Quer voltar quando?
        u: Volto dia sete de dezembro.
        a: Com a Júlia, quarta, dia nove, sete da noite?
        u: Sete da noite, fechado.
        """,
        "pt",
    )

    assert [one.due for one in found] == [date(2026, 12, 7), date(2026, 12, 9)]


@pytest.mark.parametrize(
    ("language", "asked", "booked"),
    [
        ("es", "¿Y el médico?", "¡Ya tengo cita! El ocho de diciembre a la una."),
        ("pt", "E a médica?", "Marcada! Dia oito de dezembro, uma da tarde."),
    ],
)
def test_what_is_asked_for_is_booked_on_the_day_told_behind_it(
    opened: Opened, language: str, asked: str, booked: str
) -> None:
    (thread,) = opened(f"a: .\nu: .\na: {asked}\nu: {booked}\na: .", language)

    assert (thread.kind, thread.due) == ("plan", date(2026, 12, 8))


@pytest.mark.parametrize(
    ("language", "taken"),
    [
        ("de", "Kurz vor Weihnachten... na, machen wir, elf Uhr."),
        ("en", "Just before Christmas... well, go on then, eleven."),
        ("nl", "Vlak voor kerst... nou, doe maar, elf uur."),
    ],
)
def test_a_yes_behind_a_hesitation_takes_the_day_that_was_offered(
    opened: Opened, language: str, taken: str
) -> None:
    offer = {
        "de": "Montag, den 21. Dezember, um elf?",
        "en": "Monday the 21st of December at eleven?",
        "nl": "Maandag 21 december om elf uur?",
    }[language]
    (thread,) = opened(f"a: .\nu: .\na: {offer}\nu: {taken}\na: .", language)

    assert thread.due == date(2026, 12, 21)


def test_a_day_offered_by_its_number_is_no_series(opened: Opened) -> None:
    (thread,) = opened(
        "a: Podemos ir este lunes 23, a las siete.\nu: Los lunes cierro, mejor.\na: Vale.", "es"
    )

    assert thread.due == date(2026, 11, 23)


@pytest.mark.parametrize(
    ("language", "offer", "taken"),
    [
        (
            "en",
            "I've got Wednesday at nine or Thursday at two.",
            "He's at nursery in the morning, so Thursday.",
        ),
        (
            "de",
            "Mittwoch um neun oder Donnerstag um zwei.",
            "Vormittags ist er in der Kita, also Donnerstag.",
        ),
    ],
)
def test_a_reason_with_the_day_it_leaves_takes_that(
    opened: Opened, language: str, offer: str, taken: str
) -> None:
    (thread,) = opened(f"a: .\nu: .\na: {offer}\nu: {taken}\na: .", language)

    assert (thread.kind, thread.due) == ("plan", date(2026, 11, 19))


def test_who_packs_on_the_day_takes_none(opened: Opened) -> None:
    assert (
        opened("a: Wednesday at nine or Thursday at two?\nu: I'm off on Friday, so Thursday I'm packing.")
        == ()
    )
