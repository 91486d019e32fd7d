"""Each item that a platform collects has one use: ours, the operator's choice, or a note as ever."""

import pytest

from voice_server.digest.analysis import wording
from voice_server.digest.analysis.uses import OURS, Use, is_noted, problem, use
from voice_server.digest.analysis.wording import Phrases

LANGUAGES = wording.languages()


@pytest.mark.parametrize("phrases", LANGUAGES.values(), ids=LANGUAGES.keys())
def test_the_examples_of_a_language_are_found(phrases: Phrases) -> None:
    assert [one for one in phrases.examples.nothing if not wording.says_nothing(one)] == []
    assert [one for one in phrases.examples.name_items if not wording.is_name(one)] == []
    assert [one for one in phrases.examples.kinds if wording.kind(one) is None] == []


@pytest.mark.parametrize("phrases", LANGUAGES.values(), ids=LANGUAGES.keys())
def test_the_counterexamples_of_a_language_are_not(phrases: Phrases) -> None:
    assert [one for one in phrases.counterexamples.nothing if wording.says_nothing(one)] == []
    assert [one for one in phrases.counterexamples.name_items if wording.is_name(one)] == []
    assert [one for one in phrases.counterexamples.kinds if wording.kind(one)] == []


def test_there_are_the_languages_that_are_promised() -> None:
    assert sorted(LANGUAGES) == ["de", "en", "es", "fr", "it", "nl", "pt"]


def test_our_items_are_what_they_are_called_for() -> None:
    assert {item: use(item, {}).purpose for item in OURS} == dict(OURS)


def test_an_item_nobody_knows_stays_a_note() -> None:
    assert use("callback_needed", {}) == Use("note")
    assert is_noted("callback_needed", {})


def test_a_well_known_name_item_is_the_name_and_no_note() -> None:
    assert use("customer_name", {}) == Use("name")
    assert not is_noted("nombre", {})


@pytest.mark.parametrize(
    ("written", "meant"),
    [
        ("name", Use("name")),
        ("fact", Use("fact")),
        ("fact: home", Use("fact", "home")),
        ("thread:request", Use("thread", "request")),
        ("metadata:crm_id", Use("metadata", "crm_id")),
        ("ignore", Use("ignore")),
        ("note", Use("note")),
    ],
)
def test_the_operator_says_what_an_item_is_for(written: str, meant: Use) -> None:
    assert use("wish", {"wish": written}) == meant
    assert problem({"wish": written}) == ""


def test_the_operator_may_take_an_item_of_ours_for_something_else() -> None:
    assert use("caller_name", {"caller_name": "ignore"}) == Use("ignore")


@pytest.mark.parametrize(
    ("item", "written", "says"),
    [
        ("wish", "facts", "[collected] wish: 'facts' is none of name, fact,"),
        ("wish", "", "is none of"),
        ("wish", "thread", "lacks its kind"),
        ("wish", "metadata", "lacks its key"),
        ("wish", "thread:dream", "a thread is one of promise, request, question, plan, topic"),
        ("wish", "name:first", "name takes nothing behind it"),
        ("wish", "fact:" + "x" * 61, "fact takes at most 60 characters behind it"),
        ("memory_private", "ignore", "always withheld"),
    ],
)
def test_what_is_written_wrongly_is_said_by_name(item: str, written: str, says: str) -> None:
    assert says in problem({item: written})
