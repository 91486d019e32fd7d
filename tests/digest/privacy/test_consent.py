"""What the caller does not want remembered is not remembered."""

from collections.abc import Callable
from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from voice_server.digest.privacy import consent
from voice_server.digest.secrets.lexicon import KINDS, Kind
from voice_server.digest.secrets.messages import redacted_messages
from voice_server.digest.secrets.redaction import is_redacted, placeholder
from voice_server.domain.conversation import Message, Role

Call = Callable[[str], list[Message]]

SECRET = """
    u: I moved to Porto last month.
    a: How do you like it there?
    u: I am seeing a doctor about my heart.
    a: I hope it is nothing serious.
    u: {asked}
    a: Of course, your heart stays your secret.
    u: Shall we talk about the garden?
"""

NEIGHBOURS = """
    u: Hello, it's Anna Weber.
    a: Hello Anna, how can I help?
    u: {asked}
    a: Of course.
    u: I am allergic to nuts.
    a: Good to know.
"""


@pytest.mark.parametrize("value", [False, "false", "no", "No.", "declined", "refused", 0, "opt-out"])
def test_a_declined_consent_is_declined_however_it_is_written(value: object) -> None:
    assert consent.declined({"memory_consent": value})


@pytest.mark.parametrize("value", [True, "yes", "granted", 1, ""])
def test_a_given_or_empty_consent_is_not_declined(value: object) -> None:
    assert not consent.declined({"memory_consent": value}, {"newsletter": "no"})


def test_any_of_the_sources_may_decline() -> None:
    assert consent.declined({"topic": "garden"}, {"memory_consent": "no"})


@pytest.mark.parametrize(
    "asked",
    [
        "Please forget what I just said.",
        "Forget that I said that, will you.",
        "Don't remember that, please.",
        "Could you please not write down that, I'd rather keep it for myself and for my family alone.",
        "Oh, and don't note that down anywhere.",
        "What I just told you is off the record.",
        "Vergiss, was ich gerade gesagt habe.",
        "Olvida lo que acabo de decir.",
        "Oubliez ce que je viens de dire.",
        "Please remove that from your notes.",
        "Could you erase that from your memory?",
        "Strike that from the record, please.",
        "Please delete what I just said.",
        "I don't want you to remember that.",
        "I don't want you to write that down.",
        "I don't want that recorded.",
        "I'd rather you didn't note that down.",
        "I am ashamed of it, but don't write that down.",
        "Can you not save that?",
        "Never store that in your files.",
        "Please don't keep a record of that.",
        "Sorry, forget I mentioned it.",
        "Bitte vergiss, was ich dir eben erzählt habe.",
        "Perdón, olvida lo que te dije.",
        "Dimentica quello che ho appena detto.",
        "Por favor, esqueça o que eu disse.",
        "Vergeet wat ik net zei.",
        "Halt das nicht fest.",
        "Das hat da nichts verloren.",
        "Wird das gespeichert? Bitte nicht.",
        "Is this being recorded? Please don't.",
    ],
)
def test_what_was_just_said_is_withheld_with_the_answers_to_it(call: Call, asked: str) -> None:
    assert consent.withheld(call(SECRET.format(asked=asked))) == {2, 3, 4, 5}


@pytest.mark.parametrize(
    "said",
    [
        "I don't remember that at all.",
        "I don't remember this place.",
        "Please remember that.",
        "Don't forget what I said.",
        "I forget what I said last time.",
        "Did you forget what I told you?",
        "My doctor does not keep that kind of record.",
        "Forget it, we take the bus.",
        "I edit it at night and do not record everything live.",
        "Could you remove that item from my basket?",
        "Please erase that old phone number, the new one is 555 0101.",
        "I want to delete that appointment on Friday.",
        "Strike that, I meant Tuesday.",
        "Scratch that, make it two tickets.",
        "Please delete that line from the order.",
        "Can you remove that from my basket?",
        "I was drunk and don't remember that.",
        "I went there once, but don't remember that.",
        "Please don't store that in the fridge.",
        "Don't keep it in the oven for too long.",
        "Please don't save this file yet.",
        "Never keep everything in one bank.",
        "Please don't keep that appointment, I am away.",
        "You don't have to write that down, I send it by mail.",
        "Forget everything you know about baking.",
        "Forget all that nonsense about diets.",
        "I forget everything these days.",
        "I'll never forget this conversation.",
        "Forget the call, I write to her instead.",
        "There is a big difference between you and me.",
        "There is a wall between us and the neighbours.",
        "I took the needle off the record.",
        "She bought it off the record shop.",
        "The minister spoke off the record.",
        "I do not record anything at home.",
        "We write songs and never record everything.",
        "I want to erase what he said from my mind.",
        "Please don't log out yet.",
        "My phone does not save this at all.",
        "Se me olvida todo.",
        "Mi madre es mayor, y olvida todo.",
        "J'oublie tout ce que tu me dis.",
        "Je ne retiens pas ça.",
        "C'est fini entre nous.",
        "Hay una gran diferencia entre nosotros.",
        "Ich vergesse alles.",
        "Vergiss alles andere, es geht um den Garten.",
        "Das Regal hält das nicht fest.",
        "Der Zettel hat da nichts verloren.",
        "Wird das gespeichert?",
        "Is this call being recorded?",
        "Potrei non ricordare questo.",
        "No guardes eso en la nevera.",
    ],
)
def test_what_only_sounds_like_it_withholds_nothing(call: Call, said: str) -> None:
    assert consent.withheld(call(SECRET.format(asked=said))) == frozenset()


def test_of_a_secret_told_beside_the_wish_nothing_else_is_withheld(call: Call) -> None:
    messages = call("""
        u: Just one request, my wife needs a Jain meal on the flight.
        a: I'll request that. And for you?
        u: For me anything, I'm not so strict. Don't tell her I said.
        a: Ha, your secret's safe. Would you like to add travel insurance?
        u: No insurance, I get it through my work.
    """)

    assert consent.withheld(messages) == {2, 3}


def test_a_secret_told_in_two_turns_is_withheld_from_where_it_began(call: Call) -> None:
    messages = call("""
        u: The pigeons are fine, but my boy is inside.
        a: How sad. Does that worry you?
        u: Yes, in Vught, in prison, it's something.
        a: I can imagine.
        u: But don't write that down, please.
    """)

    assert consent.withheld(messages) == {0, 1, 2, 3, 4}


def test_what_the_agent_asks_on_about_is_withheld_with_the_secret_that_a_wish_names(call: Call) -> None:
    messages = call("""
        u: Montags spiele ich Schach.
        a: Wie war Ihre Woche?
        u: nicht so doll der bernd hat wieder spielschulden
        a: Das tut mir leid.
        u: zwanzigtausend stellen sie sich das mal vor
        a: Möchten Sie darüber reden?
        u: nee ach das mit dem bernd das streichen sie mal wieder das hätt ich nicht sagen sollen
    """)

    assert consent.withheld(messages) == {2, 4, 5, 6}


def test_a_wish_that_somebody_else_understood_means_what_they_say(call: Call) -> None:
    messages = call("""
        u: My wife moved out in January.
        a: I'm sorry. What's the trouble with the line?
        u: It drops each evening, about nine, and then it is back in the morning.
        a: The engineer comes on Wednesday.
        u: Good. And the other bit, could you leave that out of your notes?
        a: Of course, I won't keep it.
    """)

    assert consent.withheld(messages, frozenset({0, 1, 4, 5})) == {0, 1, 4, 5}
    assert consent.withheld(messages, frozenset({0, 1})) == consent.withheld(messages) | {0, 1}
    assert consent.withheld(messages, frozenset({4, 5})) == consent.withheld(messages) > {4, 5}, "and what?"


@pytest.mark.parametrize(
    ("said", "understood"),
    [
        ("I was fired. / And my wife left. / Forget everything I told you today.", {2, 4}),
        ("My heart stopped. / My heart aches. / Forget what I said about my heart.", {0, 4}),
        ("I was in prison. / Don't write that down. / My son steals. / Don't write that down.", {0, 2, 6}),
    ],
    ids=["all of it", "a topic", "the same wish again"],
)
def test_a_wish_that_says_what_it_means_is_not_left_to_somebody_else(
    call: Call, said: str, understood: set[int]
) -> None:
    messages = call("\na: Oh.\n".join(f"u: {one}" for one in said.split(" / ")))
    users = {one.position for one in messages if one.role == "user"}

    assert users <= consent.withheld(messages, frozenset(understood))


def test_an_answer_that_one_sees_makes_seeing_no_topic(call: Call) -> None:
    messages = call("""
        u: I am seeing a doctor about my heart.
        a: I see. I hope it is nothing serious.
        u: I don't want to see that in your notes.
        a: Of course, your heart stays your secret.
        u: Shall we talk about the garden?
    """)

    assert consent.withheld(messages) == {0, 1, 2, 3}


@pytest.mark.parametrize(
    ("wish", "answer"),
    [
        ("Oh, wipe that out, please, I shouldn't have said.", "It's gone. I won't keep it."),
        ("Blot it out, would you.", "Already forgotten."),
        ("Ach, streich das mal.", "Schon gestrichen."),
        ("Rayez ça, s'il vous plaît.", "C'est effacé."),
        ("Bórrelo, por favor.", "Borrado queda."),
        ("Cancelli quello, per favore.", "Già dimenticato."),
        ("Schrap dat maar.", "Al vergeten."),
        ("Apague isso, por favor.", "Já esqueci."),
    ],
)
def test_a_wish_in_words_of_its_own_is_known_by_the_agents_answer(call: Call, wish: str, answer: str) -> None:
    told = "My husband drinks again and hides bottles in the shed."
    said = call(f"u: I moved to Porto.\na: Oh!\nu: {told} {wish}\na: {answer}\nu: I paint.")

    assert [one.content for one in consent.kept(said)] == ["I moved to Porto.", "Oh!", "I paint."]


@pytest.mark.parametrize(
    "announced",
    [
        "Before I say the next bit, this stays on this phone, does it?",
        "Darf ich Ihnen was anvertrauen, was Sie dann gleich wieder vergessen?",
        "Je peux vous dire un truc que vous oublierez aussitôt ?",
        "¿Le puedo decir una cosa y luego la olvida?",
        "Posso dirle una cosa che poi si dimentica subito?",
        "Posso contar uma coisa que depois esquece logo?",
        "Mag ik iets zeggen wat u meteen weer vergeet?",
    ],
)
def test_what_is_announced_as_to_be_forgotten_is_withheld_when_it_is_told(call: Call, announced: str) -> None:
    before = f"u: I moved to Porto.\na: Oh!\nu: {announced}\na: Yes."
    withheld = consent.withheld(call(f"{before}\nu: Okay.\na: Mm.\nu: I drink.\na: Oh.\nu: A lamp."))

    assert withheld >= {2, 3, 6, 7}
    assert withheld.isdisjoint({0, 1, 8})


def test_what_follows_a_colon_is_the_secret_and_not_the_turn_before(call: Call) -> None:
    wish = "Even niet voor in je systeem: mijn broer zit vast voor inbraak."

    assert consent.withheld(call(f"u: I moved to Porto.\na: Oh!\nu: {wish}\na: Oh.")) == {2, 3}


def test_what_is_known_by_the_answer_alone_is_the_turn_before_or_what_the_turn_tells(call: Call) -> None:
    talk = "u: I moved to Porto.\na: Oh!\nu: {}Me and my big mouth.\na: Not a word from me."

    assert consent.withheld(call(talk.format("My son is in prison for arson. "))) == {2, 3}
    assert consent.withheld(call(talk.format(""))) == {0, 1, 2, 3}


@pytest.mark.parametrize(
    ("said", "answer"),
    [
        ("Can you delete the order, please?", "It's gone."),
        ("Could you cancel Friday, please.", "Of course, it's gone."),
        ("Forget the roof rack, I'll do without.", "Okay, it's off."),
        ("I've a leak again.", "I won't keep you long."),
        ("Is the mouse still there?", "It's gone."),
        ("Take the onions off that.", "Of course, that's gone."),
        ("Delete that line from the order.", "That's gone."),
        ("Please take it off my bill.", "It's out."),
        ("Quite eso del pedido, por favor.", "Ya está borrado."),
        ("Nehmen Sie das bitte aus der Bestellung raus.", "Ist raus."),
        ("Could you tell Tom I called? Keep the change.", "Sure, I won't keep it."),
        ("Please remove that from my basket.", "It's gone."),
        ("Please wipe that number, it's 0113 now.", "It's gone."),
        ("I live in a private road.", "Sorry, I didn't hear that."),
        ("Löschen Sie das Foto bitte.", "Ist gelöscht."),
        ("Ich bin privat versichert. Das kostet viel.", "Das habe ich nicht gehört."),
        ("Quite eso del pedido, por favor.", "Está borrado."),
        ("Cancelli quello di venerdì.", "Cancellato."),
    ],
)
def test_what_is_gone_for_other_reasons_was_no_wish(call: Call, said: str, answer: str) -> None:
    assert consent.withheld(call(f"u: I moved to Porto.\na: Oh!\nu: {said}\na: {answer}")) == frozenset()


@pytest.mark.parametrize("wish", ["Don't tell Ben I smoke.", "Don't tell my mum I called."])
def test_who_tells_the_secret_behind_the_wish_withholds_their_own_turn_alone(call: Call, wish: str) -> None:
    said = call(f"u: My knee hurts since the fall.\na: Oh dear.\nu: {wish}\na: I won't.\nu: I paint.")

    assert [one.position for one in consent.kept(said)] == [0, 1, 4]


@pytest.mark.parametrize(
    "wish",
    [
        "Don't tell anybody about that at work.",
        "Please don't tell anyone this week.",
        "Keep it a secret from my family.",
        "Please keep that private from my employer.",
        "Das bleibt unter uns bis Weihnachten.",
        "Erzähl das niemandem in der Firma.",
        "No se lo digas a nadie de mi familia.",
        "Non dirlo a nessuno in ufficio.",
        "Zeg het tegen niemand op kantoor.",
        "Don't tell Ben I told you.",
    ],
)
def test_who_must_not_hear_of_it_is_no_secret_of_its_own(call: Call, wish: str) -> None:
    said = call(f"u: I'm seeing a therapist for my drinking.\na: I see.\nu: {wish}\na: Of course.")

    assert consent.kept(said) == ()


def test_off_the_record_withholds_what_is_said_with_it(call: Call) -> None:
    messages = call("""
        u: I like the new garden very much.
        u: Off the record, my neighbour has been stealing apples from everybody in the street since May.
        a: That is a serious thing to say about him.
        u: Let us talk about something else.
    """)

    assert consent.withheld(messages) == {1, 2}


@pytest.mark.parametrize(
    "asked",
    [
        (
            "Please don't write this down, but my neighbour has been stealing apples "
            "from everybody in the street."
        ),
        "Just between you and me, my neighbour has been stealing apples from everybody in the street.",
        "This stays between us, but my neighbour has been stealing apples from everybody in the street.",
        (
            "I'll tell you something off the record about my neighbour, who has been stealing apples "
            "in the street."
        ),
        "Unter uns gesagt, mein Nachbar stiehlt seit Mai jedem in der ganzen Straße die Äpfel vom Baum.",
        "Ne notez pas ça. Mon voisin vole depuis le mois de mai les pommes de toute la rue.",
        "Que esto quede entre nosotros: mi vecino roba las manzanas de toda la calle desde mayo.",
    ],
)
def test_a_secret_told_as_one_is_withheld(call: Call, asked: str) -> None:
    messages = call(f"u: I like the garden.\nu: {asked}\na: I see.\nu: What else is new?")

    assert consent.withheld(messages) == {1, 2}


def test_an_announced_secret_is_withheld(call: Call) -> None:
    messages = call("""
        u: Can I tell you something off the record?
        a: Of course.
        u: I am going to leave my job.
        a: I see, that is a big step.
        u: What is the weather like?
    """)

    assert consent.withheld(messages) == {0, 1, 2, 3}


@pytest.mark.parametrize(
    "asked",
    [
        "Please don't record this call.",
        "Forget this conversation.",
        "Don't save anything.",
        "I don't want this conversation to be recorded.",
        "Please delete this call from your records.",
        "Forget everything I told you.",
        "Please forget everything.",
        "Could you not take any notes?",
        "I don't want you to remember any of this.",
        "Please don't remember any of this conversation.",
        "Bitte vergiss alles.",
        "Vergessen Sie dieses Gespräch.",
        "Olvida todo, por favor.",
        "Oubliez tout.",
    ],
)
def test_a_whole_conversation_can_be_withheld(call: Call, asked: str) -> None:
    assert consent.kept(call(SECRET.format(asked=asked))) == ()


def test_what_is_kept_is_everything_else_in_order(call: Call) -> None:
    messages = call(SECRET.format(asked="Forget what I just said."))

    assert [message.position for message in consent.kept(messages)] == [0, 1, 6]


@given(
    said=st.lists(
        st.tuples(st.sampled_from(["user", "agent", "tool_result"]), st.text(max_size=60)), max_size=12
    )
)
def test_only_messages_of_the_conversation_are_withheld(said: list[tuple[Role, str]]) -> None:
    messages = [
        Message(n, role, text, datetime(2026, 11, 17, tzinfo=UTC)) for n, (role, text) in enumerate(said)
    ]

    assert consent.withheld(messages) <= {message.position for message in messages}


ILL = """
    u: I have diabetes.
    a: I see. What else?
    u: I sold my boat.
    a: ok
    u: {asked}
    a: Fine.
    u: What is the weather like?
"""


@pytest.mark.parametrize(
    "asked",
    [
        "Please forget what I said about the diabetes.",
        "Please delete what I told you about my diabetes",
        "Keep the diabetes between us",
        "Forget about my diabetes.",
        "Forget the diabetes.",
        "Please forget about the diabetes, will you.",
        "Please forget that I have diabetes.",
        "Forget I mentioned my diabetes.",
        "Delete everything about my diabetes.",
        "Please remove everything about diabetes from your notes.",
        "Please erase the diabetes from your memory.",
        "Remove everything I told you about my diabetes.",
        "Forget everything you know about my diabetes.",
        "Don't remember the thing with my diabetes.",
        "Please don't remember that I am diabetic.",
        "Don't write down what I said about my diabetes.",
        "I don't want you to remember what I said about the diabetes.",
        "Please don't keep anything about my diabetes.",
        "The diabetes stays between us.",
        "What I said about the diabetes stays between us.",
        "Keep what I said about the diabetes to yourself.",
        "Please keep my diabetes off the record.",
        "Can you forget what I told you about diabetes and tell me a joke?",
        "Vergiss bitte, was ich über meinen Diabetes gesagt habe.",
        "Oublie ce que je t'ai dit sur le diabetes.",
        "Olvida lo que te dije sobre la diabetes.",
        "Dimentica quello che ti ho detto sul diabetes.",
        "Esquece o que eu disse sobre a diabetes.",
        "Vergeet wat ik over mijn diabetes heb gezegd.",
    ],
)
def test_a_wish_that_names_its_topic_withholds_what_was_said_about_it(call: Call, asked: str) -> None:
    assert consent.withheld(call(ILL.format(asked=asked))) == {0, 4}


def test_a_named_topic_is_withheld_from_what_the_agent_said_and_from_what_is_said_later(call: Call) -> None:
    messages = call("""
        u: I met Daniel.
        a: How is Daniel?
        u: We sold my boat.
        a: ok
        u: Please forget what I said about Daniel.
        a: Of course.
        u: What is the weather like?
        a: Sunny, like Daniel's smile.
    """)

    assert consent.withheld(messages) == {0, 1, 4, 7}


def test_all_topics_that_are_named_are_withheld(call: Call) -> None:
    asked = "Forget everything I told you about my boat. And forget everything I said about the diabetes."

    assert consent.withheld(call(ILL.format(asked=asked))) == {0, 2, 4}


def test_a_wish_for_the_whole_call_beside_a_topic_is_heard(call: Call) -> None:
    asked = "Please forget what I said about my boat. And please don't record this call."

    assert consent.kept(call(ILL.format(asked=asked))) == ()


@pytest.mark.parametrize(
    "asked",
    [
        "Please forget what I said about the tumour.",
        "Keep the tumour between us.",
        "Please delete what I told you about my tumour.",
    ],
)
def test_a_topic_of_other_words_is_the_turn_before(call: Call, asked: str) -> None:
    assert consent.withheld(call(ILL.format(asked=asked))) == {2, 3, 4, 5}


def test_an_answer_that_repeats_the_topic_does_not_take_the_turn_before_back(call: Call) -> None:
    messages = call(
        "u: The scan was bad.\na: Oh.\nu: Please forget what I said about the tumour.\na: Which tumour?"
    )

    assert consent.withheld(messages) == {0, 1, 2, 3}


def test_a_topic_of_the_message_itself_withholds_no_other(call: Call) -> None:
    asked = "I have a tumour. Please forget what I said about the tumour."

    assert consent.withheld(call(ILL.format(asked=asked))) == {4}


@pytest.mark.parametrize("said", ["Forget my tumour.", "Vergiss Daniel.", "Oublie mon ancienne adresse."])
def test_a_topic_that_is_named_alone_is_one_of_earlier_calls(call: Call, said: str) -> None:
    messages = call(f"u: My boat is blue.\na: Nice.\nu: {said}\na: Done.")

    assert consent.withheld(messages) == {2, 3}
    assert len(consent.topics(messages)) == 1


@pytest.mark.parametrize(
    "said",
    [
        "You can forget the appointment.",
        "Forget about the meeting on Friday, it's cancelled.",
        "Vergiss den Termin.",
    ],
)
def test_what_is_called_off_is_not_to_be_forgotten(call: Call, said: str) -> None:
    messages = call(f"u: The appointment is on Friday.\na: I see.\nu: {said}\na: Done.")

    assert consent.withheld(messages) == frozenset()
    assert consent.topics(messages) == {}


def test_a_topic_of_another_time_withholds_no_other_turn(call: Call) -> None:
    asked = "What I said about the therapist last week, please erase it."
    messages = call(f"u: My boat is blue.\na: Nice.\nu: {asked}\na: Done.")

    assert consent.withheld(messages) == {2, 3}


@pytest.mark.parametrize(
    "said",
    [
        "I'll never forget my diabetes.",
        "Don't forget the diabetes.",
        "Don't forget the milk.",
        "Please don't forget what I said about the diabetes.",
        "I forget what I said about the diabetes.",
        "Did you forget what I told you about the diabetes?",
        "Please delete everything about diabetes from my calendar.",
        "I always forget about my diabetes.",
        "I was tired and don't remember the boat.",
        "Never forget the boat.",
        "Forget the boat, I bought a car.",
        "Keep the boat between us and the pier.",
        "Vergiss nicht, was ich über Diabetes gesagt habe.",
    ],
)
def test_ordinary_talk_about_a_topic_withholds_nothing(call: Call, said: str) -> None:
    assert consent.withheld(call(ILL.format(asked=said))) == frozenset()


@pytest.mark.parametrize(
    "asked",
    [
        "Please forget that.",
        "Bitte vergiss das.",
        "Vergiss das bitte.",
        "Vergessen Sie bitte, was ich eben gesagt habe.",
        "Können Sie das bitte vergessen?",
        "Bitte speichere das nicht.",
        "Bitte schreiben Sie das nicht auf.",
        "Oublie ça s'il te plaît.",
        "Oublie ce que je viens de dire.",
        "S'il te plaît, oublie ce que j'ai dit.",
        "N'écris pas ça.",
        "N'enregistrez pas ça, s'il vous plaît.",
        "Por favor, olvida eso.",
        "Por favor olvida lo que dije.",
        "No lo apuntes.",
        "No grabes eso.",
        "Dimentica questo, per favore.",
        "Per favore, dimentica quello che ho detto.",
        "Non scriverlo, per favore.",
        "Esquece isso, por favor.",
        "Esqueça o que eu acabei de dizer.",
        "Não anote isso.",
        "Vergeet dat alsjeblieft.",
        "Vergeet wat ik net heb gezegd.",
        "Schrijf dat niet op.",
        "请忘掉刚才说的。",
        "请把我刚才说的忘掉。",
        "忘了我刚才说的吧。",
        "请不要记住这个。",
        "别记录这个。",
        "今言ったことは忘れてください。",
        "それは忘れてください。",
        "これは覚えないでください。",
        "それはメモしないでください。",
    ],
)
def test_what_was_just_said_is_withheld_in_other_languages(call: Call, asked: str) -> None:
    assert consent.withheld(call(SECRET.format(asked=asked))) == {2, 3, 4, 5}


@pytest.mark.parametrize(
    "asked",
    [
        "Das bleibt unter uns.",
        "Ça reste entre nous.",
        "Que esto quede entre nosotros.",
        "Questo resta tra noi.",
        "Isto fica entre nós.",
        "Dit blijft onder ons.",
        "这是我们之间的秘密。",
        "请保密。",
        "ここだけの話です。",
        "内緒にしてね。",
        "Bitte merk dir das nicht.",
        "Bitte Diskretion.",
        "Non ricordare questo.",
    ],
)
def test_a_secret_in_other_languages_is_withheld_on_both_sides(call: Call, asked: str) -> None:
    assert consent.withheld(call(SECRET.format(asked=asked))) == {2, 3, 4, 5, 6}


@pytest.mark.parametrize(
    "asked",
    [
        "Please keep that private.",
        "please keep that private",
        "That's just between us.",
        "I'd like that kept private.",
        "please dont share that with anyone",
        "Davon darf keiner was erfahren.",
        "Erzählen Sie niemandem davon.",
        "Eso es confidencial.",
        "Dat blijft onder ons.",
        "Keep that under your hat.",
        "Das behältst du für dich.",
        "Que ça reste entre nous.",
        "Que quede entre nosotros.",
        "Che resti tra noi.",
        "Que fique entre nós.",
        "Mondje dicht, hè.",
        "那个是秘密。",
        "それは秘密です。",
    ],
)
def test_a_secret_that_points_back_leaves_what_is_said_next(call: Call, asked: str) -> None:
    assert consent.withheld(call(SECRET.format(asked=asked))) == {2, 3, 4, 5}


@pytest.mark.parametrize(
    "asked",
    [
        "This stays between us.",
        "Can I tell you something, and that stays between us?",
        "I want to tell you something, but that stays between us.",
        "Please keep it to yourself.",
        "Das bleibt unter uns.",
        "Esto es confidencial.",
    ],
)
def test_a_secret_that_may_be_still_to_come_is_withheld_on_both_sides(call: Call, asked: str) -> None:
    assert consent.withheld(call(SECRET.format(asked=asked))) == {2, 3, 4, 5, 6}


def test_with_nothing_before_it_a_secret_is_still_to_come(call: Call) -> None:
    messages = call("""
        a: Hello, how can I help?
        u: Please keep that private.
        a: Of course.
        u: I am going to leave my job.
        a: I see, that is a big step.
        u: What is the weather like?
    """)

    assert consent.withheld(messages) == {1, 2, 3, 4}


@pytest.mark.parametrize(
    "said",
    [
        "Vergiss nicht die Milch.",
        "Vergiss das nicht.",
        "Das werde ich nie vergessen.",
        "N'oublie pas ça.",
        "N'oublie pas ce que je viens de dire.",
        "Je n'oublierai jamais ça.",
        "No olvides eso.",
        "Nunca olvidaré eso.",
        "Non dimenticare questo.",
        "Não se esqueça do leite.",
        "Vergeet dat niet.",
        "Vergeet de melk niet.",
        "不要忘记我刚才说的。",
        "别忘了牛奶。",
        "我忘了刚才说的。",
        "我永远不会忘记这个。",
        "这是我们之间的问题。",
        "それは忘れないで。",
        "さっきの話は忘れてしまいました。",
        "牛乳を忘れていました。",
    ],
)
def test_ordinary_talk_in_other_languages_withholds_nothing(call: Call, said: str) -> None:
    assert consent.withheld(call(SECRET.format(asked=said))) == frozenset()


def test_a_secret_told_with_the_wish_leaves_what_was_told_long_before(call: Call) -> None:
    said = call("""
        u: We got married in 2011.
        a: And are there children?
        u: Two. Girls. Nine and six.
        a: We'll ring you with a time.
        u: I've been seeing somebody. From the tennis club. Actually, no, please forget I said that.
        a: Of course.
    """)

    assert consent.withheld(said) == {4, 5}


@pytest.mark.parametrize(
    "asked",
    [
        "yeah but dont tell my daughter and dont keep that anywhere will you just forget it",
        "yeah, but don't write it down anywhere, and don't keep that in your notes, just forget it.",
    ],
)
def test_a_wish_beside_another_tells_no_secret(call: Call, asked: str) -> None:
    said = call(f"""
        u: i had a drink last night nearly a bottle of whisky
        a: Are you all right?
        u: {asked}
        a: All right, I've forgotten it.
    """)

    assert consent.withheld(said) == {0, 1, 2, 3}


@pytest.mark.parametrize(
    "asked",
    [
        "forget the cancer we talked about",
        "Forget the cancer I told you of.",
        "forget the cancer my doctor found",
    ],
)
def test_a_secret_that_is_named_with_who_told_of_it_is_withheld(call: Call, asked: str) -> None:
    said = call(f"u: Hello.\na: Hi.\nu: I have cancer.\na: Oh.\nu: {asked}\na: Sure.")

    assert {2, 4} <= consent.withheld(said)


REQUEST = """
    u: Please remind me to buy her a present
    a: There is a shop called Casa Azul.
    u: {asked}
    a: Okay.
    u: Thanks
"""


@pytest.mark.parametrize(
    "asked",
    [
        "My PIN is 4711. Please forget what I just said.",
        "My PIN is 4711, don't write this down.",
        "Please don't write this down: my PIN is 4711.",
        "I stole money from my sister, keep that between us.",
        "Meine PIN ist 4711. Vergiss, was ich gerade gesagt habe.",
        "Mon code secret est 4711. Oublie ça s'il te plaît.",
        "我的密码是4711。请忘掉刚才说的。",
    ],
)
def test_a_secret_told_with_the_wish_leaves_the_turn_before(call: Call, asked: str) -> None:
    assert consent.withheld(call(REQUEST.format(asked=asked))) == {2, 3}


@pytest.mark.parametrize(
    "asked",
    [
        "My PIN is 4711, don't write this down.",
        "my pin is 4711 don't write this down",
        "Please don't write this down: my PIN is 4711.",
        "This stays between us: my PIN is 4711.",
        "My card number is 4111 1111 1111 1111, please don't note that.",
        (
            "My card number is four one one one, one one one one, one one one one, one one one one, "
            "don't note that."
        ),
        "The security code is 739, keep that between us.",
        "My password is hunter2, don't write this down.",
        "The verification code is 884213, please delete that.",
        "My IBAN is DE89 3704 0044 0532 0130 00, please don't save that.",
        "Meine PIN ist 4711. Vergiss, was ich gerade gesagt habe.",
        "Meine PIN ist 4711, schreib das nicht auf.",
        "Mein Passwort ist hunter2, das bleibt unter uns.",
        "Meine Kartennummer ist 4111 1111 1111 1111, bitte nicht speichern.",
        "Mon code secret est 4711. Oublie ça s'il te plaît.",
        "Mon mot de passe est soleil12, ne le note pas.",
        "Mi PIN es 4711, no lo apuntes.",
        "Mi contraseña es girasol9, no lo guardes.",
        "Il mio PIN è 4711, non scriverlo.",
        "O meu PIN é 4711, não anote isso.",
        "Mijn pincode is 4711, schrijf dat niet op.",
        "我的密码是4711。请忘掉刚才说的。",
        "我的密码是4711，请不要记下来。",
        "暗証番号は4711です。メモしないでください。",
        "暗証番号は4711です、内緒にしてね。",
    ],
)
def test_a_secret_that_gave_way_to_its_mark_is_still_told_with_the_wish(call: Call, asked: str) -> None:
    messages = redacted_call(call(NEIGHBOURS.format(asked=asked)))

    assert is_redacted(messages[2].content)
    assert consent.withheld(messages) == {2, 3}


@pytest.mark.parametrize("kind", KINDS)
def test_the_mark_of_any_secret_tells_one(call: Call, kind: Kind) -> None:
    asked = f"{placeholder(kind)}, don't write this down."

    assert consent.withheld(call(NEIGHBOURS.format(asked=asked))) == {2, 3}


@pytest.mark.parametrize(
    "asked",
    [
        "Is it {}? Please forget what I just said.",
        "Please forget what I just said.",
        "Das bleibt unter uns.",
    ],
)
def test_what_a_wish_means_beside_a_question_or_nothing_is_the_turn_before(call: Call, asked: str) -> None:
    messages = call(NEIGHBOURS.format(asked=asked.format("[PIN]")))

    assert {0, 2} <= consent.withheld(messages)


@pytest.mark.parametrize(
    "asked",
    [
        "I am so sorry, that was stupid of me. Please forget what I just said.",
        "Thanks for the weather report. Please forget what I just said.",
        "What is the weather like? And please forget what I just said.",
        "Es tut mir leid. Vergiss, was ich gerade gesagt habe.",
        "对不起，我不该说这个。请忘掉刚才说的。",
    ],
)
def test_regret_thanks_and_questions_are_no_secret_of_their_own(call: Call, asked: str) -> None:
    assert consent.withheld(call(REQUEST.format(asked=asked))) == {0, 1, 2, 3}


def redacted_call(messages: list[Message]) -> list[Message]:
    """A call as it is kept: with marks in place of secrets."""
    texts = redacted_messages(messages)
    return [replace(message, content=text) for message, text in zip(messages, texts, strict=True)]


WISHES = (
    "Please forget what I just said.",
    "Please forget what I said about {}.",
    "Bitte vergiss das.",
    "请忘掉刚才说的。",
    "Don't record this call.",
)


@given(
    before=st.lists(st.text(max_size=60), max_size=5),
    wish=st.sampled_from(WISHES),
    topic=st.text(max_size=30),
)
def test_the_message_with_the_wish_is_among_what_it_withholds(
    before: list[str], wish: str, topic: str
) -> None:
    texts = [*before, wish.format(topic)]
    messages = [Message(n, "user", text, datetime(2026, 11, 17, tzinfo=UTC)) for n, text in enumerate(texts)]
    withheld = consent.withheld(messages)

    assert withheld <= {message.position for message in messages}
    assert len(before) in withheld


@pytest.mark.parametrize("before", [100, 300])
def test_a_wish_in_a_long_turn_is_heard(call: Call, before: int) -> None:
    weather = "We talked about the weather and the garden. "
    messages = call(f"""
        u: I was in prison.
        a: Oh.
        u: {weather * before}Please forget what I just said. {weather * 100}
    """)

    assert 2 in consent.withheld(messages)


def test_a_long_turn_full_of_hints_that_wishes_nothing_withholds_nothing(call: Call) -> None:
    hints = "I remember the note between us, and I write and keep it. "

    assert (
        consent.withheld(
            call(f"""
        u: I was in prison.
        a: Oh.
        u: {hints * 150}
    """)
        )
        == frozenset()
    )


@pytest.mark.parametrize(
    "said",
    [
        "my brother drinks a bit we hardly talk well forget that",
        "mein bruder trinkt ein bisschen wir reden kaum ach vergiss das wieder",
        "mon frère boit un peu on se parle pas beaucoup hein oublie ça",
        "mijn broer drinkt nogal we praten amper nou vergeet dat maar",
        "mio fratello beve un po non ci parliamo vabbè dimenticalo",
        "o meu irmão bebe um bocado mal falamos olha esquece isso",
        "o pai dela tá desempregado. aliás apaga isso, não era pra contar kkk",
        "su padre está en paro. bueno olvídalo, no era para contarlo jaja",
        "suo padre è disoccupato. anzi cancella, non dovevo dirlo ahah",
        "son père est au chômage. oublie ça, fallait pas le dire mdr",
        "ihr vater ist arbeitslos. vergiss es, durfte ich nicht erzählen haha",
    ],
)
def test_a_wish_at_the_end_of_a_turn_that_nobody_punctuated_is_heard(call: Call, said: str) -> None:
    assert 2 in consent.withheld(call(f"u: hello\na: how is the family\nu: {said}\na: of course"))


def test_a_secret_that_nobody_punctuated_is_told_with_the_wish(call: Call) -> None:
    talk = """
        u: stefano left the restaurant he teaches at the catering school now
        a: Good news.
        u: {said}
        a: Of course.
    """
    own = "sì con la moglie si stanno separando però questo non te lo dovevo dire dimenticalo per favore"

    assert consent.withheld(call(talk.format(said=own))) == {2, 3}


@pytest.mark.parametrize(
    "said",
    [
        "i dont want that to follow me around please delete it",
        "i talk too much when im tired please forget it",
        "i always say silly stuff please forget it",
        "ich bin so müde heute bitte vergiss das",
    ],
)
def test_idle_words_before_a_wish_are_no_secret_of_its_own(call: Call, said: str) -> None:
    assert 0 in consent.withheld(call(f"u: my son is in prison\na: oh\nu: {said}\na: of course"))


@pytest.mark.parametrize(
    "said",
    [
        "i need milk and bread oh don't forget the eggs",
        "i always lock up but well i forget that now and then",
    ],
)
def test_what_is_forgotten_at_the_end_of_a_turn_is_no_wish(call: Call, said: str) -> None:
    assert 2 not in consent.withheld(call(f"u: hello\na: how are things\nu: {said}\na: of course"))


@pytest.mark.parametrize(
    "asked",
    [
        "Don't tell anyone I lived there.",
        "Vertel niemand dat ik daar gewoond heb.",
        "Sag niemandem, dass ich da gewohnt habe.",
        "No le digas a nadie que viví allí.",
        "Ne dis à personne que j'habitais là.",
        "Non dire a nessuno che abitavo lì.",
        "Não digas a ninguém que morei lá.",
    ],
)
def test_who_speaks_of_a_place_told_before_tells_no_secret_of_its_own(call: Call, asked: str) -> None:
    assert {2, 3, 4, 5} <= consent.withheld(call(SECRET.format(asked=asked)))


@pytest.mark.parametrize(
    "said",
    [
        "At the surprise party for my dad my brother hit me, please don't tell anyone.",
        "We want to surprise her, and I've lost my job, so keep that between us.",
        "My sister drinks. I take that back, she'd kill me.",
        "Mein Bruder trinkt. Das nehme ich zurück, er wäre so sauer.",
    ],
)
def test_a_surprise_or_somebody_beside_a_secret_gives_it_not_away(call: Call, said: str) -> None:
    assert consent.kept(call(f"u: {said}")) == ()


@pytest.mark.parametrize(
    "said",
    [
        "De afspraak van vrijdag, die mag u schrappen.",
        "Quelle due pizze, quelle le può cancellare.",
        "Drie uur? Dat moet je vergeten, dat haal ik nooit.",
        "I take it back, they came yesterday.",
    ],
)
def test_what_is_called_off_or_owned_up_to_is_no_secret(call: Call, said: str) -> None:
    assert consent.kept(call(f"u: {said}")) != ()


@pytest.mark.parametrize(
    "said",
    [
        "my son since he split up / oh no i wasnt meant to say that delete that about the split",
        "mon fils depuis qu'il s'est séparé / mince je devais pas le raconter oubliez ca",
        "mi hijo desde que se separo / ay no eso no lo tenia que contar borralo lo de la separacion",
        "mi hijo desde que se separo / uy no eso no se lo tenia que decir quitelo",
        "mio figlio da quando si e separato / oh no non dovevo dirlo cancella la storia della separazione",
        "meu filho desde que se separou / ai nao isso nao era pra contar apaga isso da separação",
        "mijn zoon sinds hij weg is bij zijn vrouw / ai dat mocht ik niet vertellen vergeet dat",
    ],
)
def test_a_wish_behind_its_regret_needs_no_marks(call: Call, said: str) -> None:
    told, regretted = said.split(" / ")

    assert consent.kept(call(f"u: {told}\nu: {regretted}")) == ()


@pytest.mark.parametrize(
    ("before", "said", "answer"),
    [
        (
            "It's a present for my husband.",
            "He mustn't find out, so if he picks up you're the chemist.",
            "Not a word.",
        ),
        ("Red or blue?", "Blue. It's for my husband's birthday do, he mustn't find out.", "Not a word."),
        ("Das ist für den Geburtstag meines Mannes.", "Er darf nichts erfahren.", "Kein Wort."),
        ("È per il compleanno di mio marito.", "Non deve sapere niente.", "Acqua in bocca."),
        ("Das ist zum Hochzeitstag.", "Mein Mann darf nichts erfahren.", "Kein Wort."),
        ("Es un regalo para ella.", "Que no se entere.", "Ni una palabra."),
        ("C'est un cadeau pour elle.", "Elle ne doit rien savoir.", "Motus."),
        ("È un regalo per lei.", "Non deve sapere niente.", "Acqua in bocca."),
        ("Het is een cadeau voor hem.", "Hij mag het niet weten.", "Mondje dicht."),
        ("É de presente para ela.", "Ela não pode saber.", "Boca fechada."),
    ],
)
def test_a_present_is_kept_as_a_secret_and_not_forgotten(
    call: Call, before: str, said: str, answer: str
) -> None:
    assert len(consent.kept(call(f"u: {before}\na: Lovely.\nu: {said}\na: {answer}"))) == 4


@pytest.mark.parametrize(
    ("before", "said", "answer"),
    [
        (
            "It's our anniversary on Friday.",
            "My husband has cancer. Don't breathe a word.",
            "My lips are sealed.",
        ),
        ("I've a presentation on Monday.", "I'm pregnant. Nobody knows.", "Not a word."),
        ("Das Rad hab ich geschenkt bekommen.", "Ich bin schwanger, das weiß keiner.", "Kein Wort."),
        ("Es un regalo.", "Mi marido bebe. Que no se entere.", "Ni una palabra."),
        ("Fine.", "On my birthday he hit me, don't tell anyone.", "Not a word."),
    ],
)
def test_what_is_confided_beside_a_present_is_forgotten(
    call: Call, before: str, said: str, answer: str
) -> None:
    assert len(consent.kept(call(f"u: {before}\na: Lovely.\nu: {said}\na: {answer}"))) < 4
