"""A time that is proposed and taken is an appointment; one that is only spoken of is none."""

import re
from collections.abc import Callable
from datetime import UTC, date, datetime
from zoneinfo import ZoneInfo

import pytest
from msgspec.structs import replace

from voice_server.digest.threads.changes import thread_changes
from voice_server.domain.conversation import Message
from voice_server.domain.digest import OpenThread

Call = Callable[[str], list[Message]]
Opened = Callable[..., tuple[OpenThread, ...]]


def test_a_farewell_that_names_the_day_wished_for_agrees_to_it(opened: Opened) -> None:
    (thread,) = opened("u: I'd like to come by on Friday with the cat.\na: See you on Friday then.")

    assert thread.text == '"I\'d like to come by on Friday with the cat." – "See you on Friday then."'
    assert thread.due == date(2026, 11, 20)


def test_an_accepted_proposal_is_an_appointment(opened: Opened) -> None:
    (thread,) = opened("a: Thursday at half past four?\nu: yeah thats good\na: Bye.")

    assert (thread.kind, thread.text) == ("plan", '"Thursday at half past four?" – "yeah thats good"')
    assert thread.due == date(2026, 11, 19)


@pytest.mark.parametrize(
    ("said", "language"),
    [
        (
            "u: I can't make ten tomorrow. Could we do half past four?\na: Half past four is free.\nu: Fine.",
            "en",
        ),
        (
            "u: Morgen um zehn schaffe ich nicht. Ginge auch halb fünf?\na: Ja, halb fünf geht.\nu: Gut.",
            "de",
        ),
    ],
)
def test_another_hour_is_on_the_day_just_named(opened: Opened, said: str, language: str) -> None:
    (thread,) = opened(said, language)

    assert thread.due == date(2026, 11, 18)


@pytest.mark.parametrize(
    ("language", "asked", "answered"),
    [
        ("en", "Does Friday at ten work?", "Perfect."),
        ("en", "Are you free on Friday at ten?", "Yes I am."),
        ("en", "I have Friday at ten or Monday at two.", "Friday, please."),
        ("de", "Passt Freitag um zehn?", "Ja."),
        ("es", "¿Qué tal el viernes a las diez?", "Perfecto."),
        ("fr", "Vendredi à dix heures, ça vous va ?", "Parfait."),
        ("it", "Le andrebbe bene venerdì alle dieci?", "Sì."),
        ("pt", "Pode ser sexta às dez?", "Pode."),
        ("nl", "Komt vrijdag om tien uur uit?", "Prima."),
        ("en", "I can't do Thursday, could we do Friday?", "Yes, Friday works."),
        ("fr", "Jeudi je ne peux pas, on peut décaler à vendredi ?", "Oui, vendredi à dix heures."),
    ],
)
def test_a_time_agreed_on_is_an_appointment_in_every_language(
    opened: Opened, language: str, asked: str, answered: str
) -> None:
    (thread,) = opened(f"a: {asked}\nu: {answered}", language)

    assert (thread.kind, thread.text) == ("plan", f'"{asked}" – "{answered}"')
    assert thread.due == date(2026, 11, 20)


def test_a_time_given_in_answer_to_when_is_agreed_on_by_a_word(opened: Opened) -> None:
    (thread,) = opened("a: When would suit you?\nu: Friday at ten.\na: Great, see you then.")

    assert (thread.kind, thread.due) == ("plan", date(2026, 11, 20))


@pytest.mark.parametrize(
    ("language", "asked", "answered"),
    [
        ("en", "Does Friday at ten work?", "Not Friday, sorry."),
        ("en", "Are you open on Friday at ten?", "Yes."),
        ("en", "Is there a train on Friday at ten?", "Yes."),
        ("es", "¿Abren el viernes a las diez?", "Sí."),
        ("fr", "Vous êtes ouverts vendredi à dix heures ?", "Oui."),
        ("pt", "Há comboio na sexta às dez?", "Sim."),
    ],
)
def test_a_time_asked_about_and_not_agreed_on_is_no_appointment(
    opened: Opened, language: str, asked: str, answered: str
) -> None:
    assert opened(f"a: Hello.\nu: {asked}\na: {answered}", language) == ()


def test_what_only_confirms_an_accepted_proposal_is_no_thread_of_its_own(opened: Opened) -> None:
    (thread,) = opened("u: A table on Saturday?\na: Saturday at seven?\nu: Yes, perfect.\na: All booked.")

    assert thread.text == '"Saturday at seven?" – "Yes, perfect."'


def test_the_day_from_which_something_is_to_be_moved_is_no_appointment(opened: Opened) -> None:
    text = """
        u: hi can i move my cut its friday at eleven
        a: Sure. When would you like?
        a: Tuesday at quarter past three?
        u: Yes, fine.
    """

    assert [thread.due for thread in opened(text)] == [date(2026, 11, 24)]


@pytest.mark.parametrize(
    ("language", "asked", "said", "heard", "due"),
    [
        ("en", "When would you like to come?", "On Thursday, no, Friday.", "Good.", date(2026, 11, 20)),
        (
            "en",
            "When would you like to come?",
            "On Thursday. Scratch that, Friday.",
            "Good.",
            date(2026, 11, 20),
        ),
        (
            "en",
            "When would you like to come?",
            "By the 7th of April. No, hang on, the 17th of April.",
            "Good.",
            date(2027, 4, 17),
        ),
        (
            "de",
            "Wann möchten Sie kommen?",
            "Am Donnerstag, nein, am Freitag.",
            "Ist eingetragen.",
            date(2026, 11, 20),
        ),
        ("fr", "Quand voulez-vous venir ?", "Jeudi, enfin vendredi.", "C'est noté.", date(2026, 11, 20)),
        (
            "es",
            "¿Cuándo quiere venir?",
            "El jueves, o mejor el viernes.",
            "De acuerdo, apuntado.",
            date(2026, 11, 20),
        ),
        ("it", "Quando vuole venire?", "Giovedì, anzi venerdì.", "Va bene, segnato.", date(2026, 11, 20)),
        (
            "nl",
            "Wanneer wilt u komen?",
            "Donderdag, of liever vrijdag.",
            "Dat staat genoteerd.",
            date(2026, 11, 20),
        ),
        ("pt", "Quando quer vir?", "Na quinta, aliás na sexta.", "Está marcado.", date(2026, 11, 20)),
    ],
)
def test_the_day_that_takes_another_ones_place_in_one_breath_is_due(
    opened: Opened, language: str, asked: str, said: str, heard: str, due: date
) -> None:
    assert [one.due for one in opened(f"a: {asked}\nu: {said}\na: {heard}", language)] == [due]


def test_what_the_asker_puts_right_stands_beside_their_own_words(opened: Opened) -> None:
    (thread,) = opened(
        "u: Does Friday at ten work?\na: Perfect, see you at ten.\nu: No wait, make it eleven."
    )

    assert (thread.text, thread.said_by) == ('"Does Friday at ten work? … No wait, make it eleven."', "user")


def test_a_farewell_agrees_to_no_other_day_than_was_wished_for(opened: Opened) -> None:
    threads = opened(
        "u: We're in Bath from the 3rd to the 5th of December, so that Thursday is out.\n"
        "a: Noted. See you on Thursday!"
    )

    assert [thread.due for thread in threads] == [date(2026, 12, 5)]


@pytest.mark.parametrize(
    ("language", "offered", "taken"),
    [
        ("en", "Then I can take a look at it tomorrow at ten.", "Tomorrow at ten is fine."),
        ("de", "Dann kann ich mir das morgen um zehn ansehen.", "Morgen um zehn ist prima."),
        ("es", "Entonces puedo mirarlo mañana a las diez.", "Mañana a las diez está bien."),
        ("fr", "Alors je peux regarder ça demain à dix heures.", "Demain à dix heures, parfait."),
        ("it", "Allora posso guardarlo domani alle dieci.", "Domani alle dieci va bene."),
        ("pt", "Então posso ver isso amanhã às dez.", "Amanhã às dez está ótimo."),
        ("nl", "Dan kan ik er morgen om tien uur naar kijken.", "Morgen om tien uur is prima."),
    ],
)
def test_a_day_that_is_taken_up_by_its_name_is_an_appointment(
    opened: Opened, language: str, offered: str, taken: str
) -> None:
    (thread,) = opened(f"u: Hallo.\na: {offered}\nu: {taken}", language)

    assert (thread.kind, thread.due) == ("plan", date(2026, 11, 18))


@pytest.mark.parametrize(
    ("language", "answered", "agreed"),
    [
        ("en", "I'll say Friday.", "Friday at ten, you are booked in."),
        ("en", "I'll tell you, Friday is best.", "Friday it is, you are booked in."),
        ("de", "Ich sage mal Montag.", "Gut, Montag um zehn ist eingetragen."),
        ("es", "Digo el lunes.", "Perfecto, queda reservado el lunes a las diez."),
        ("nl", "Ik zeg maandag.", "Prima, maandag om tien uur staat genoteerd."),
    ],
)
def test_a_day_that_is_named_is_no_answer_put_off(
    opened: Opened, language: str, answered: str, agreed: str
) -> None:
    (thread,) = opened(f"a: Which day suits you?\nu: {answered}\na: {agreed}", language)

    assert thread.kind == "plan"


@pytest.mark.parametrize(
    ("asked", "answered", "due"),
    [
        ("Could you do Saturday the twelfth of December?", "Ten till two on the twelfth, yes.", (12, 12)),
        ("I suggest Thursday the twenty-sixth at six.", "Thursday at six is good.", (11, 26)),
        ("We can start on Monday the thirtieth.", "The thirtieth works.", (11, 30)),
    ],
)
def test_a_day_that_is_named_in_full_settles_the_answers_weekday_or_number(
    opened: Opened, asked: str, answered: str, due: tuple[int, int]
) -> None:
    (thread,) = opened(f"u: Hello.\na: {asked}\nu: {answered}")

    assert thread.due == date(2026, *due)


def test_a_time_that_is_said_back_and_confirmed_is_an_appointment(opened: Opened) -> None:
    said = """
        a: so wednesday at nine forty or friday at two fifteen
        u: oh wednesday's no good i've got the kids friday two fifteen works
        a: friday the twentieth at two fifteen then
        u: perfect and does he need to fast
            a: No.
    """
    assert [(one.kind, one.due) for one in opened(said)] == [("plan", date(2026, 11, 20))]


def test_an_amount_is_no_hour(opened: Opened) -> None:
    assert opened("a: it's six fifteen now\nu: six fifteen okay it's gotta be done i suppose") == ()


def test_an_hour_of_several_may_be_chosen(opened: Opened) -> None:
    (thread,) = opened("a: On Thursday I have nine or twenty past four.\nu: Twenty past four. Lovely.")

    assert (thread.kind, thread.due) == ("plan", date(2026, 11, 19))


def test_a_yes_that_goes_on_about_something_else_is_told_alone(opened: Opened) -> None:
    (thread,) = opened(
        "a: Thursday at eight?\nu: yes and if i fail that exam i become a shepherd like grandpa"
    )

    assert thread.text == '"Thursday at eight?" – "yes"'


@pytest.mark.parametrize(
    ("language", "text", "due", "told"),
    [
        (
            "en",
            "a: Yewande has Thursday the 26th at twenty to five.\nu: Twenty to five, Thursday. Yes.",
            26,
            "Yewande",
        ),
        (
            "en",
            "a: Next Tuesday?\nu: Not Tuesday, I'm away. Wednesday the 25th at ten.\na: Wednesday at ten.",
            25,
            "at ten",
        ),
        (
            "it",
            "u: Venerdì 27 verso le undici?\na: Venerdì alle undici c'è Ornella, perfetto.",
            27,
            "Ornella",
        ),
        ("nl", "a: Vrijdag de 27ste om half vijf?\nu: Half vijf, prima.", 27, "prima"),
    ],
)
def test_a_time_is_agreed_on_by_who_takes_it_up(
    opened: Opened, language: str, text: str, due: int, told: str
) -> None:
    (thread,) = opened(f"a: Hello.\n{text}", language)

    assert (thread.kind, thread.due) == ("plan", date(2026, 11, due))
    assert told in thread.text


@pytest.mark.parametrize(
    ("language", "text", "due"),
    [
        ("en", "u: I need a groom for the dog.\na: I can do Friday at two.\nu: yesss", date(2026, 11, 20)),
        (
            "de",
            "u: Ich brauche einen Termin.\na: Am vierten Dezember ginge um neun.\nu: Ist gut.",
            date(2026, 12, 4),
        ),
        (
            "fr",
            "u: C'est pour un devis.\na: On peut passer le 1er décembre à dix heures.\nu: Top.",
            date(2026, 12, 1),
        ),
        (
            "nl",
            "u: Een afspraak graag.\na: Dat kan op 3 december om twee uur.\nu: Ja, doe maar.",
            date(2026, 12, 3),
        ),
    ],
)
def test_a_time_that_an_agent_has_to_give_is_taken_by_a_yes(
    opened: Opened, language: str, text: str, due: date
) -> None:
    (thread,) = opened(f"a: Hello.\n{text}", language)

    assert (thread.kind, thread.due) == ("plan", due)


@pytest.mark.parametrize(
    "text",
    [
        "a: We open on Monday at nine.\nu: Okay.",
        "a: The museum has a new wing.\nu: Yes, lovely.",
        "a: It's six fifteen now.\nu: Six fifteen, okay.",
        "a: Could you come on Tuesday at two?\nu: Tuesday I have my feet done.",
    ],
)
def test_a_yes_to_something_else_is_no_appointment(opened: Opened, text: str) -> None:
    assert opened(f"u: Hello.\n{text}") == ()


@pytest.mark.parametrize(
    ("language", "text"),
    [
        ("en", "a: How about Friday at two?\nu: Friday at two I'm at work."),
        ("en", "u: Could I come on Sunday at ten?\na: We're shut on Sunday."),
        ("en", "u: Could I come on Friday at six?\na: Friday we only do lunch."),
        ("en", "a: Friday at two?\nu: It depends on my boss, right."),
        ("de", "a: Freitag um zwei?\nu: Freitag um zwei hab ich Chor."),
        ("es", "a: ¿El viernes a las dos?\nu: El viernes a las dos trabajo."),
        ("fr", "a: Vendredi à deux heures ?\nu: Vendredi à deux heures je travaille."),
        ("it", "a: Venerdì alle due?\nu: Venerdì alle due lavoro."),
        ("pt", "a: Sexta às duas?\nu: Sexta às duas estou a trabalhar."),
        ("nl", "a: Vrijdag om twee uur?\nu: Vrijdag om twee uur werk ik."),
        ("en", "a: He has a class Friday at two. Do you want to leave a message?\nu: Yes please."),
        ("en", "a: Dr Hale has surgery on Friday at two.\nu: Right, yes."),
        ("es", "a: ¿El uno o el dos?\nu: El dos, perfecto."),
    ],
)
def test_what_names_the_time_and_does_not_take_it_is_no_plan(
    opened: Opened, language: str, text: str
) -> None:
    assert opened(text, language) == ()


def test_who_finds_out_about_a_time_agrees_on_nothing(opened: Opened) -> None:
    (thread,) = opened("u: Is Friday at two possible?\na: I'll ask Dr Hale about Friday and ring you.")

    assert (thread.kind, thread.said_by) == ("promise", "agent")


@pytest.mark.parametrize(
    ("language", "slot", "taken"),
    [
        ("en", "I can see Biscuit tomorrow at nine fifteen.", "Great, I'll bring him in."),
        ("de", "Ich kann Biscuit morgen um neun drannehmen.", "Super, ich bringe ihn vorbei."),
        ("fr", "Je peux voir Biscuit demain à neuf heures.", "Parfait, je l'amène."),
        ("es", "Puedo ver a Biscuit mañana a las nueve.", "Genial, lo llevo."),
        ("it", "Posso vedere Biscuit domani alle nove.", "Perfetto, lo porto."),
        ("nl", "Ik kan Biscuit morgen om negen uur zien.", "Fijn, ik breng hem langs."),
        ("pt", "Posso ver o Biscuit amanhã às nove.", "Ótimo, eu levo-o."),
    ],
)
def test_who_says_that_they_will_come_takes_the_slot(
    opened: Opened, language: str, slot: str, taken: str
) -> None:
    (thread,) = opened(f"a: {slot}\nu: {taken}", language)

    assert (thread.kind, thread.due) == ("plan", date(2026, 11, 18))


def test_calling_off_another_day_leaves_what_was_agreed(opened: Opened) -> None:
    agreed = "a: Friday at twenty to three?\nu: Friday, twenty to three, yes."

    (thread,) = opened(f"{agreed}\na: So I've cancelled the Wednesday one.")
    assert (thread.kind, thread.due) == ("plan", date(2026, 11, 20))


@pytest.mark.parametrize("said", ["Friday at ten is full, sorry.", "Friday is a holiday."])
def test_a_time_that_the_agent_refuses_is_no_plan(opened: Opened, said: str) -> None:
    assert opened(f"a: When would you like to come?\nu: Friday at ten.\na: {said}") == ()


@pytest.mark.parametrize(
    ("language", "asked", "offered", "taken"),
    [
        ("en", "Do you have a table?", "Friday at half past eight, is that all right?", "Perfect."),
        ("en", "Do you have a table?", "I've got Friday at half past eight. How's that for you?", "Great."),
        (
            "de",
            "Haben Sie einen Tisch?",
            "Ich hätte Freitag um halb neun. Wäre Ihnen das recht?",
            "Ja, gern.",
        ),
        ("es", "¿Tiene mesa?", "Tengo el viernes a las ocho y media. ¿Le va bien?", "Perfecto."),
        ("fr", "Vous avez une table ?", "J'ai vendredi à vingt heures. Ça vous va ?", "Parfait."),
        ("it", "Ha un tavolo?", "Ho venerdì alle otto e mezza. È possibile?", "Sì, benissimo."),
        ("nl", "Heeft u een tafel?", "Vrijdag om half negen. Schikt dat?", "Prima."),
        ("pt", "Tem mesa?", "Tenho sexta às oito e meia. Pode ser?", "Perfeito."),
    ],
)
def test_a_time_of_which_it_is_asked_whether_it_suits_is_proposed(
    opened: Opened, language: str, asked: str, offered: str, taken: str
) -> None:
    said = f"a: Hello.\nu: {asked}\na: {offered}\nu: {taken}"

    assert [one.due for one in opened(said, language)] == [date(2026, 11, 20)]


@pytest.mark.parametrize(
    ("language", "offered", "said"),
    [
        ("en", "Shall I remind you about the form on Friday?", "That's okay, I'll remember."),
        ("fr", "Voulez-vous que je vous rappelle vendredi ?", "Ça va, merci."),
    ],
)
def test_who_only_says_that_it_is_all_right_takes_no_offer(
    opened: Opened, language: str, offered: str, said: str
) -> None:
    assert opened(f"u: Hm.\na: {offered}\nu: {said}", language) == ()


def test_a_day_that_is_cancelled_is_not_agreed_on(opened: Opened) -> None:
    text = "u: I've got Monday and Wednesday.\na: All right, Wednesday is cancelled.\nu: Thanks."

    assert opened(text) == ()


def test_whether_somebody_came_is_no_proposal(opened: Opened) -> None:
    assert opened("a: War Alvin am Sonntag da?\nu: Ja, es war sehr schön.", "de") == ()


@pytest.mark.parametrize(
    ("language", "offer", "answer", "day"),
    [
        ("en", "I could do the eighth of next month at ten.", "The eighth, fine.", date(2026, 12, 8)),
        ("en", "The eighth of next month at ten?", "The eighth's great.", date(2026, 12, 8)),
        ("de", "Da hätte ich den neunten nächsten Monat, um acht.", "Den neunten, ja.", date(2026, 12, 9)),
        ("es", "Tengo el diez del mes que viene por la mañana.", "el diez muy bien", date(2026, 12, 10)),
        ("fr", "Le onze du mois prochain, ça vous va ?", "Le onze... oui.", date(2026, 12, 11)),
        ("it", "Il quattordici del mese prossimo alle nove.", "Il quattordici, sì.", date(2026, 12, 14)),
        ("pt", "tenho dia oito do mês que vem às nove", "dia oito tá ótimo", date(2026, 12, 8)),
        ("nl", "De tiende van volgende maand, om half negen.", "De tiende, prima.", date(2026, 12, 10)),
    ],
)
def test_who_says_the_number_of_the_day_again_takes_it(
    opened: Opened, language: str, offer: str, answer: str, day: date
) -> None:
    (thread,) = opened(f"u: Hallo.\na: {offer}\nu: {answer}", language)

    assert (thread.kind, thread.due) == ("plan", day)


@pytest.mark.parametrize(
    ("language", "offer", "answer"),
    [
        ("de", "dann kommen wir am mittwoch um sieben uhr früh", "um sieben okay"),
        ("it", "allora veniamo mercoledì alle sette", "sette va bene"),
        ("es", "pues vamos el miércoles a las siete", "a las siete muy bien"),
    ],
)
def test_an_hour_is_the_same_without_the_words_beside_it(
    opened: Opened, language: str, offer: str, answer: str
) -> None:
    (thread,) = opened(f"u: hallo\na: {offer}\nu: {answer}", language)

    assert thread.due == date(2026, 11, 18)


def test_an_hour_said_after_its_day_is_told(opened: Opened) -> None:
    (thread,) = opened(
        "a: what day would you like to come in\nu: tuesday\na: for tuesday and what time would you like\n"
        "u: eight fifteen a m\na: okay"
    )

    assert "eight fifteen" in thread.text
    assert thread.due == date(2026, 11, 24)


def test_an_hour_that_is_only_offered_is_not_agreed_on(opened: Opened) -> None:
    text = """
        u: I'd like a table on Saturday the fifth.
        a: Sure, at eight?
        u: That's too late for us.
    """

    assert [thread.text for thread in opened(text)] == ['"I\'d like a table on Saturday the fifth."']


@pytest.mark.parametrize(
    ("language", "offered", "later", "other", "yes"),
    [
        ("en", "Saturday the 21st at ten?", "Something a bit later?", "Quarter to twelve.", "Yes, please."),
        ("de", "Samstag, den 21., um zehn?", "Lieber etwas später.", "Viertel vor zwölf.", "Ja, gern."),
        (
            "fr",
            "Samedi 21 à dix heures ?",
            "Un peu plus tard plutôt.",
            "Midi moins le quart.",
            "Oui, d'accord.",
        ),
        ("nl", "Zaterdag de 21e om tien uur?", "Liever wat later.", "Kwart voor twaalf.", "Ja, graag."),
    ],
)
def test_another_hour_that_is_told_and_taken_is_agreed_on(
    opened: Opened, language: str, offered: str, later: str, other: str, yes: str
) -> None:
    (thread,) = opened(f"a: {offered}\nu: {later}\na: {other}\nu: {yes}", language)

    assert other in thread.text
    assert thread.due == date(2026, 11, 21)


@pytest.mark.parametrize(
    ("language", "told", "yes"),
    [
        ("en", "You can come in on Friday at one.", "Okay, great."),
        ("de", "Sie können am Freitag um eins kommen.", "Okay, gut."),
        ("es", "Puede pasar el viernes a la una.", "Vale, perfecto."),
        ("fr", "Vous pouvez passer vendredi à treize heures.", "D'accord, parfait."),
        ("it", "Può passare venerdì all'una.", "Va bene, perfetto."),
        ("pt", "Pode passar na sexta às treze.", "Está bem, perfeito."),
        ("nl", "U kunt vrijdag om één uur langskomen.", "Oké, prima."),
    ],
)
def test_when_one_may_come_is_agreed_on_by_a_yes(opened: Opened, language: str, told: str, yes: str) -> None:
    (thread,) = opened(f"a: {told}\nu: {yes}", language)

    assert (thread.kind, thread.due) == ("plan", date(2026, 11, 20))


@pytest.mark.parametrize(
    ("language", "wish", "hour", "yes"),
    [
        ("en", "Could I come on Friday?", "One o'clock?", "Yes, please."),
        ("en", "Could I come on Friday?", "Half past one?", "Yes, please."),
        ("de", "Kann ich am Freitag kommen?", "Um eins?", "Klingt gut."),
        ("es", "¿Puedo ir el viernes?", "¿A la una?", "Por mí bien."),
        ("fr", "Je peux venir vendredi ?", "À une heure ?", "Bon, d'accord."),
        ("it", "Posso venire venerdì?", "All'una?", "Sì, va bene."),
        ("pt", "Posso ir na sexta?", "À uma?", "Fechou."),
        ("nl", "Kan ik vrijdag komen?", "Om één uur?", "Lijkt me goed."),
    ],
)
def test_one_is_an_hour_and_a_yes_a_yes(
    opened: Opened, language: str, wish: str, hour: str, yes: str
) -> None:
    (thread,) = opened(f"u: {wish}\na: {hour}\nu: {yes}", language)

    assert (thread.kind, thread.due) == ("plan", date(2026, 11, 20))


@pytest.mark.parametrize(
    ("language", "asked", "wish", "answer"),
    [
        (
            "en",
            "Shall we book?",
            "Yes, in January.",
            "Okay, I'll find something in January and ring you back.",
        ),
        ("de", "Planen wir?", "Ja, im Januar.", "Gut, ich suche was im Januar und rufe Sie zurück."),
        ("es", "¿Cuándo le viene bien?", "Sí, en enero.", "Vale, busco algo en enero y le llamo."),
        ("fr", "On le prévoit ?", "Oui, en janvier.", "D'accord, je cherche en janvier et je vous rappelle."),
        ("it", "Lo fissiamo?", "Sì, a gennaio.", "Va bene, cerco qualcosa a gennaio e la richiamo."),
        ("pt", "Marcamos?", "Sim, em janeiro.", "Certo, procuro em janeiro e ligo-lhe de volta."),
        ("nl", "Zullen we?", "Ja, in januari.", "Goed, ik zoek iets in januari en bel u terug."),
    ],
)
def test_who_looks_for_a_time_and_rings_back_has_agreed_on_none(
    opened: Opened, language: str, asked: str, wish: str, answer: str
) -> None:
    (thread,) = opened(f"a: {asked}\nu: {wish}\na: {answer}\nu: OK.", language)

    assert (thread.kind, thread.said_by) == ("promise", "agent")


@pytest.mark.parametrize(
    ("language", "offer", "answer"),
    [
        ("en", "Selin could do Thursday, December 3rd at ten.", "Oh, all right, then with Selin. Ten, yes."),
        (
            "de",
            "Jana ist in Elternzeit, aber Selin könnte am Donnerstag, den 3. Dezember um 10 Uhr.",
            "10 Uhr.",
        ),
        ("es", "Selin podría el jueves tres de diciembre a las diez.", "Pues con Selin. A las diez, sí."),
        ("fr", "Selin pourrait jeudi trois décembre à dix heures.", "Bon, avec Selin. Dix heures, oui."),
        ("it", "Selin potrebbe giovedì tre dicembre alle dieci.", "Allora con Selin. Alle dieci, sì."),
        ("pt", "A Selin podia na quinta, dia três de dezembro, às dez.", "Então com a Selin. Às dez, sim."),
        ("nl", "Selin zou donderdag drie december om tien uur kunnen.", "Nou goed, bij Selin. Tien uur, ja."),
    ],
)
def test_a_time_is_taken_behind_a_first_word_of_something_else(
    opened: Opened, language: str, offer: str, answer: str
) -> None:
    (thread,) = opened(f"a: Hello.\nu: Hm.\na: {offer}\nu: {answer}\na: OK.", language)

    assert (thread.kind, thread.due) == ("plan", date(2026, 12, 3))


@pytest.mark.parametrize(
    ("language", "offer", "answer"),
    [
        ("en", "Tuesday at half past ten?", "yes that's fine and i'll send you the invoices by friday"),
        ("en", "Tuesday at half past ten then.", "Very good. And I'll send you the invoices by Friday."),
        ("de", "Dienstag um halb elf?", "ja passt und die rechnungen schicke ich ihnen bis freitag"),
        ("es", "Pues el martes a las diez.", "Muy bien. Y las facturas se las paso antes del viernes."),
        ("fr", "Mardi à dix heures ?", "oui d'accord et je vous envoie les factures avant vendredi"),
        ("it", "Martedì alle dieci?", "sì va bene e le fatture ve le mando entro venerdì"),
        ("pt", "Terça às dez?", "sim está bem e as faturas mando-lhas até sexta"),
        ("nl", "Dinsdag om half elf?", "ja prima en de facturen stuur ik u voor vrijdag"),
    ],
)
def test_a_yes_to_a_day_and_a_promise_behind_it_are_two_matters(
    opened: Opened, language: str, offer: str, answer: str
) -> None:
    threads = opened(f"a: {offer}\nu: {answer}", language)

    days = [("plan", date(2026, 11, 24)), ("promise", date(2026, 11, 20))]
    assert [(one.kind, one.due) for one in threads] == days
    assert offer not in threads[1].text


@pytest.mark.parametrize(
    ("language", "offer", "answer"),
    [
        ("en", "Shall I remind you on Thursday?", "yes please and on sunday helen is coming for lunch"),
        ("de", "Soll ich Sie am Donnerstag erinnern?", "das wär lieb und am sonntag kommt jonas zum kaffee"),
        ("es", "¿Se lo recuerdo el jueves?", "sí por favor y el domingo viene elena a comer"),
        ("fr", "Je vous le rappelle jeudi ?", "oui s'il vous plaît et dimanche hélène vient déjeuner"),
        ("it", "Vuole che glielo ricordi giovedì?", "sì grazie e domenica viene elisa la mia nipotina"),
        ("pt", "Lembro-lhe na quinta?", "sim por favor e no domingo a helena vem almoçar"),
        ("nl", "Zal ik u donderdag even herinneren?", "graag en zondag komt sanne mijn kleindochter"),
    ],
)
def test_a_yes_to_a_reminder_and_what_else_is_on_are_two_matters(
    opened: Opened, language: str, offer: str, answer: str
) -> None:
    threads = opened(f"a: {offer}\nu: {answer}", language)

    days = [("request", date(2026, 11, 19)), ("plan", date(2026, 11, 22))]
    assert [(one.kind, one.due) for one in threads] == days


@pytest.mark.parametrize(
    ("language", "wish", "refusal", "instead"),
    [
        (
            "en",
            "I'd like a room from the 4th to the 7th of December.",
            "We're full.",
            "The 11th to the 13th then.",
        ),
        ("it", "Vorrei una camera dal 4 al 7 dicembre.", "Siamo al completo.", "Allora dall'11 al 13."),
    ],
)
def test_days_that_are_named_after_others_were_refused_are_taken_by_a_yes(
    opened: Opened, language: str, wish: str, refusal: str, instead: str
) -> None:
    [thread] = opened(f"u: {wish}\na: {refusal}\nu: {instead}\na: Perfect.", language)

    assert thread.due == date(2026, 12, 13)


@pytest.mark.parametrize(
    ("language", "offer", "answer"),
    [
        ("en", "Thursday at four?", "okay and what if I can't come that day"),
        ("de", "Donnerstag um vier?", "ja und dann verpass ich meinen bus das geht nicht"),
        ("nl", "Donderdag om vier uur?", "ja en dan mis ik mijn bus dat gaat niet"),
        ("pt", "Quinta às quatro?", "sim e depois perco o autocarro não dá"),
        ("es", "¿El jueves a las cuatro?", "vale y si ese día no puedo ir"),
        ("it", "Giovedì alle quattro?", "va bene e se quel giorno non posso venire"),
    ],
)
def test_an_and_that_takes_it_back_is_no_other_matter(
    opened: Opened, language: str, offer: str, answer: str
) -> None:
    assert opened(f"a: {offer}\nu: {answer}\na: Hm.", language) == ()


def test_yes_and_no_is_told_whole(opened: Opened) -> None:
    for thread in opened("a: Thursday at four?\nu: yes and no I have to ask my husband first\na: ok"):
        assert "yes and no" in thread.text


def test_who_come_together_are_not_parted_by_a_yes(opened: Opened) -> None:
    [thread] = opened("a: Are you both coming on Friday?\nu: yes me and my wife are coming on friday at six")

    assert "me and my wife" in thread.text


@pytest.mark.parametrize(
    ("language", "offer", "answer"),
    [
        ("en", "Thursday at four?", "Yes, he's got no school, that's great."),
        ("de", "Donnerstag um vier?", "Ja, da hat er keine Schule, das passt gut."),
        ("fr", "Jeudi à quatre heures ?", "Oui, il n'a pas école, c'est parfait."),
        ("en", "Does Thursday at half past eight work?", "thursday's fine no loan car"),
        ("nl", "Past donderdag om half negen?", "donderdag is goed leenvervoer hoeft niet"),
    ],
)
def test_a_no_to_something_else_takes_no_yes_back(
    opened: Opened, language: str, offer: str, answer: str
) -> None:
    assert [one.due for one in opened(f"a: {offer}\nu: {answer}", language)] == [date(2026, 11, 19)]


@pytest.mark.parametrize(
    "answer",
    [
        "Yes, he's got no school, but I'm working, so no.",
        "Yes, but I've no car, so nine is better.",
        "Okay, not Thursday, that's fine.",
        "Right, I don't work then, not Thursdays, okay.",
        "thursday's good for my husband not for me",
    ],
)
def test_a_yes_that_is_taken_back_is_none(opened: Opened, answer: str) -> None:
    assert opened(f"a: Thursday at four?\nu: {answer}") == ()


@pytest.mark.parametrize(
    ("language", "asked", "offer", "answer"),
    [
        ("de", "um wie viel uhr am montag", "um zehn oder um zwei", "um zwei"),
        ("es", "el lunes a qué horas", "a las diez o a las dos", "a las dos"),
        ("fr", "lundi à quelle heure", "à dix heures ou à quatorze heures", "quatorze heures"),
        ("it", "lunedì a che ora", "alle dieci o alle due", "alle due"),
        ("pt", "segunda a que horas", "às dez ou às duas", "às duas"),
        ("nl", "hoe laat maandag", "om tien uur of om twee uur", "om twee uur"),
    ],
)
def test_one_of_two_hours_is_taken_by_saying_it(
    opened: Opened, language: str, asked: str, offer: str, answer: str
) -> None:
    (thread,) = opened(f"a: hallo\nu: hm\na: hm\nu: {asked}\na: {offer}\nu: {answer}", language)

    assert (thread.text, thread.due) == (f'"{offer}" – "{answer}"', date(2026, 11, 23))


@pytest.mark.parametrize(
    ("language", "said"),
    [
        (
            "en",
            "a: when do you want it\nu: tomorrow if possible\na: tomorrow's tight how about friday\nu: ok",
        ),
        (
            "de",
            "a: wann denn\nu: morgen wenns geht\na: morgen wird eng sagen wir freitag\nu: freitag passt",
        ),
        (
            "fr",
            "a: Pour quand ?\nu: Pour demain, si possible.\na: Demain c'est juste. Vendredi ?\nu: Oui.",
        ),
        (
            "it",
            "a: per quando\nu: per domani se possibile\na: domani è difficile facciamo venerdì\nu: va bene",
        ),
        ("pt", "a: Para quando?\nu: Para amanhã, se der.\na: Amanhã é complicado. Pode ser sexta?\nu: Pode."),
        ("nl", "a: wanneer\nu: morgen als het kan\na: morgen wordt krap zullen we vrijdag zeggen\nu: prima"),
    ],
)
def test_a_wish_that_is_turned_down_for_another_day_is_no_plan(
    opened: Opened, language: str, said: str
) -> None:
    (thread,) = opened(said, language)

    assert thread.due == date(2026, 11, 20)


@pytest.mark.parametrize(
    "said",
    [
        "a: When can you bring it?\nu: Thursday.\na: Thursday's noted. And Friday at ten to fit it?\nu: Yes.",
        "a: When's the exam?\nu: Thursday.\na: Good luck for Thursday! Next lesson Friday at ten?\nu: Yes.",
    ],
)
def test_a_day_that_nobody_turned_down_stays_beside_what_else_is_agreed_on(opened: Opened, said: str) -> None:
    assert [thread.due for thread in opened(said)] == [date(2026, 11, 19), date(2026, 11, 20)]


def test_the_hour_agreed_on_is_told_without_the_day_that_was_refused(opened: Opened) -> None:
    said = "a: Kunt u vrijdag om negen uur?\nu: Maandag kan ik wel.\na: Maandag om half tien?\nu: Ja."

    (thread,) = opened(said, "nl")

    assert (thread.text, thread.due) == ('"Maandag om half tien?" – "Ja."', date(2026, 11, 23))


@pytest.mark.parametrize(
    ("said", "language"),
    [
        (
            "a: Thursday at two or Friday at ten?\nu: Friday would be cutting it fine, so let's say Thursday",
            "en",
        ),
        ("a: Donnerstag um zwei oder Freitag um zehn?\nu: Freitag ist knapp, sagen wir Donnerstag", "de"),
        ("a: Jeudi à deux heures ou vendredi à dix heures ?\nu: Vendredi c'est juste, disons jeudi", "fr"),
        ("a: Il giovedì alle due o il venerdì alle dieci?\nu: venerdì è tardi facciamo giovedì", "it"),
    ],
)
def test_of_two_days_the_one_settled_on_is_due(opened: Opened, said: str, language: str) -> None:
    (thread,) = opened(said, language=language)

    assert thread.due == date(2026, 11, 19)


def test_a_proposal_that_names_a_weekday_is_not_on_another_one_spoken_of_before(opened: Opened) -> None:
    threads = opened(
        "u: Saturday around eleven then, and can Mum come for a blow dry on the big day?\n"
        "a: On the Thursday? I can put her in with Tom.\nu: Perfect, her name's Lakshmi."
    )

    assert [one.due for one in threads if "On the Thursday?" in one.text] == [None]


def test_an_hour_that_is_given_for_the_one_offered_is_told_with_it(opened: Opened) -> None:
    (thread,) = opened(
        "a: Thursday at ten past nine?\nu: yes please\na: Thursday ten past nine, you're booked in.\n"
        "u: make it half past I've got the school run\na: Half past nine is fine."
    )

    assert thread.text.endswith('Half past nine is fine."')
    assert thread.due == date(2026, 11, 19)


@pytest.mark.parametrize(
    ("said", "language"),
    [
        ("a: Thursday at half past two?\nu: that's perfect and I'll need the parking code", "en"),
        ("a: Jeudi à quatorze heures trente ?\nu: c'est parfait et il faut que j'apporte la radio", "fr"),
        ("a: ¿El jueves a las dos?\nu: está bien y tengo que llevar la radiografía", "es"),
        ("a: Giovedì alle due?\nu: mi va bene e devo portare la lastra", "it"),
    ],
)
def test_a_yes_may_go_on_without_a_comma(opened: Opened, said: str, language: str) -> None:
    assert [one.due for one in opened(said, language=language) if one.kind == "plan"] == [date(2026, 11, 19)]


@pytest.mark.parametrize(
    ("said", "language"),
    [
        ("a: Thursday at nine.\nu: lovely and how much is it", "en"),
        ("a: Donnerstag um zehn nach neun.\nu: super und was kostet das", "de"),
        ("a: El jueves a las nueve.\nu: vale y cuánto sube", "es"),
        ("a: Donderdag om tien over negen.\nu: prima en is het dokter Smit", "nl"),
    ],
)
def test_a_yes_to_a_time_counts_though_a_question_follows(opened: Opened, said: str, language: str) -> None:
    assert [one.due for one in opened(f"{said}\na: ok", language=language)] == [date(2026, 11, 19)]


def test_an_offer_that_is_turned_down_at_once_is_no_plan(opened: Opened) -> None:
    threads = opened(
        "a: I can see you today at four.\nu: can't today I'm on shift till ten\n"
        "a: She's in on Friday, at two.\nu: Friday at two it is"
    )

    assert [one.due for one in threads] == [date(2026, 11, 20)]


def test_a_day_that_the_other_rules_out_is_not_due(opened: Opened) -> None:
    threads = opened(
        "a: I'll ask Heatworks, they could come on Thursday or Friday.\nu: Not Thursday. Friday after two.\n"
        "a: I'll book Friday after two.\nu: Okay."
    )

    assert date(2026, 11, 19) not in [one.due for one in threads]


def test_a_day_that_was_ruled_out_gives_way_to_the_next(opened: Opened) -> None:
    threads = opened(
        "u: grazie li porta mio nipote sabato\na: Sabato siamo chiusi, può venire venerdì.\n"
        "u: allora venerdì glielo dico",
        language="it",
    )

    assert [one.due for one in threads] == [date(2026, 11, 20)]


@pytest.mark.parametrize(
    "wish",
    [
        "Ich habe morgen um drei einen Termin, kann ich den auf nächste Woche schieben?",
        "hallo ich hab morgen um drei einen Termin bei Sandra kann ich den auf nächste Woche schieben",
    ],
)
def test_an_hour_is_not_on_a_day_before_the_weekday_last_named(opened: Opened, wish: str) -> None:
    threads = opened(
        f"u: {wish}\na: Klar. Dienstag oder Mittwoch?\nu: Mittwoch ist besser, so gegen fünf.\n"
        "a: Um fünf geht nicht, um sechs?\nu: Sechs ist auch okay.",
        language="de",
    )

    assert date(2026, 11, 18) not in [one.due for one in threads]


def test_a_weekday_with_its_number_is_not_the_coming_one(call: Call) -> None:
    """In March as in February it may be either month's."""
    said = call("a: Dr. Lowe has Tuesday the twenty-fourth at ten.\nu: Yes, okay, put me down for that.")
    march = [replace(one, said_at=datetime(2026, 3, 11, 10, tzinfo=UTC)) for one in said]
    (thread,) = thread_changes(march, "en", ZoneInfo("UTC")).opened

    assert thread.due == date(2026, 3, 24)


def test_a_sum_is_no_hour(opened: Opened) -> None:
    threads = opened(
        "a: I'll send someone Thursday. And the owner says two hundred off December.\n"
        "u: Two hundred, okay, I'll take it."
    )

    assert [one.text for one in threads if "two hundred" in one.text] == []


@pytest.mark.parametrize(
    ("said", "language"),
    [
        ("a: Saturday at twelve or at five.\nu: twelve and I'm bringing my sister\na: Perfect.", "en"),
        ("a: Samstag um zwölf oder um fünf.\nu: um zwölf und meine Schwester kommt mit\na: Gut.", "de"),
        ("a: El sábado a las doce o a las cinco.\nu: a las doce y llevo a mi hermana\na: Vale.", "es"),
        ("a: Samedi à midi ou à cinq heures.\nu: à cinq heures et ma sœur vient\na: Parfait.", "fr"),
        ("a: Sabato alle dodici o alle cinque.\nu: alle cinque e viene mia sorella\na: Bene.", "it"),
        ("a: Sábado ao meio-dia ou às cinco.\nu: às cinco e levo a minha irmã\na: Certo.", "pt"),
        ("a: Zaterdag om twaalf uur of om vijf uur.\nu: vijf uur en mijn zus komt mee\na: Prima.", "nl"),
    ],
)
def test_of_two_hours_one_may_be_taken_with_what_comes_along(
    opened: Opened, said: str, language: str
) -> None:
    assert [one.due for one in opened(said, language=language) if one.kind == "plan"] == [date(2026, 11, 21)]


def test_an_hour_that_the_other_names_instead_is_on_the_day_offered(opened: Opened) -> None:
    (thread,) = opened(
        "a: Machen wir heute Geometrie?\nu: lieber morgen\na: Dann morgen um fünf.\nu: halb sechs\n"
        "a: Halb sechs, gut.",
        language="de",
    )

    assert thread.due == date(2026, 11, 18)


def test_a_day_concluded_on_is_taken_by_a_yes(opened: Opened) -> None:
    (thread,) = opened("a: Dann am Donnerstagvormittag.\nu: das passt ab neun", language="de")

    assert thread.due == date(2026, 11, 19)


@pytest.mark.parametrize(
    ("said", "language"),
    [
        (
            ("a: .\nu: je dois revenir ?\na: Oui, dans trois semaines, le huit décembre à midi.\nu: entendu"),
            "fr",
        ),
        (
            "a: Osteo.\nu: do I come again?\na: Yes, in three weeks, the eighth of December at two.\nu: fine",
            "en",
        ),
    ],
)
def test_a_time_may_be_told_behind_a_few_words_that_name_nothing(
    opened: Opened, said: str, language: str
) -> None:
    assert [one.due for one in opened(said, language=language)] == [date(2026, 12, 8)]


def test_an_appointment_and_what_is_promised_beside_it_are_two(opened: Opened) -> None:
    threads = opened(
        "a: Thursday at nine fifteen?\nu: yes please\na: I'll text you a reminder the day before."
    )

    assert [one.kind for one in threads] == ["plan", "promise"]


def test_a_day_said_again_is_due_though_another_is_named_behind_it(opened: Opened) -> None:
    threads = opened(
        "a: Repassez vendredi à dix heures.\nu: d'accord vendredi à dix heures et rappelez-moi jeudi", "fr"
    )

    assert date(2026, 11, 20) in [one.due for one in threads]


def test_who_finds_both_hours_no_good_takes_none(opened: Opened) -> None:
    assert opened("a: Saturday at twelve or at five.\nu: twelve and five are both no good") == ()


def test_an_appointment_is_due_on_its_day_though_one_is_there_every_day(opened: Opened) -> None:
    (thread,) = opened("a: Friday at ten?\nu: yes I'm in every day")

    assert thread.due == date(2026, 11, 20)


@pytest.mark.parametrize(
    ("language", "visit", "asked", "answer"),
    [
        ("de", "Ich schicke den Monteur noch einmal.", "Passt Montag um zwei?", "Montag passt."),
        (
            "en",
            "I'll send the plumber again.",
            "Does Monday after two suit you?",
            "Monday after two is fine.",
        ),
        ("es", "Le mando al fontanero otra vez.", "¿Le viene bien el lunes a las dos?", "El lunes perfecto."),
        ("fr", "Je vous renvoie le plombier.", "Lundi à 14 heures vous convient ?", "Lundi, c'est parfait."),
        ("it", "Le mando di nuovo l'idraulico.", "Lunedì alle due va bene?", "Lunedì va bene."),
        ("nl", "Ik stuur de loodgieter nog een keer.", "Schikt maandag om twee uur?", "Maandag is goed."),
        ("pt", "Mando o canalizador outra vez.", "Segunda às duas dá-lhe jeito?", "Segunda está bem."),
    ],
)
def test_who_is_sent_is_told_with_the_time_agreed_on(
    opened: Opened, language: str, visit: str, asked: str, answer: str
) -> None:
    (one,) = opened(f"a: {visit} {asked}\nu: {answer}", language)
    assert (one.kind, one.due) == ("plan", date(2026, 11, 23))
    assert one.text == f'"{visit} {asked}" – "{answer}"'


def test_who_is_sent_is_a_matter_of_its_own_where_another_is_agreed_on(opened: Opened) -> None:
    text = "a: I'll send the plumber again. Does Monday at two for the boiler service suit you?\nu: Yes."
    assert {one.kind for one in opened(text)} == {"promise", "plan"}


@pytest.mark.parametrize(
    ("language", "text"),
    [
        ("de", "a: Morgen um neun dann.\nu: Ja, machen wir. Darf er ein Mittel?\na: Nein, lieber nicht."),
        ("en", "a: Tomorrow at nine then.\nu: Yes, let's do that. Can he have a pill?\na: No, better not."),
        ("nl", "a: Morgen om negen uur dan.\nu: Ja, dat doen we. Mag hij een pil?\na: Nee, liever niet."),
    ],
)
def test_what_is_concluded_for_tomorrow_is_an_appointment(opened: Opened, language: str, text: str) -> None:
    (one,) = opened(text, language)
    said = text.partition("a: ")[2].splitlines()[0]
    assert (one.kind, one.due) == ("plan", date(2026, 11, 18))
    assert one.text.startswith(f'"{said}" – ')


@pytest.mark.parametrize(
    ("language", "wished", "offered", "taken"),
    [
        ("en", "I'd like to book in for Friday.", "Sure, three o'clock.", "Perfect."),
        ("en", "can i get an appointment on friday", "three o'clock", "perfect"),
        ("en", "i need an appointment friday", "three o'clock okay", "yeah"),
        ("de", "ich bräuchte einen termin am freitag", "um drei wäre frei", "ja super"),
        ("es", "Quisiera una cita para el viernes.", "A las tres tengo hueco.", "Perfecto."),
        ("fr", "je voudrais un rendez-vous vendredi", "quinze heures c'est possible", "oui"),
        ("it", "Vorrei un appuntamento venerdì.", "Alle tre è libero.", "Perfetto."),
        ("pt", "queria uma consulta na sexta", "às três", "perfeito"),
        ("nl", "ik wil graag een afspraak op vrijdag", "om drie uur is vrij", "ja prima"),
    ],
)
def test_an_hour_offered_for_the_day_wished_for_is_taken(
    opened: Opened, language: str, wished: str, offered: str, taken: str
) -> None:
    (thread,) = opened(f"u: {wished}\na: {offered}\nu: {taken}", language)

    assert (thread.kind, thread.text) == ("plan", f'"{offered}" – "{taken}"')
    assert thread.due == date(2026, 11, 20)


@pytest.mark.parametrize(
    ("language", "first", "refused", "second", "taken"),
    [
        ("de", "können sie morgen kommen", "nein morgen nicht", "und donnerstag", "ja passt"),
        ("fr", "vous pouvez venir demain", "non pas demain", "et jeudi", "oui d'accord"),
        ("it", "può venire domani", "no domani no", "e giovedì", "sì va bene"),
        ("pt", "pode vir amanhã", "não amanhã não", "e quinta", "sim pode ser"),
        ("nl", "kunt u morgen komen", "nee morgen niet", "en donderdag", "ja dat kan"),
    ],
)
def test_a_second_day_is_asked_for_after_a_no(
    opened: Opened, language: str, first: str, refused: str, second: str, taken: str
) -> None:
    (thread,) = opened(f"a: {first}\nu: {refused}\na: {second}\nu: {taken}", language)

    assert (thread.text, thread.due) == (f'"{second}" – "{taken}"', date(2026, 11, 19))


def test_a_day_on_which_somebody_is_not_open_is_no_appointment(opened: Opened) -> None:
    assert opened("a: siete aperti domani\nu: no domani no\na: e giovedì\nu: sì", "it") == ()


@pytest.mark.parametrize(
    ("language", "offered", "taken"),
    [
        ("fr", "demain j'ai une table à vingt heures trente", "ok je prends"),
        ("nl", "morgen heb ik een tafel om half negen", "oké die neem ik"),
    ],
)
def test_a_table_is_taken(opened: Opened, language: str, offered: str, taken: str) -> None:
    (thread,) = opened(f"a: {offered}\nu: {taken}", language)

    assert (thread.text, thread.due) == (f'"{offered}" – "{taken}"', date(2026, 11, 18))


@pytest.mark.parametrize("gone", ["Oh sorry, it's taken.", "Actually sorry, ten's gone."])
def test_an_hour_that_is_gone_after_all_is_no_plan(opened: Opened, gone: str) -> None:
    said = "u: I'd like an appointment on Friday.\na: At ten?\nu: Lovely."

    assert len(opened(said)) == 1
    assert opened(f"{said}\na: {gone}") == ()


@pytest.mark.parametrize(
    ("language", "asked", "answered"),
    [
        (
            "en",
            "And my wife's card expires in December, does the new one come by itself?",
            "Yes, it comes automatically in early December.",
        ),
        (
            "de",
            "Und die Karte von Birgit läuft im Dezember ab, kommt die neue automatisch?",
            "Ja, die kommt automatisch Anfang Dezember.",
        ),
        (
            "es",
            "¿Y la tarjeta de mi mujer caduca en diciembre, llega la nueva sola?",
            "Sí, llega automáticamente a principios de diciembre.",
        ),
        (
            "nl",
            "En de pas van mijn vrouw verloopt in december, komt de nieuwe vanzelf?",
            "Ja, die komt automatisch begin december.",
        ),
    ],
)
def test_what_happens_in_a_month_is_no_appointment(
    opened: Opened, language: str, asked: str, answered: str
) -> None:
    assert [one for one in opened(f"u: {asked}\na: {answered}", language) if one.kind == "plan"] == []


def test_a_visit_in_a_month_is_agreed_on(opened: Opened) -> None:
    (thread,) = opened("u: Could my wife come in December?\na: Yes, of course.")

    assert thread.kind == "plan"


@pytest.mark.parametrize(
    ("language", "invited", "answered"),
    [
        ("en", "Come by on Monday at ten to sign.", "I'll be there."),
        ("de", "Kommen Sie am Montag um zehn zum Unterschreiben.", "Mach ich."),
        ("es", "Pásese el lunes a firmar a las diez.", "Allí estaré."),
        ("fr", "Passez lundi à dix heures pour signer.", "D'accord."),
        ("it", "passi lunedì alle dieci per firmare", "ci sarò"),
        ("pt", "passe cá na segunda às dez para assinar", "lá estarei"),
        ("nl", "kom maandag om tien uur langs om te tekenen", "ik ben er"),
    ],
)
def test_an_invitation_is_taken_by_who_will_be_there(
    opened: Opened, language: str, invited: str, answered: str
) -> None:
    (thread,) = opened(f"a: {invited}\nu: {answered}", language)

    assert (thread.kind, thread.due) == ("plan", date(2026, 11, 23))


@pytest.mark.parametrize(
    ("language", "offered", "answered", "due"),
    [
        ("en", "tuesday at five", "yeah okay and how much is it", date(2026, 11, 24)),
        ("fr", "mardi à cinq heures", "oui d'accord et c'est combien", date(2026, 11, 24)),
        ("nl", "dinsdag om vijf uur", "ja goed en wat kost dat", date(2026, 11, 24)),
        ("en", "we'll talk again on friday at ten", "yeah", date(2026, 11, 20)),
        ("de", "wir hören uns freitag wieder um zehn", "ja", date(2026, 11, 20)),
        ("fr", "on se rappelle vendredi à dix heures", "oui", date(2026, 11, 20)),
        ("nl", "we spreken elkaar vrijdag om tien uur", "ja", date(2026, 11, 20)),
        ("en", "ah then the wednesday after", "the second of december yes that's fine", date(2026, 12, 2)),
        ("de", "ach dann den mittwoch danach", "den zweiten dezember ja das geht", date(2026, 12, 2)),
        ("es", "ah entonces el miércoles siguiente", "el dos de diciembre sí vale", date(2026, 12, 2)),
        ("fr", "ah alors le mercredi suivant", "le deux décembre oui c'est bon", date(2026, 12, 2)),
        ("pt", "ah então na quarta seguinte", "dia dois de dezembro sim pode ser", date(2026, 12, 2)),
        (
            "en",
            "So you're leaving on the 5th of December and coming back on the 8th.",
            "That's right.",
            date(2026, 12, 5),
        ),
        ("de", "Also Abfahrt am 5. Dezember, zurück am 8.", "Genau.", date(2026, 12, 5)),
        ("fr", "Départ le 5 décembre, retour le 8.", "C'est ça.", date(2026, 12, 5)),
        ("nl", "Vertrek op 5 december, terug op de 8e.", "Klopt.", date(2026, 12, 5)),
    ],
)
def test_a_yes_that_goes_on_or_says_the_date_itself_agrees(
    opened: Opened, language: str, offered: str, answered: str, due: date
) -> None:
    (thread,) = opened(f"a: {offered}\nu: {answered}", language)

    assert (thread.kind, thread.due) == ("plan", due)


@pytest.mark.parametrize(
    ("language", "offered", "answered"),
    [
        ("en", "tuesday at five", "yeah but i can't on tuesday"),
        ("de", "dienstag um fünf", "ja aber da arbeite ich"),
        ("fr", "mardi à cinq heures", "oui mais je travaille"),
        ("nl", "dinsdag om vijf uur", "ja maar dan werk ik"),
        ("en", "Come in on Monday at ten.", "I can't, I work on Mondays."),
        ("en", "then the wednesday after", "the second of december no i can't"),
    ],
)
def test_a_yes_with_a_but_agrees_to_nothing(
    opened: Opened, language: str, offered: str, answered: str
) -> None:
    assert opened(f"a: {offered}\nu: {answered}", language) == ()


@pytest.mark.parametrize(
    ("language", "text"),
    [
        ("pt", "a: Quando lhe dá jeito?\nu: Sexta às quatro era perfeito.\na: Está bem."),
        ("pt", "a: quando pode vir\nu: sexta de manhã era ótimo\na: combinado"),
        ("en", "a: When would suit you?\nu: I was thinking Friday at four.\na: Fine."),
        ("en", "a: when would suit you\nu: i was thinking friday at four\na: fine"),
    ],
)
def test_a_polite_past_proposes_a_day_to_come(opened: Opened, language: str, text: str) -> None:
    assert [one.due for one in opened(text, language)] == [date(2026, 11, 20)]


@pytest.mark.parametrize(
    ("language", "text"),
    [
        ("pt", "u: Passei à segunda fase do concurso.\na: Parabéns!"),
        ("pt", "u: vou tirar a segunda dose da vacina\na: muito bem"),
        ("pt", "u: é a sexta aula que faço\na: muito bem"),
        ("pt", "u: Segunda-feira às quatro foi perfeito.\na: Que bom."),
        ("pt", "u: É a segunda vez que ligo.\na: Desculpe."),
        ("it", "u: È la seconda volta che chiamo.\na: Mi scusi."),
        ("fr", "u: c'est la deuxième fois que je vous appelle\na: pardon"),
        ("pt", "u: sexta o jantar era ótimo\na: bem"),
        ("en", "u: I was thinking about Monday night, it was lovely.\na: Good."),
    ],
)
def test_a_second_time_and_a_day_that_was_are_no_plans(opened: Opened, language: str, text: str) -> None:
    assert opened(text, language) == ()


@pytest.mark.parametrize(
    ("language", "asked", "yes"),
    [
        ("de", "dann hören wir uns am freitag", "gut"),
        ("en", "shall we talk again on friday", "yes okay"),
        ("es", "hablamos el viernes", "sí vale"),
        ("fr", "on se rappelle vendredi", "oui d'accord"),
        ("it", "ci sentiamo venerdì", "sì va bene"),
        ("nl", "spreken we elkaar vrijdag weer", "ja prima"),
        ("pt", "falamos na sexta", "sim está bem"),
    ],
)
def test_a_next_talk_that_is_agreed_on_needs_no_question_mark(
    opened: Opened, language: str, asked: str, yes: str
) -> None:
    (one,) = opened(f"a: {asked}\nu: {yes}", language)
    assert (one.kind, one.due) == ("plan", date(2026, 11, 20))


@pytest.mark.parametrize(
    ("language", "said", "answer"),
    [
        ("es", "hablamos el viernes", "el viernes no puedo"),
        ("es", "hablamos el lunes de la factura no", "sí es verdad"),
        ("fr", "on se rappelle vendredi", "non vendredi je travaille"),
        ("it", "ciao ci sentiamo domani", "ciao"),
        ("it", "ci siamo sentiti venerdì", "sì"),
        ("pt", "falamos na sexta passada", "sim"),
    ],
)
def test_a_talk_that_is_declined_or_over_is_no_appointment(
    opened: Opened, language: str, said: str, answer: str
) -> None:
    assert opened(f"a: {said}\nu: {answer}", language) == ()


@pytest.mark.parametrize(
    ("language", "said", "answer"),
    [
        ("de", "Die Stunde ist also diesen Samstag um halb elf.", "Super."),
        ("en", "So the lesson is this Saturday at half past ten.", "Great."),
        ("es", "La clase es este sábado a las diez y media.", "Genial."),
        ("fr", "Le cours, c'est ce samedi à dix heures trente.", "Super."),
        ("it", "La lezione è questo sabato alle dieci e mezza.", "Ottimo."),
        ("nl", "De les is deze zaterdag om half elf.", "Mooi."),
        ("pt", "A aula é este sábado às dez e meia.", "Ótimo."),
    ],
)
def test_an_appointment_stands_on_this_saturday(
    opened: Opened, language: str, said: str, answer: str
) -> None:
    (one,) = opened(f"a: {said}\nu: {answer}", language)
    assert one.due == date(2026, 11, 21)


@pytest.mark.parametrize(
    ("language", "offered", "answered"),
    [
        ("en", "friday at eleven with doctor hale", "yes that works"),
        ("de", "am freitag um elf bei herrn thomsen", "ja das geht"),
        ("es", "el viernes a las once con el señor ruiz", "sí perfecto"),
        ("fr", "vendredi à onze heures avec monsieur oriol", "oui ça va"),
        ("it", "venerdì alle undici con il dottor rossi", "sì va bene"),
        ("nl", "vrijdag om elf uur bij meneer jansen", "ja dat kan"),
        ("pt", "sexta às onze com o doutor lima", "sim está bem"),
    ],
)
def test_a_day_and_hour_with_who_is_there_is_offered(
    opened: Opened, language: str, offered: str, answered: str
) -> None:
    (thread,) = opened(f"u: hallo\na: {offered}\nu: {answered}", language)

    assert (thread.kind, thread.due) == ("plan", date(2026, 11, 20))


def test_a_long_day_and_what_to_do_at_its_hour_is_offered(opened: Opened) -> None:
    said = "u: hello\na: Thursday the third of December, drop it off at eight.\nu: Perfect."
    (thread,) = opened(said)

    assert (thread.kind, thread.due) == ("plan", date(2026, 12, 3))


@pytest.mark.parametrize(
    ("language", "told"),
    [
        ("en", "friday at eleven with the old car we had a puncture"),
        ("de", "am freitag um elf bei starkem regen ist es passiert"),
        ("fr", "vendredi à onze heures avec les papiers on était là"),
    ],
)
def test_a_day_and_hour_with_anything_else_is_not(opened: Opened, language: str, told: str) -> None:
    assert opened(f"u: hallo\na: {told}\nu: ja okay", language) == ()


@pytest.mark.parametrize(
    ("language", "asked", "taken"),
    [
        ("en", "u: Could we do the twenty-fourth?", "a: Yes, that works."),
        ("en", "u: Would the twenty-fourth work?", "a: Yes, that's fine."),
        ("de", "u: Ginge auch der vierundzwanzigste?", "a: Ja, das geht."),
        ("es", "u: ¿Le viene bien el veinticuatro?", "a: Sí, perfecto."),
        ("fr", "u: Je peux venir le vingt-quatre ?", "a: Oui, c'est possible."),
        ("it", "u: Posso venire il ventiquattro?", "a: Sì, va bene."),
        ("nl", "a: Schikt de vierentwintigste?", "u: Ja, prima."),
        ("pt", "u: Pode ser no dia vinte e quatro?", "a: Sim, pode."),
    ],
)
def test_a_day_asked_for_by_its_number_in_words_is_that_day(
    opened: Callable[..., tuple[OpenThread, ...]], language: str, asked: str, taken: str
) -> None:
    assert [one.due for one in opened(f"{asked}\n{taken}", language)] == [date(2026, 11, 24)]


@pytest.mark.parametrize(
    ("language", "offered", "asked_for", "concluded", "yes"),
    [
        (
            "en",
            "Could he come on Thursday afternoon?",
            "Has to be the morning.",
            "Thursday morning then.",
            "Fine.",
        ),
        ("de", "Kann er Donnerstag nachmittag kommen?", "Vormittags.", "Dann Donnerstag vormittag.", "Gut."),
        (
            "es",
            "¿Puede ir el jueves por la tarde?",
            "De mañana.",
            "El jueves por la mañana entonces.",
            "Bien.",
        ),
        ("fr", "Il peut venir jeudi après-midi ?", "Plutôt le matin.", "Alors jeudi matin.", "Très bien."),
        ("it", "Può venire giovedì pomeriggio?", "Di mattina.", "Allora giovedì mattina.", "Va bene."),
        ("nl", "Kan hij donderdagmiddag komen?", "Liever 's ochtends.", "Dan donderdagochtend.", "Goed."),
        (
            "pt",
            "Ele pode ir na quinta à tarde?",
            "Tem de ser de manhã.",
            "Então quinta de manhã.",
            "Está bem.",
        ),
    ],
    ids=["en", "de", "es", "fr", "it", "nl", "pt"],
)
def test_another_part_of_the_day_that_is_concluded_is_agreed_on(
    opened: Opened, language: str, offered: str, asked_for: str, concluded: str, yes: str
) -> None:
    threads = opened(f"a: {offered}\nu: {asked_for}\na: {concluded}\nu: {yes}", language=language)

    assert [(one.kind, one.due) for one in threads] == [("plan", date(2026, 11, 19))]


@pytest.mark.parametrize("is_heard", [False, True], ids=["written", "heard"])
@pytest.mark.parametrize(
    ("language", "offered", "taken"),
    [
        ("en", "How's Friday at ten?", "Great."),
        ("en", "You could come Friday at ten.", "Brilliant, see you then."),
        ("de", "Wie wär's Freitag um zehn?", "Super."),
        ("de", "Freitag um zehn ist alles, was ich habe.", "Das passt."),
        ("es", "¿Qué tal el viernes a las diez?", "Genial."),
        ("es", "El viernes a las diez hay un hueco.", "Me lo quedo."),
        ("fr", "Que diriez-vous de vendredi à dix heures ?", "Super."),
        ("fr", "Je peux vous caser vendredi à dix heures.", "D'accord."),
        ("it", "Che ne dice di venerdì alle dieci?", "Ottimo."),
        ("it", "Venerdì alle dieci c'è un buco.", "Lo prendo."),
        ("nl", "Wat dacht u van vrijdag om tien uur?", "Leuk."),
        ("nl", "Vrijdag om tien uur is er een gaatje.", "Die neem ik."),
        ("pt", "Sexta às dez, parece-lhe bem?", "Parece-me bem."),
        ("pt", "Posso encaixá-la na sexta às dez.", "Pode ser."),
    ],
)
def test_a_time_may_be_offered_and_taken_in_many_words(
    opened: Opened, language: str, offered: str, taken: str, *, is_heard: bool
) -> None:
    def said(text: str) -> str:
        return re.sub(r"[¿?.,!]", "", text).strip().lower() if is_heard else text

    threads = opened(f"a: {said(offered)}\nu: {said(taken)}", language=language)

    assert [(one.kind, one.due) for one in threads] == [("plan", date(2026, 11, 20))]


def test_how_a_day_was_is_no_offer(opened: Opened) -> None:
    assert opened("a: How was Friday at ten?\nu: Great.") == ()


@pytest.mark.parametrize(
    ("language", "asked", "wish", "granted"),
    [
        ("en", "When would you like to come?", "Can I have Friday at ten?", "You can."),
        ("de", "Wann möchten Sie kommen?", "Kann ich Freitag um zehn haben?", "Können Sie."),
        ("es", "¿Cuándo quiere venir?", "Solo puedo el viernes a las diez.", "Nos va bien."),
        ("fr", "Quand voulez-vous venir ?", "Je ne peux que vendredi à dix heures.", "Ça nous va."),
        ("it", "Quando vuole venire?", "Posso solo venerdì alle dieci.", "Per noi va bene."),
        ("nl", "Wanneer wilt u komen?", "Ik kan alleen vrijdag om tien uur.", "Dat kan bij ons."),
        ("pt", "Quando quer vir?", "Só posso sexta às dez.", "Por nós está bem."),
    ],
    ids=["en", "de", "es", "fr", "it", "nl", "pt"],
)
def test_a_time_that_the_caller_names_is_granted_in_other_words_than_yes(
    opened: Opened, language: str, asked: str, wish: str, granted: str
) -> None:
    threads = opened(f"a: {asked}\nu: {wish}\na: {granted}", language=language)

    assert [(one.kind, one.due) for one in threads] == [("plan", date(2026, 11, 20))]


@pytest.mark.parametrize(
    ("language", "asked", "told", "thanks"),
    [
        ("en", "I just wanted to ask if you're open on Friday.", "Friday till one.", "Thanks."),
        ("de", "Ich wollte nur fragen, ob die Praxis Freitag auf hat.", "Freitag bis eins.", "Danke."),
        ("de", "Wie lange haben Sie Freitag offen?", "Freitag bis eins.", "Danke."),
        (
            "fr",
            "Je voulais savoir si vous êtes ouverts vendredi.",
            "Vendredi jusqu'à treize heures.",
            "Merci.",
        ),
        ("es", "Quería preguntar si abren el viernes.", "El viernes hasta la una.", "Gracias."),
        ("it", "Volevo chiedere se venerdì siete aperti.", "Venerdì fino all'una.", "Grazie."),
        ("pt", "Queria perguntar se abrem na sexta.", "Na sexta até à uma.", "Obrigado."),
        ("nl", "Ik wou vragen of u vrijdag open bent.", "Vrijdag tot één uur.", "Dank u."),
        ("nl", "Tot hoe laat kan ik bloed laten prikken?", "Tot elf uur, zonder afspraak.", "O, fijn."),
        ("en", "Until what time can I have blood taken?", "Until eleven.", "Oh, lovely."),
    ],
)
def test_when_a_house_is_open_is_no_appointment(
    opened: Opened, language: str, asked: str, told: str, thanks: str
) -> None:
    assert opened(f"a: .\nu: {asked}\na: {told}\nu: {thanks}", language) == ()


GRANTED_BESIDES = {
    "en": ("I can do Thursday between eight and ten.", "Fine, but ring first.", "Yes, of course."),
    "de": ("Ich habe Donnerstag um zehn frei.", "Gut, aber rufen Sie vorher an.", "Ja, machen wir."),
    "es": ("Tengo el jueves a las diez.", "Vale, pero llamen antes.", "Sí, claro."),
    "fr": ("J'ai jeudi à dix heures.", "D'accord, mais appelez avant.", "Oui, bien sûr."),
    "it": ("Ho giovedì alle dieci.", "Va bene, ma chiamate prima.", "Sì, certo."),
    "nl": ("Ik heb donderdag om tien uur.", "Goed, maar bel eerst.", "Ja, doen we."),
    "pt": ("Tenho quinta às dez.", "Está bem, mas liguem antes.", "Sim, claro."),
}


@pytest.mark.parametrize("language", GRANTED_BESIDES)
def test_who_takes_a_time_but_wishes_for_something_takes_it(opened: Opened, language: str) -> None:
    offered, taken, granted = GRANTED_BESIDES[language]
    threads = opened(f"u: –\na: {offered}\nu: {taken}\na: {granted}\nu: –", language)

    assert [one.due for one in threads if one.kind == "plan"] == [date(2026, 11, 19)]


@pytest.mark.parametrize(
    "said",
    [
        "u: Fine, but that's too early.\na: Friday then?",
        "u: Fine, but not Thursday.\na: Right.",
        "u: Okay, but I'd have to ask my wife.\na: No problem, ring us.",
    ],
)
def test_who_is_not_sure_takes_no_time(opened: Opened, said: str) -> None:
    threads = opened(f"u: –\na: I can do Thursday between eight and ten.\n{said}\nu: –")

    assert [one for one in threads if one.kind == "plan"] == []


@pytest.mark.parametrize(
    ("language", "offer", "taken"),
    [
        (
            "en",
            "The first I have is Tuesday the twelfth of January at nine, with Doctor Mistry.",
            "Twelfth of January, nine. That'll do.",
        ),
        (
            "en",
            "The earliest I've got is Tuesday the twelfth of January at nine, with Doctor Mistry.",
            "That'll do.",
        ),
        (
            "en",
            "Now, I've got your date: Tuesday the twelfth of January, between eight and twelve.",
            "The twelfth, between eight and twelve. I'll be in.",
        ),
        (
            "de",
            "Der erste Termin, den ich habe, ist Dienstag, der zwölfte Januar, um neun, bei Doktor Misch.",
            "Zwölfter Januar, neun. Das passt.",
        ),
        (
            "fr",
            "Le premier que j'ai, c'est mardi douze janvier à neuf heures, avec le docteur Misch.",
            "Le douze janvier, neuf heures. Ça ira.",
        ),
        (
            "es",
            "Lo primero que tengo es el martes doce de enero a las nueve, con la doctora Misch.",
            "El doce de enero, a las nueve. Me va bien.",
        ),
        (
            "it",
            "Il primo che ho è martedì dodici gennaio alle nove, con la dottoressa Misch.",
            "Dodici gennaio, alle nove. Va bene.",
        ),
        (
            "pt",
            "O primeiro que tenho é terça, doze de janeiro, às nove, com a doutora Misch.",
            "Doze de janeiro, às nove. Está bem.",
        ),
        (
            "nl",
            "De eerste die ik heb is dinsdag twaalf januari om negen uur, bij dokter Misch.",
            "Twaalf januari, negen uur. Dat is goed.",
        ),
    ],
)
def test_the_first_day_there_is_is_taken_however_long_the_offer(
    opened: Opened, language: str, offer: str, taken: str
) -> None:
    (thread,) = opened(f"a: Hello.\nu: –\na: {offer}\nu: {taken}", language)

    assert thread.due == date(2027, 1, 12)


def test_the_first_day_there_is_is_refused(opened: Opened) -> None:
    offer = "The first I have is Tuesday the twelfth of January at nine, with Doctor Mistry."

    assert opened(f"a: {offer}\nu: No, that's too late.") == ()


@pytest.mark.parametrize(
    ("language", "said", "asked", "answered"),
    [
        ("en", "I'll ring the doctor on Monday.", "Is it still half past two?", "Yes, half past two."),
        ("de", "Ich ruf am Montag beim Arzt an.", "Bleibt es denn bei halb drei?", "Ja, halb drei bleibt."),
        ("fr", "J'appelle le médecin lundi.", "C'est toujours à quatorze heures ?", "Oui, c'est bon."),
        ("it", "Lunedì chiamo il medico.", "È sempre alle due e mezza?", "Sì, va bene."),
    ],
)
def test_an_hour_that_still_stands_is_not_of_the_day_of_something_else(
    opened: Opened, language: str, said: str, asked: str, answered: str
) -> None:
    found = opened(f"u: {said}\na: {asked}\nu: {answered}", language)

    assert not any(asked in one.text for one in found)


@pytest.mark.parametrize(
    ("language", "offered", "taken"),
    [
        ("it", "Allora mercoledì 9, stessa ora.", "mercoledì nove alle sette e mezza a digiuno va bene"),
        ("pt", "Quarta, dia 9, às nove e um quarto.", "Quarta, dia 9, nove e um quarto. Fica assim."),
        ("de", "Dann Mittwoch der neunte um viertel zehn.", "Ja, passt."),
    ],
)
def test_the_day_said_again_by_its_number_is_no_other_hour(
    opened: Opened, language: str, offered: str, taken: str
) -> None:
    (thread,) = opened(f"a: {offered}\nu: {taken}", language)

    assert (thread.kind, thread.due) == ("plan", date(2026, 12, 9))


@pytest.mark.parametrize(
    ("language", "offered", "reminded"),
    [
        ("en", "Thursday at ten?", "And fasting, don't forget."),
        ("de", "Donnerstag um zehn?", "Und nüchtern, nicht vergessen."),
        ("fr", "Jeudi à dix heures ?", "Et à jeun, n'oubliez pas."),
        ("es", "¿El jueves a las diez?", "Y sin comer, no se olvide."),
        ("it", "Giovedì alle dieci?", "E a digiuno, non si dimentichi."),
        ("nl", "Donderdag om tien uur?", "En nuchter, niet vergeten."),
        ("pt", "Quinta às dez?", "E sem comer desde a meia-noite, não se esqueça."),
    ],
)
def test_what_must_not_be_forgotten_calls_nothing_off(
    opened: Opened, language: str, offered: str, reminded: str
) -> None:
    found = opened(f"a: {offered}\nu: ok\na: {reminded}\nu: ok", language)

    assert date(2026, 11, 19) in [one.due for one in found]


@pytest.mark.parametrize(
    ("language", "wish", "answer"),
    [
        ("en", "She'd prefer the morning, at half past eight.", "The 27th at half past eight, that's fine."),
        ("de", "Die Tante hätte es lieber morgens, um halb neun.", "Am 27. um halb neun, das geht."),
        ("es", "La tía prefiere por la mañana, a las ocho y media.", "El 27 a las ocho y media, de acuerdo."),
        (
            "fr",
            "Ma tante préfère le matin, à huit heures et demie.",
            "Le 27 à huit heures et demie, c'est bon.",
        ),
        ("it", "La zia preferisce la mattina, alle otto e mezza.", "Il 27 alle otto e mezza, va bene."),
        ("nl", "Mijn tante heeft liever 's ochtends, om half negen.", "De 27e om half negen, dat is goed."),
        ("pt", "A minha tia prefere de manhã, às oito e meia.", "Dia 27 às oito e meia, está bem."),
    ],
)
def test_a_preferred_hour_that_the_agent_says_again_is_agreed_on(
    opened: Opened, language: str, wish: str, answer: str
) -> None:
    [thread] = opened(f"u: {wish}\na: {answer}", language)

    assert (thread.kind, thread.due) == ("plan", date(2026, 11, 27))


@pytest.mark.parametrize(
    ("language", "booked", "reminded"),
    [
        (
            "en",
            "u: I'd like a haircut on Tuesday at three.\na: Tuesday at three is booked.",
            "u: Can you remind me Monday evening?\na: Yes, I'll send you a text Monday evening.",
        ),
        (
            "it",
            "u: Vorrei un taglio martedì alle tre.\na: Martedì alle tre, segnato.",
            "u: Me lo può ricordare lunedì?\na: Sì, le mando un messaggio lunedì.",
        ),
    ],
)
def test_a_day_to_be_reminded_on_is_no_other_day_for_what_was_booked(
    opened: Opened, language: str, booked: str, reminded: str
) -> None:
    plan, reminder = opened(f"{booked}\n{reminded}", language)

    assert (plan.kind, plan.due) == ("plan", date(2026, 11, 24))
    assert (reminder.kind, reminder.due) == ("request", date(2026, 11, 23))


@pytest.mark.parametrize(
    ("language", "talk"),
    [
        (
            "de",
            "a: Freitags um drei.\nu: Freitag hat er Fußball.\na: Dann mittwochs um fünf?\nu: Das passt.",
        ),
        ("en", "a: Fridays at three.\nu: Friday he's got football.\na: Wednesdays at five?\nu: That's fine."),
    ],
)
def test_every_wednesday_is_not_of_the_friday_named_before(opened: Opened, language: str, talk: str) -> None:
    assert opened(f"u: .\n{talk}", language)[-1].due is None
