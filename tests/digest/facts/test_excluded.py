"""Nothing that is told says what a person excluded."""

from datetime import UTC, datetime, timedelta

import pytest
from msgspec.structs import replace
from pretend.memories import call, fact, follow_up, memory, served, thought, thread

from voice_server.digest.facts.excluded import without_excluded
from voice_server.domain.digest import KeyMoment
from voice_server.domain.fact import Source, WithheldFact
from voice_server.domain.memory import Memory, RememberedConversation, SummarisedDay

EARLIER = datetime(2026, 10, 20, 12, tzinfo=UTC)
KNEE = WithheldFact(1, '"I fell off my bike and hurt my left knee."', True, (Source(1, (1,)),))
ALLERGY = WithheldFact(2, '"Any allergies?" – "Ibuprofen."', True, (Source(1, (5,)),))


def quoted(*said: str, id_: int = 1, first: int = 0) -> RememberedConversation:
    """A call of which quotes are known, one from each message."""
    moments = tuple(
        KeyMoment(EARLIER + timedelta(minutes=n), f'"{text}"', n, "user")
        for n, text in enumerate(said, first)
    )
    return replace(call(id_, EARLIER), key_moments=moments, is_quoted=True)


def told(known: Memory, *excluded: WithheldFact) -> str:
    return served(without_excluded(replace(known, withheld=excluded)))


def test_what_was_said_in_its_messages_is_not_told() -> None:
    said = quoted("I want a sea view.", "I hurt myself cycling.", "I have two cats.")

    text = told(memory(said), KNEE)

    assert "cycling" not in text
    assert "sea view" in text
    assert "two cats" in text


def test_what_holds_words_of_its_message_beside_others_is_not_told() -> None:
    said = quoted("I ride twice a week. … Three times, since May.", "I want a sea view.", first=0)
    joined = replace(said.key_moments[0], also=(5,))

    text = told(memory(replace(said, key_moments=(joined, *said.key_moments[1:]))), ALLERGY)

    assert "twice a week" not in text
    assert "sea view" in text


@pytest.mark.parametrize(
    "words",
    [
        "I fell off my bike and hurt my left knee.",
        "I hurt my left knee when I fell off my bike, last May.",
        "Well, I fell off my bike (17 May 2026) and hurt my left knee!",
    ],
)
def test_no_other_conversation_tells_it_in_the_same_words(words: str) -> None:
    said = quoted("I want a sea view.", words, id_=2, first=7)

    text = told(memory(said), KNEE)

    assert "knee" not in text
    assert "sea view" in text


@pytest.mark.parametrize(
    "words", ["My left knee is fine again.", "I fell off my bike and hurt my right knee."]
)
def test_another_conversation_that_says_something_else_is_told(words: str) -> None:
    assert words in told(memory(quoted(words, id_=2)), KNEE)


def test_one_word_alone_is_no_reason_to_leave_out_what_has_it_elsewhere() -> None:
    promise = WithheldFact(1, '"Promise."', True, (Source(1, (1,)),))

    assert "I promise to write." in told(memory(quoted("I promise to write.", id_=2)), promise)


@pytest.mark.parametrize(
    "sentence", ["Ada hurt her knee when she fell off her bike.", "She cannot take ibuprofen."]
)
def test_a_summary_is_without_the_sentences_that_tell_it_in_other_words(sentence: str) -> None:
    summed_up = call(1, EARLIER, f"Ada wants an appointment. {sentence} She has two cats.")

    text = told(memory(summed_up), KNEE, ALLERGY)

    assert sentence not in text
    assert "Ada wants an appointment. She has two cats." in text


def test_the_agents_own_words_do_not_tell_it_where_it_was_said() -> None:
    asked = KeyMoment(EARLIER, '"You hurt your knee falling off the bike?"', 2, "agent")
    said = replace(quoted("I want a sea view."), key_moments=(asked,))

    assert "knee" not in told(memory(said), KNEE)


def test_open_threads_and_thoughts_do_not_tell_it() -> None:
    threads = (thread(1, f"{KNEE.text} Ask how it is."), thread(2, '"I bring the letter."'))
    thoughts = (
        thought(1, "How did Ada fell off her bike and hurt her left knee?"),
        thought(2, "I like her."),
    )

    text = told(memory(threads=threads, thoughts=thoughts), KNEE)

    assert "knee" not in text
    assert "I bring the letter." in text
    assert "I like her." in text


def test_what_the_platform_noted_of_it_is_not_told() -> None:
    text = told(memory(call(1, EARLIER, noted="complaint: fell off bike, left knee hurt; mood: calm")), KNEE)

    assert "knee" not in text
    assert "mood: calm" in text


def test_a_days_summary_that_tells_it_is_not_told() -> None:
    summary = "## Summary\nAda hurt her left knee when she fell off her bike. She has two cats."
    day = SummarisedDay(1, EARLIER.date(), (1,), summary)
    known = memory(quoted("I have two cats."), days=(day,), withheld=(KNEE,))

    assert without_excluded(known).days == ()


def test_facts_that_are_not_excluded_are_told() -> None:
    known = memory(facts=(fact(3, "Ada's left knee is fine again."),))

    assert "Ada's left knee is fine again." in told(known, KNEE)


@pytest.mark.parametrize(("conversation", "is_told"), [(1, False), (2, True), (None, True)])
def test_an_open_thread_of_its_call_does_not_tell_it_in_other_words(
    conversation: int | None, *, is_told: bool
) -> None:
    retold = WithheldFact(3, "You said you'd post the caller the right charger.", True, (Source(1, (2,)),))
    promise = thread(1, '"It came with the wrong charger." – "We\'ll post the right one within ten days."')
    letter = thread(2, '"I bring the letter."')
    threads = tuple(replace(one, conversation_id=conversation) for one in (promise, letter))

    text = told(memory(threads=threads), retold)

    assert ("charger" in text) == is_told
    assert "I bring the letter." in text


@pytest.mark.parametrize(
    "said", ["I hurt my left knee.", "The charger hit my knee."], ids=["in its words", "in its message"]
)
def test_a_thread_is_told_without_what_was_said_of_it_since(said: str) -> None:
    charger = thread(1, '"We\'ll post the charger."')
    since = replace(follow_up(charger.text, f'"{said}"', EARLIER.date()), conversation_id=1, position=2)
    knee = replace(KNEE, sources=(Source(1, (2,)),))

    text = told(memory(threads=(replace(charger, follow_up=since),)), knee)

    assert "We'll post the charger." in text
    assert "knee" not in text


def test_what_is_flagged_keeps_nothing_else_from_being_told() -> None:
    flagged = replace(KNEE, excluded=False)

    assert "left knee" in told(memory(quoted("Hello.", "I hurt my left knee.")), flagged)
