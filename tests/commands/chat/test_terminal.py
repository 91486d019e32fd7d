"""The agent in a terminal, as the client of a running server."""

import json
import re
from collections.abc import Callable
from pathlib import Path

import pytest
from api.conftest import Host
from api.routes.conversations.test_chats import tell
from conftest import API_TOKEN, House
from pretend.elevenlabs import AGENT
from pretend.model import PretendModel, about, calls, says, status, well

from voice_server.commands.api_client import ApiTarget
from voice_server.commands.chat import screen, terminal
from voice_server.commands.chat.client import ChatClient, OpenChat
from voice_server.commands.chat.screen import Screen
from voice_server.commands.chat.terminal import ChatWishes, Terminal
from voice_server.errors import ApiRefusal, ConfigurationError
from voice_server.settings import Settings

Shown = Callable[[str], str]


@pytest.fixture
def host(open_house: Callable[[Settings], House], chatting: Settings) -> Host:
    host = Host(open_house(chatting.model_copy(update={"summary_model": "openai-chat:pretend"})))
    host.ok(host.send("PUT", f"/agents/{AGENT}"))
    return host


@pytest.fixture
def client(host: Host) -> ChatClient:
    return ChatClient(host.house.client, ApiTarget("http://testserver", API_TOKEN))


@pytest.fixture
def shown(client: ChatClient, host: Host, capsys: pytest.CaptureFixture[str]) -> Shown:
    """What is shown when this is typed."""
    terminal = Terminal(client, OpenChat(host.user(), AGENT, "boiler"), Screen())

    def typed(line: str) -> str:
        capsys.readouterr()
        terminal.take(line)
        told = capsys.readouterr()
        return told.out + told.err

    return typed


def refusal(shown: Shown, line: str) -> ApiRefusal:
    with pytest.raises(ApiRefusal) as refused:
        shown(line)
    return refused.value


def test_the_answer_is_shown_and_the_chat_goes_on(shown: Shown, model: PretendModel) -> None:
    assert shown("Who repairs it?") == "Priya repairs it.\n"
    shown("And when?")

    assert [one["content"] for one in model.asked[1]["messages"][1:]] == [
        "Who repairs it?",
        "Priya repairs it.",
        "And when?",
    ]


def test_a_chat_is_told_in_short_when_asked(shown: Shown, model: PretendModel) -> None:
    model.otherwise = about(
        "You sum up the earlier part", well({"points": ["Fern 2 is green."]}), says("Yes.")
    )
    for n in range(6):
        shown(f"Fern {n} is green.")

    told = shown("/compact the ferns").splitlines()

    assert told[0] == "- Fern 2 is green."
    assert re.fullmatch(
        r"12 messages, \d+ tokens → 8 messages, \d+ tokens; /compact undo takes that back", told[1]
    )
    assert "the ferns" in model.read[-1]
    assert shown("/compact undo") == "undone\n"
    assert "no summary" in str(refusal(shown, "/compact undo"))


def test_a_failure_is_a_sentence(shown: Shown, model: PretendModel) -> None:
    model.then(status(401))

    assert "The model does not take this" in shown("Who repairs it?")


def test_a_new_chat_begins_with_nothing_said_and_an_old_one_is_taken_up(
    shown: Shown, model: PretendModel
) -> None:
    shown("Who repairs it?")
    shown("/new")
    shown("Hello?")

    assert [one["content"] for one in model.asked[1]["messages"][1:]] == ["Hello?"]
    sessions = shown("/sessions")
    assert "→" in sessions
    assert "Who repairs it?" in sessions
    resumed = shown("/resume boiler")
    assert "> Who repairs it?\nPriya repairs it." in resumed


def test_who_may_not_go_on_with_a_chat_stays_where_they_are(shown: Shown, host: Host) -> None:
    tell(host, host.user(), "user: My boiler broke.", chat="theirs")
    shown("Who repairs it?")
    refusal(shown, "/resume theirs")

    assert shown("And when?").strip() == "Priya repairs it."
    assert "of 4 messages 4 are told" in shown("/context")


def test_a_mistyped_chat_is_not_begun_but_those_there_are_are_named(shown: Shown) -> None:
    shown("Who repairs it?")

    assert str(refusal(shown, "/resume boilr")) == "There is no chat boilr. There are: 1 boiler."
    assert "of 2 messages 2 are told" in shown("/context")


def test_one_who_has_no_chat_goes_on_with_none(client: ChatClient) -> None:
    with pytest.raises(ApiRefusal, match="There is no chat boiler"):
        terminal._begin(client, ChatWishes(me="zoe", resume="boiler"))


def test_the_context_is_shown_by_its_sections(shown: Shown) -> None:
    shown("Who repairs it?")
    told = shown("/context")

    assert "response_style" in told
    assert "of 2 messages 2 are told" in told


def test_what_is_noted_is_known_found_and_taken_back(shown: Shown) -> None:
    shown("/note She likes plum cake.")
    found = shown("/memory CAKE")
    number = found.split()[found.split().index("She") - 1]

    assert "She likes plum cake." in found
    assert "Nothing known." in shown("/memory kingfishers")
    assert "told no more: She likes plum cake." in shown(f"/forget {number}")
    assert "Nothing known." in shown("/memory cake")
    assert "told again" in shown(f"/forget undo {number}")
    assert "She likes plum cake." in shown("/memory cake")


def test_why_names_what_was_looked_up(shown: Shown, model: PretendModel) -> None:
    model.then(calls("memory_search", query="boiler"), says("I do not know."))
    shown("Who repairs it?")

    assert "looked up memory_search" in shown("/why")


def test_why_names_what_the_last_answer_was_told_and_not_what_came_since(shown: Shown) -> None:
    before = re.findall("known as ([0-9]+)", shown("/note She likes plum cake."))
    shown("Who repairs it?")
    since = re.findall("known as ([0-9]+)", shown("/note He breeds kingfishers."))
    why = re.findall("facts/([0-9]+)", shown("/why"))

    assert set(before) <= set(why)
    assert set(since).isdisjoint(why)


def test_usage_adds_up_and_the_last_answer_is_copied(shown: Shown) -> None:
    shown("Who repairs it?")

    assert shown("/usage") == "1 answers, 1200 tokens read, 300 written\n"
    assert shown("/cp") == "Priya repairs it.\n"


def test_a_command_there_is_not_says_how_to_find_those_there_are(shown: Shown) -> None:
    assert "/help" in shown("/nothing")
    assert "/sessions" in shown("/help")


@pytest.mark.parametrize("wrong", ["/note", "/forget cake", "/forget 999999", "/cp"])
def test_a_command_that_cannot_be_done_says_why(shown: Shown, wrong: str) -> None:
    with pytest.raises(ApiRefusal):
        shown(wrong)


def test_to_a_pipe_an_answer_is_a_json_object(
    client: ChatClient, host: Host, capsys: pytest.CaptureFixture[str]
) -> None:
    terminal = Terminal(client, OpenChat(host.user(), AGENT, "boiler"), Screen(), as_json=True)

    assert terminal.once("Who repairs it?\n") == 0
    told = json.loads(capsys.readouterr().out)
    assert (told["text"], told["chat_id"]) == ("Priya repairs it.", "boiler")


def test_who_is_named_by_nothing_is_made_known_by_their_name(client: ChatClient, host: Host) -> None:
    writing = terminal._begin(client, ChatWishes(me="zoe"))
    again = terminal._begin(client, ChatWishes(address="app:zoe", agent=AGENT))

    assert writing.user_id == again.user_id == host.user_at("app:zoe")
    assert writing.agent_id == AGENT
    assert writing.chat_id != again.chat_id


def test_without_a_model_all_but_answers_works(
    open_house: Callable[[Settings], House], settings: Settings
) -> None:
    host = Host(open_house(settings))
    host.ok(host.send("PUT", f"/agents/{AGENT}"))
    client = ChatClient(host.house.client, ApiTarget("http://testserver", API_TOKEN))
    terminal = Terminal(client, OpenChat(host.user(), AGENT, "boiler"), Screen())

    with pytest.raises(ApiRefusal, match="Set CHAT_MODEL or LLM_MODEL"):
        terminal.take("Who repairs it?")
    assert terminal.take("/context")
    assert terminal.take("/sessions")


def test_two_who_write_are_refused(client: ChatClient) -> None:
    with pytest.raises(ConfigurationError, match="do not go together"):
        terminal._begin(client, ChatWishes(me="zoe", user="usr_a"))


def test_what_was_typed_is_for_its_owner_alone(tmp_path: Path) -> None:
    kept = tmp_path / "data" / "typed_chats"
    terminal._private(kept)

    assert kept.stat().st_mode & 0o777 == 0o600


def test_what_a_terminal_takes_for_commands_is_not_shown(shown: Shown, model: PretendModel) -> None:
    model.then(says("hi \x1b]0;mine\x07\x1b[2Jred\x9b31m\u202eod"))

    assert shown("Hello?") == "hi ]0;mine[2Jred31mod\n"


def test_ends_of_lines_that_unicode_knows_are_text(shown: Shown, model: PretendModel) -> None:
    model.then(says("one\u2028two\x85three\x0cfour\nfive"))

    assert shown("Hello?") == "one\u2028twothreefour\nfive\n"


def test_paragraphs_that_are_whole_are_shown_for_good() -> None:
    assert screen._paragraphs("one\n\ntwo\n\nthr") == ("one\n\ntwo", "thr")
    assert screen._paragraphs("one") == ("", "one")
    assert screen._paragraphs("one\n\n```\ncode\n\nmore") == ("one", "```\ncode\n\nmore")


def test_the_one_that_goes_on_for_ever_is_taken_up_by_its_name(client: ChatClient, host: Host) -> None:
    writing = terminal._begin(client, ChatWishes(me="zoe", resume="continuous"))

    assert writing.chat_id == f"continuous:{host.user_at('app:zoe')}:{AGENT}"


def test_a_login_name_need_be_no_persons_name(client: ChatClient, host: Host) -> None:
    writing = terminal._begin(client, ChatWishes(me="j_doe2"))

    assert writing.user_id == host.user_at("app:j_doe2")


def test_what_is_refused_to_a_pipe_ends_with_one(
    client: ChatClient, host: Host, model: PretendModel, capsys: pytest.CaptureFixture[str]
) -> None:
    model.then(status(401))
    terminal = Terminal(client, OpenChat(host.user(), AGENT, "boiler"), Screen(), as_json=True)

    assert terminal.once("Who repairs\0 it? \udcff") == 1
    assert "does not take this" in capsys.readouterr().err


def test_an_agent_that_nobody_knows_is_refused_and_not_made(client: ChatClient) -> None:
    with pytest.raises(ApiRefusal, match="There is no agent typo"):
        terminal._begin(client, ChatWishes(me="zoe", agent="typo"))

    assert client.agents() == [AGENT]


@pytest.mark.parametrize("user", ["../agents", "usr_?x#y", "a/b"])
def test_an_id_is_one_part_of_a_path(client: ChatClient, user: str) -> None:
    with pytest.raises(ApiRefusal):
        client.user(user)
