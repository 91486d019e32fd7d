from datetime import UTC, datetime

from voice_server.digest.ranking import choose, keywords, rank
from voice_server.digest.sentences import sentences
from voice_server.domain.conversation import Message


def conversation(*contents: str) -> list[Message]:
    at = datetime(2026, 11, 17, 9, tzinfo=UTC)
    return [Message(i, "agent" if i % 2 else "user", text, at) for i, text in enumerate(contents)]


def test_a_statement_outweighs_the_same_question() -> None:
    found = sentences(conversation("I grow blue roses here.", "I grow blue roses here?"))

    ranked = rank(found, english=True, document_frequencies={}, documents=1)

    assert ranked.scores[0] > ranked.scores[1]


def test_what_was_said_often_before_weighs_less() -> None:
    found = sentences(conversation("I saw a heron near Porto."))

    ranked = rank(found, english=True, document_frequencies={"heron": 50}, documents=50)

    assert keywords(ranked, 60)[-1] == "heron"


def test_nothing_is_chosen_twice_in_other_words() -> None:
    found = sentences(
        conversation("I bought a red kite.", "I bought a red kite.", "My tooth hurts since Monday.")
    )
    ranked = rank(found, english=True, document_frequencies={}, documents=1)

    assert 2 in choose(ranked, [6, 6, 6], words=12)


def test_one_voice_does_not_fill_everything() -> None:
    found = sentences(
        conversation("I bought a red kite. I sold my green boat. I painted my blue barn.", "My son is ill.")
    )
    ranked = rank(found, english=True, document_frequencies={}, documents=1)

    assert 3 in choose(ranked, [6, 6, 6, 5], words=16)


def test_nothing_said_gives_nothing() -> None:
    ranked = rank([], english=True, document_frequencies={}, documents=1)

    assert (choose(ranked, [], words=120), keywords(ranked, 60)) == ([], ())
