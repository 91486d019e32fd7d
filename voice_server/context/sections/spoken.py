"""Quotes as a prompt tells them: with who said the words."""

import re
from collections.abc import Iterable, Mapping

from msgspec import Struct

from voice_server.context.layout.prompt_input import PromptInput, once
from voice_server.context.screening.hygiene import neutralise
from voice_server.context.sections.third_person import by_name
from voice_server.domain.digest import Speaker

_CALLER = "Caller"
_QUOTE = '"'
_GAP = " … "
_SPEAKER = re.compile(r'([^"]+): (?="[^"]*"$)')  # before a single quote
_LAST_SPEAKER = re.compile(r'(?:^|" )([^"]+): (?:"[^"]*" (?:… )?)*"[^"]*"$')
_EXCHANGE = re.compile(r'"[^"]+"(?: – "[^"]+")+')
_TURN = re.compile(r'"([^"]+)"')


def told(text: str, said_by: Speaker, user_name: str = "") -> str:
    """Tell a quote with its speaker, an exchange with both, the last words being the speaker's, and prose of
    whom it speaks. What went before an answer is told as asked when it ends like a question."""
    name = " ".join(user_name.split())
    if not text.startswith(_QUOTE):
        return by_name(text, name)
    user = name or _CALLER
    speaker, other = (user, "You") if said_by == "user" else ("You", user)
    if not _EXCHANGE.fullmatch(text):
        return f"{speaker}: {text}"
    said = _TURN.findall(text)
    by = [speaker if at % 2 == 0 else other for at in range(len(said))][::-1]
    last = len(said) - 1
    return " ".join(
        f'{who} asked "{words}"' if at < last and words.endswith("?") else f'{who}: "{words}"'
        for at, (who, words) in enumerate(zip(by, said, strict=True))
    )


def user_name(said_in: Iterable[int | None], given: PromptInput) -> str:
    """Return what the user is called in conversations, by their ids: somebody else may have spoken there. Of
    several people, and where nobody knows, it is who the user is now."""
    callers, names = _callers(given), _names(given)
    if not callers:  # nobody else ever spoke
        return names[""]
    spoke = {callers.get(one or 0, "") for one in said_in}
    return names[spoke.pop() if len(spoke) == 1 else ""]


@once
def _callers(given: PromptInput) -> Mapping[int, str]:
    return {one.id: one.caller for one in given.memory.latest if one.caller}


@once
def _names(given: PromptInput) -> Mapping[str, str]:
    """Return callers' names as they are told, once for a hundred quotes; "" is who the user is now."""
    others = {name: neutralise(name) for name in _callers(given).values()}
    return {**others, "": neutralise(given.memory.called)}


class Line(Struct, frozen=True):
    """A line said at a position of a conversation (`talk`, "" for none in particular)."""

    text: str
    talk: str = ""
    position: int = 0


def joined(lines: Iterable[Line]) -> list[str]:
    """Put what one person goes on to say in a conversation into one line. Dots stand where something between
    is not told: what follows answers something else."""
    kept: list[Line] = []
    for line in lines:
        speaker = _SPEAKER.match(line.text)
        before = kept[-1] if kept and speaker and kept[-1].talk == line.talk else None
        last = _LAST_SPEAKER.search(before.text) if before else None
        if before and speaker and last and last[1] == speaker[1]:
            gap = _GAP if line.position > before.position + 1 else " "
            text = f"{before.text}{gap}{line.text[speaker.end() :]}"
            kept[-1] = Line(text, line.talk, line.position)
        else:
            kept.append(line)
    return [one.text for one in kept]
