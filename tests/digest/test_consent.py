"""What the caller does not want remembered is not remembered."""

from collections.abc import Callable
from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from voice_server.digest import consent
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
        "Potrei non ricordare questo.",
        "No guardes eso en la nevera.",
    ],
)
def test_what_only_sounds_like_it_withholds_nothing(call: Call, said: str) -> None:
    assert consent.withheld(call(SECRET.format(asked=said))) == frozenset()


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
        "Please don't write this down, but my neighbour has been stealing apples from everybody in the street.",
        "Just between you and me, my neighbour has been stealing apples from everybody in the street.",
        "This stays between us, but my neighbour has been stealing apples from everybody in the street.",
        "I'll tell you something off the record about my neighbour, who has been stealing apples in the street.",
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
