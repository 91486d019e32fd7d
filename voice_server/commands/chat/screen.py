"""What the terminal shows. To a pipe it is plain text."""

import base64
import sys
import unicodedata
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from datetime import datetime
from typing import Any

from rich.console import Console
from rich.live import Live
from rich.markdown import Markdown
from rich.markup import escape
from rich.table import Table
from rich.text import Text

_BAR = 24  # characters
_LONGEST = 60
_BETWEEN, _FENCE = "\n\n", "```"
_TURNS = ("LRE", "RLE", "LRO", "RLO", "PDF", "LRI", "RLI", "FSI", "PDI")  # of the direction of writing
HISTORY = "working_memory"  # the section that the history is
_A_SECOND = 8  # times that an answer is drawn anew


class Screen:
    def __init__(self) -> None:
        self._out = Console(highlight=False)
        self._aside = Console(stderr=True, highlight=False, style="dim")

    @property
    def is_terminal(self) -> bool:
        return self._out.is_terminal

    def say(self, text: str) -> None:
        """Keep the terminal's own words out of a pipe's answers."""
        self._aside.print(escape(_harmless(text)))

    def show(self, text: str) -> None:
        self._out.print(_text(text))

    def json(self, line: str) -> None:
        _put(f"{line}\n")

    @contextmanager
    def answering(self) -> Iterator["AnswerOnScreen"]:
        if not self.is_terminal:
            yield AnswerOnScreen(None)
            _put("\n")
            return
        with Live(console=self._out, refresh_per_second=_A_SECOND, transient=True) as live:
            answer = AnswerOnScreen(live)
            yield answer
            answer.end()

    def chats(self, chats: Sequence[Mapping[str, Any]], now: str) -> None:
        table = Table("", "chat", "last", "messages", "began with", box=None, header_style="dim")
        for number, one in enumerate(chats, 1):
            mark = "→" if one["chat_id"] == now else str(number)
            said = " ".join(one["began_with"].split())[:_LONGEST]
            named = _text(one["chat_id"])
            table.add_row(mark, named, _local(one["last_at"]), str(one["messages"]), _text(said))
        self._out.print(table if chats else Text("No chats yet."))

    def context(self, told: Mapping[str, Any]) -> None:
        sections = [
            (one["name"], one["tokens"], one["items_dropped"])
            for one in told["sections"]
            if one["tokens"] and one["name"] != HISTORY
        ]
        sections.append(("history", told["message_history_tokens"], told["message_history_left_out"]))
        largest = max((tokens for _, tokens, _ in sections), default=1) or 1
        table = Table("section", "", "tokens", "left out", box=None, header_style="dim")
        for name, tokens, left_out in sections:
            bar = "█" * round(_BAR * tokens / largest)
            table.add_row(name, bar, str(tokens), str(left_out or ""))
        self._out.print(table)
        count, there = told["message_history_count"], told["message_history_there"]
        in_short = told["message_history_summed_up"]
        more = f", {in_short} in short" if in_short else ""
        self.show(f"{told['tokens']} tokens; of {there} messages {count} are told{more}")
        for what, why in told["without"].items():
            self.show(f"without {what}: {why}")

    def facts(self, facts: Sequence[Mapping[str, Any]]) -> None:
        table = Table("id", "", "said on", box=None, header_style="dim")
        for one in facts:
            table.add_row(str(one["id"]), _text(one["text"]), one["last_said_on"])
        self._out.print(table if facts else Text("Nothing known."))

    def copy(self, text: str) -> None:
        """Copy by the terminal's own escape sequence (OSC 52)."""
        _put(f"\033]52;c;{base64.b64encode(text.encode()).decode()}\a")


class AnswerOnScreen:
    """Prints whole paragraphs for good, and redraws only the last: a terminal can redraw no more than it
    shows."""

    def __init__(self, live: Live | None) -> None:
        self._live = live
        self._tail = ""
        self.text = ""

    def add(self, more: str) -> None:
        self.text += more
        if self._live is None:
            _put(_harmless(more))
            return
        whole, self._tail = _paragraphs(self._tail + _harmless(more))
        if whole:
            self._live.console.print(Markdown(whole))
        self._live.update(Markdown(self._tail))

    def end(self) -> None:
        if self._live is not None and self._tail.strip():
            self._live.update(Text())
            self._live.console.print(Markdown(self._tail))


def _paragraphs(text: str) -> tuple[str, str]:
    end = text.rfind(_BETWEEN)
    while end > 0 and text[:end].count(_FENCE) % 2:
        end = text.rfind(_BETWEEN, 0, end)
    return (text[:end], text[end + len(_BETWEEN) :]) if end > 0 else ("", text)


def _text(text: str) -> Text:
    return Text(_harmless(text))


def _harmless(text: str) -> str:
    """Drop characters that a terminal takes for commands: a model, or whoever wrote to it, may send any."""
    return "".join(one for one in text if one in "\n\t" or not _is_command(one))


def _is_command(character: str) -> bool:
    return unicodedata.category(character) in ("Cc", "Cs") or unicodedata.bidirectional(character) in _TURNS


def _put(text: str) -> None:
    sys.stdout.write(text)
    sys.stdout.flush()


def _local(moment: str) -> str:
    return f"{datetime.fromisoformat(moment).astimezone():%d %b %H:%M}"
