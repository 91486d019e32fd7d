"""The agent in a terminal: what is written is a turn of a chat on the server, so phone, console and terminal
know the same.

    a line ──→ a command: /help lists them
           └─→ words: a turn, whose answer is shown as it comes; Ctrl-C stops the answer, twice leaves
"""

import getpass
import os
import signal
import sys
import termios
import threading
import uuid
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from types import FrameType
from typing import Any

import httpx2
import msgspec
from msgspec import Struct
from msgspec.structs import replace
from prompt_toolkit import PromptSession
from prompt_toolkit.history import FileHistory
from prompt_toolkit.key_binding import KeyBindings, KeyPressEvent

from voice_server.commands.api_client import ApiTarget
from voice_server.commands.chat.client import TIMEOUT, ChatClient, OpenChat
from voice_server.commands.chat.screen import HISTORY, AnswerOnScreen, Screen
from voice_server.domain.bounds import storable
from voice_server.domain.conversation import CONTINUOUS, continuous_id
from voice_server.errors import ApiRefusal, ConfigurationError

_BROKEN_OFF = " […]"  # as the server writes it down
_LATEST = "latest"  # of `--resume` without an id
_SHOWN = 6  # messages of a chat that goes on
_SHORT = 200  # characters of what a tool found
_LOCAL = 3  # of what termios tells: the local modes
_LEFT = 130  # the exit code of who was interrupted, as shells have it

_HELP = """\
/sessions              your chats with this agent
/resume [number|id]    go on with one; the latest, when none is named
/new                   begin a new one
/compact [focus]       have the chat so far told in short, what you name in more detail
/compact undo          have it told word for word again, as far as there is room
/context               what the agent would be told now, by section
/why                   what the last answer rests on
/memory [words]        what is known of you; what has these words
/note TEXT             have it known
/forget ID             have one thing of /memory told no more; /forget undo ID takes that back
/usage                 what this session has cost, in tokens
/cp                    copy the last answer
/help                  this
/exit                  leave
Alt-Enter begins a new line. Ctrl-C stops an answer; twice, or Ctrl-D, leaves."""


class ChatWishes(Struct, frozen=True):
    """Who wants to chat with whom. `resume` is a chat's id, `latest`, or empty for a new chat; `history` is
    the file of earlier input."""

    user: str = ""
    address: str = ""
    me: str = ""
    agent: str = ""
    resume: str = ""
    once: str | None = None
    as_json: bool = False
    history: Path | None = None


def run(server: ApiTarget, wishes: ChatWishes) -> int:
    """Chat, and return the exit code. Raises ConfigurationError and ApiRefusal."""
    with httpx2.Client(timeout=TIMEOUT) as client:
        chat = ChatClient(client, server)
        terminal = Terminal(chat, _begin(chat, wishes), Screen(), as_json=wishes.as_json)
        if wishes.once is not None:
            return terminal.once(wishes.once)
        if not sys.stdin.isatty():
            return terminal.once(sys.stdin.buffer.read().decode(errors="replace"))
        return terminal.converse(wishes.history)


def _begin(chat: ChatClient, wishes: ChatWishes) -> OpenChat:
    named = [one for one in (wishes.user, wishes.address, wishes.me) if one]
    if len(named) > 1:
        raise ConfigurationError("--user, --address and --me do not go together: each says who writes")
    if wishes.user:
        user = chat.user(wishes.user)
    elif wishes.address:
        user = chat.user_at(wishes.address)
    else:
        name = wishes.me or getpass.getuser()
        user = chat.user_at(f"app:{name}", name)
    writing = OpenChat(user["id"], _agent(chat, wishes.agent), _new_chat())
    return _resumed(chat, writing, wishes.resume) if wishes.resume else writing


def _agent(chat: ChatClient, named: str) -> str:
    there = chat.agents()
    if named:
        if there:
            chat.require_agent(named)  # a slip of the pen makes no agent
        else:
            chat.make_agent_known(named)
        return named
    if len(there) > 1:
        raise ConfigurationError(f"--agent: say with whom; there are {', '.join(there)}")
    if not there:
        raise ConfigurationError("--agent: no agent has been called yet; name the one to make known")
    return there[0]


def _resumed(chat: ChatClient, writing: OpenChat, named: str) -> OpenChat:
    if named == CONTINUOUS:
        return replace(writing, chat_id=continuous_id(writing.user_id, writing.agent_id))
    there = [one["chat_id"] for one in chat.chats(writing)]
    if named == _LATEST:
        if not there:
            raise ApiRefusal("There is no chat yet to go on with.")
        return replace(writing, chat_id=there[0])
    if named.isdigit() and 0 < int(named) <= len(there):
        return replace(writing, chat_id=there[int(named) - 1])
    resumed = replace(writing, chat_id=named)
    if named not in there and not chat.is_there(resumed):
        others = "; ".join(f"{number} {one}" for number, one in enumerate(there, start=1))
        raise ApiRefusal(f"There is no chat {named}. There are: {others or 'none yet'}.")
    return resumed


def _new_chat() -> str:
    return f"terminal-{uuid.uuid4().hex[:12]}"


class Terminal:
    def __init__(self, chat: ChatClient, writing: OpenChat, screen: Screen, *, as_json: bool = False) -> None:
        self._chat = chat
        self._writing = writing
        self._screen = screen
        self._as_json = as_json
        self._answer = ""
        self._told = ""  # the version of the prompt that the last answer was told
        self._turns = 0
        self._used = {"input_tokens": 0, "output_tokens": 0}
        self._commands: Mapping[str, Callable[[str], None]] = {
            "help": lambda _: screen.show(_HELP),
            "sessions": self._sessions,
            "resume": self._resume,
            "new": self._new,
            "compact": self._compact,
            "context": self._context,
            "why": self._why,
            "memory": self._memory,
            "note": self._add,
            "forget": self._forget,
            "usage": self._usage,
            "cp": self._copy,
        }

    def once(self, text: str) -> int:
        words = storable(text).strip()
        if not words:
            raise ConfigurationError("there is nothing to say: give --once a text, or pipe one in")
        try:
            return 0 if self.take(words) else 1
        except ApiRefusal as refusal:
            self._screen.say(str(refusal))
            return 1

    def converse(self, history: Path | None) -> int:
        session = _session(history)
        self._screen.say(f"{self._writing.agent_id}, chat {self._writing.chat_id}; /help lists the commands")
        for line in self._end_of(self._writing):
            self._screen.show(line)
        interrupted = False
        while True:
            try:
                line = session.prompt("> ").strip()
            except KeyboardInterrupt:
                if interrupted:
                    return _LEFT
                interrupted = True
                self._screen.say("Ctrl-C once more leaves")
                continue
            except EOFError:
                return 0
            interrupted = False
            if line in ("/exit", "/quit"):
                return 0
            try:
                self.take(line)
            except (ApiRefusal, ConfigurationError) as error:
                self._screen.say(str(error))
            except KeyboardInterrupt:
                return _LEFT

    def take(self, line: str) -> bool:
        """Take a command, or words for the agent; tell whether it went well."""
        if not line.startswith("/"):
            return self._write(line) if line else True
        name, _, rest = line[1:].partition(" ")
        command = self._commands.get(name)
        if command is None:
            self._screen.say(f"There is no /{name}; /help lists the commands")
            return False
        command(rest.strip())
        return True

    def _write(self, text: str) -> bool:
        turn_id = uuid.uuid4().hex
        if self._as_json:
            with self._stoppable(turn_id):
                told = self._chat.ask(self._writing, turn_id, text)
            self._screen.json(msgspec.json.encode(told).decode())
            return bool(told["status"] == "done")
        with self._screen.answering() as shown, self._stoppable(turn_id):
            ended = self._listen(turn_id, text, shown)
            if shown.text and ended.get("status") == "interrupted":
                shown.add(_BROKEN_OFF)
        self._answer = shown.text
        if shown.text:
            self._told = (ended.get("context") or {}).get("prompt_version", "")
        self._turns += 1
        for name in self._used:
            self._used[name] += (ended.get("usage") or {}).get(name, 0)
        if "message" in ended:
            self._screen.say(ended["message"])
        return ended.get("status") == "done"

    def _listen(self, turn_id: str, text: str, shown: AnswerOnScreen) -> dict[str, Any]:
        for news in self._chat.write(self._writing, turn_id, text):
            if news.name == "text":
                shown.add(news.data["text"])
            elif news.name in ("done", "error"):
                return news.data
        return {"message": "The server went away in mid-answer; /resume shows what is there."}

    @contextmanager
    def _stoppable(self, turn_id: str) -> Iterator[None]:
        """Let the first Ctrl-C stop the answer, whose rest is heard, and the second leave."""
        if threading.current_thread() is not threading.main_thread():
            yield
            return
        before = signal.getsignal(signal.SIGINT)

        def stop(_number: int, _frame: FrameType | None) -> None:
            signal.signal(signal.SIGINT, signal.default_int_handler)
            threading.Thread(target=self._stop, args=(turn_id,), daemon=True).start()

        signal.signal(signal.SIGINT, stop)
        try:
            with _without_echo():
                yield
        finally:
            signal.signal(signal.SIGINT, before)

    def _stop(self, turn_id: str) -> None:
        try:
            self._chat.stop(self._writing, turn_id)
        except (ApiRefusal, ConfigurationError) as error:
            self._screen.say(str(error))

    def _sessions(self, _rest: str) -> None:
        self._screen.chats(self._chat.chats(self._writing), self._writing.chat_id)

    def _resume(self, rest: str) -> None:
        writing = _resumed(self._chat, self._writing, rest or _LATEST)
        ending = self._end_of(writing)
        self._go_to(writing)
        for line in ending:
            self._screen.show(line)

    def _new(self, _rest: str) -> None:
        self._go_to(replace(self._writing, chat_id=_new_chat()))

    def _go_to(self, writing: OpenChat) -> None:
        self._writing, self._told = writing, ""
        self._screen.say(f"chat {self._writing.chat_id}")

    def _compact(self, rest: str) -> None:
        if rest == "undo":
            self._chat.undo_summary(self._writing)
            self._screen.say("undone")
            return
        told = self._chat.sum_up(self._writing, rest)
        before, after = (_size(told[which]) for which in ("before", "after"))
        self._screen.show(told["summary"]["text"])
        self._screen.say(f"{before} → {after}; /compact undo takes that back")

    def _context(self, _rest: str) -> None:
        self._screen.context(self._chat.context(self._writing)["context"])

    def _why(self, _rest: str) -> None:
        told = self._chat.context(self._writing)
        for one in _last_exchange(told["message_history"]["openai"]):
            for call in one.get("tool_calls") or []:
                self._screen.show(f"looked up {call['function']['name']} {call['function']['arguments']}")
            if one["role"] == "tool":
                self._screen.show(f"  found {one['content'][:_SHORT]}")
        for section in self._sections(told["context"]):
            if section["sources"]:
                self._screen.show(f"{section['name']}: {', '.join(section['sources'])}")

    def _sections(self, now: dict[str, Any]) -> list[dict[str, Any]]:
        """Return the sections that the last answer was told; where it was not heard here, those of now. A
        prompt is kept without the messages that went with it."""
        if not self._told:
            return list(now["sections"])
        kept = self._chat.prompt(self._writing, self._told)["snapshot"]["sections"]
        return [one for one in kept if one["name"] != HISTORY] + [
            one for one in now["sections"] if one["name"] == HISTORY
        ]

    def _memory(self, rest: str) -> None:
        wanted = rest.casefold().split()
        found = self._chat.facts(self._writing)
        self._screen.facts([one for one in found if all(word in one["text"].casefold() for word in wanted)])

    def _add(self, rest: str) -> None:
        if not rest:
            raise ApiRefusal("Say what: /note TEXT")
        fact = self._chat.add(self._writing, rest)
        self._screen.say(f"known as {fact['id']}; /forget {fact['id']} takes it back")

    def _forget(self, rest: str) -> None:
        undo, fact_id = rest.startswith("undo "), rest.removeprefix("undo ").strip()
        if not fact_id.isdigit():
            raise ApiRefusal("Say which: /forget ID, of what /memory shows")
        fact = self._chat.exclude(fact_id, excluded=not undo)
        self._screen.say(f"{'told again' if undo else 'told no more'}: {fact['text']}")

    def _usage(self, _rest: str) -> None:
        read, wrote = self._used["input_tokens"], self._used["output_tokens"]
        self._screen.show(f"{self._turns} answers, {read} tokens read, {wrote} written")

    def _copy(self, _rest: str) -> None:
        if not self._answer:
            raise ApiRefusal("There is no answer yet.")
        if self._screen.is_terminal:
            self._screen.copy(self._answer)
            self._screen.say("copied")
        else:
            self._screen.show(self._answer)

    def _end_of(self, writing: OpenChat) -> list[str]:
        told = self._chat.context(writing)["message_history"]["openai"]
        said = [one for one in told if one["role"] in ("user", "assistant") and one["content"]]
        return [f"{'> ' if one['role'] == 'user' else ''}{one['content']}" for one in said[-_SHOWN:]]


def _size(history: dict[str, Any]) -> str:
    return f"{history['messages']} messages, {history['tokens']} tokens"


def _last_exchange(messages: list[dict[str, Any]]) -> list[dict[str, Any]]:
    begins = max((n for n, one in enumerate(messages) if one["role"] == "user"), default=0)
    return messages[begins:]


def _session(history: Path | None) -> PromptSession[str]:
    keys = KeyBindings()

    @keys.add("escape", "enter")
    def _new_line(event: KeyPressEvent) -> None:
        event.current_buffer.insert_text("\n")

    return PromptSession(history=_private(history) if history else None, key_bindings=keys)


@contextmanager
def _without_echo() -> Iterator[None]:
    """Show neither keys among an answer, nor Ctrl-C as `^C`."""
    if not sys.stdin.isatty():
        yield
        return
    there = sys.stdin.fileno()
    before = termios.tcgetattr(there)
    quiet = list(before)
    quiet[_LOCAL] &= ~termios.ECHO
    termios.tcsetattr(there, termios.TCSADRAIN, quiet)
    try:
        yield
    finally:
        termios.tcsetattr(there, termios.TCSADRAIN, before)


def _private(path: Path) -> FileHistory:
    path.parent.mkdir(parents=True, exist_ok=True)
    os.close(os.open(path, os.O_CREAT | os.O_APPEND, 0o600))
    path.chmod(0o600)
    return FileHistory(str(path))
