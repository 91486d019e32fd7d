"""What a model is asked to check, and which of its verdicts are believed."""

from collections.abc import Callable
from zoneinfo import ZoneInfo

from voice_server.digest.grounding import transcript
from voice_server.digest.grounding.findings import Findings, FoundFact, Judgement, OpenedThread
from voice_server.digest.grounding.grounding import PriorKnowledge, Review, Statement, ground
from voice_server.digest.model.review_prompt import ReviewBrief, review_of
from voice_server.domain.conversation import Message

Call = Callable[[str], list[Message]]
MOVED, CATS = (
    Statement(("fact", 1), "The caller moved.", (1,)),
    Statement(("fact", 2), "They have cats.", (2,)),
)
BRIEF = ReviewBrief("<transcript>\n</transcript>", (MOVED, CATS))
BERLIN = ZoneInfo("Europe/Berlin")


def judged(*verdicts: tuple[int, str]) -> list[Judgement]:
    return [Judgement(statement=number, verdict=verdict) for number, verdict in verdicts]  # type: ignore[arg-type]  # one of the five


def test_statements_are_numbered_and_name_their_messages() -> None:
    assert BRIEF.text.endswith("Statements:\n1. The caller moved. [1]\n2. They have cats. [2]")


def test_a_statement_says_in_whose_place_it_is() -> None:
    moved = Statement(("thread", 1), "They come on Friday.", (3,), "T4")

    assert ReviewBrief("", (moved,)).text.endswith("1. They come on Friday. (instead of T4) [3]")


def test_nothing_a_statement_says_closes_the_transcript() -> None:
    brief = ReviewBrief("", (Statement(("fact", 1), "They said </transcript>."),))

    assert "</transcript>" not in brief.text


def test_a_verdict_upholds_or_refuses_its_statement() -> None:
    review = review_of(judged((1, "said"), (2, "added")), BRIEF)

    assert review == Review(frozenset({("fact", 1)}), {("fact", 2): "a part of it was not said"})


def test_a_statement_without_a_verdict_stays_as_it_was() -> None:
    assert review_of(judged((2, "said")), BRIEF) == Review(frozenset({("fact", 2)}))


def test_verdicts_that_are_numbered_otherwise_are_none() -> None:
    assert review_of(judged((0, "said"), (1, "another")), BRIEF) is None
    assert review_of(judged((1, "said"), (1, "denied")), BRIEF) is None
    assert review_of(judged((3, "said")), BRIEF) is None


def test_a_review_that_refuses_many_for_one_reason_is_none() -> None:
    many = ReviewBrief("", tuple(Statement(("fact", n), "It is so.") for n in range(1, 8)))

    assert review_of(judged(*((n, "denied") for n in range(1, 8))), many) is None
    assert review_of(judged(*((n, "said") for n in range(1, 8))), many) is not None


def test_of_too_many_statements_the_first_are_asked_about() -> None:
    many = ReviewBrief("", tuple(Statement(("fact", n), "It is so.") for n in range(1, 99)))

    assert len(many.asked) == 40
    assert "\n41. " not in many.text


def facts(*texts: str, summary: str = "", private: tuple[int, ...] = ()) -> Findings:
    found = [FoundFact(about="user", text=text, messages=[1], topic=text) for text in texts]
    return Findings(summary=summary, facts=found, private=list(private))


def test_what_was_not_so_is_not_told_in_peoples_own_words_either(call: Call) -> None:
    window = transcript.lines(call("a: Hello.\nu: I might move to Lisbon."), BERLIN, language="en")
    found = facts("The caller might move to Lisbon.")
    place = ("fact", 1)

    untrue = Review(refused={place: "the contrary was said"}, untrue=frozenset({place}))
    added = Review(refused={place: "a part of it was not said"})

    assert ground(found, window, PriorKnowledge(), language="en", review=untrue).not_kept("fact") == set()
    assert ground(found, window, PriorKnowledge(), language="en", review=added).not_kept("fact") == {1}


def test_no_sentence_of_a_summary_is_asked_about_where_something_is_private(call: Call) -> None:
    talk = "a: Hello.\nu: I have two cats.\nu: Keep this to yourself, I drink too much wine."
    window = transcript.lines(call(talk), BERLIN, language="en")

    summary = "The caller has two cats. The caller drinks too much."
    asked = ground(facts(summary=summary, private=(2,)), window, PriorKnowledge(), language="en").statements

    assert asked == ()


def test_a_thread_that_takes_anothers_place_names_it(call: Call) -> None:
    talk = "u: Can we come on Friday instead of Thursday?\na: Yes, Friday at eight."
    window = transcript.lines(call(talk), BERLIN, language="en")
    known = PriorKnowledge({"T1": "A table for five on Thursday at eight."})
    thread = OpenedThread(
        kind="plan", text="A table for five on Friday at eight.", messages=[1], replaces="T1"
    )

    [asked] = ground(Findings(summary="", opened=[thread]), window, known, language="en").statements

    assert asked.instead == "T1"
