"""A wish to forget that is known by the agent's answer: “Oh, wipe that out.” – “It's gone, I won't keep it.”

People wish it in more ways than any file has; an agent agrees in few.
"""

import re
from collections.abc import Iterator
from functools import cached_property
from typing import NamedTuple

from voice_server.digest.language.pattern import compiled
from voice_server.digest.language.stems import word_count, words
from voice_server.digest.privacy import forget_patterns
from voice_server.digest.privacy.forget_patterns import GrantPhrases, Wish
from voice_server.digest.privacy.plain_text import folded, folded_pattern
from voice_server.runtime.once import once
from voice_server.runtime.remembered_checks import RememberedChecks

_SENTENCE = re.compile(r"[^.!?;…]+[.!?;…]*")
_TELLING = 4  # letters of a word that says something
_VERB = 1  # words that say something, of a sentence that only says “wipe that out, please”
_ANSWER = 300  # characters of the agent's answer that are looked at
_LONGEST = 14  # words of a sentence that only wishes it; a longer one, unpunctuated, tells the secret
_IDLE = 2  # words of “That's it.”
_SHORT = 8  # words that tell hardly more than that something was told
_STOP = re.compile(r"[.!?…]")
_END = r"\s*(?:$|[.!?,;:…–—])"
_CLAUSE = r"(?:^|[.!?,;:…–—]\s*)"


class AnsweredTurn(NamedTuple):
    """A user's turn, the agent's answer to it, what the user says to that, and what they said just before (""
    when nothing)."""

    asked: str
    answer: str
    reply: str = ""
    before: str = ""


def granted(turn: AnsweredTurn) -> Wish | None:
    """Return the wish of a user's turn to which the agent agrees; None where the turn hints at none, and the
    agent does not say that it was one. No text holds a line break."""
    return _wish(turn) if _agreed.of("\n".join(turn)) else None


def _wish(turn: AnsweredTurn) -> Wish | None:
    said = folded(turn.answer[:_ANSWER].replace("’", "'"))
    return next((wish for one in _grants() if (wish := one.wish(turn, said))), None)


# As with the wishes of turns: a call is read five times, and hardly any answer agrees to one.
_agreed = RememberedChecks(lambda texts: _wish(AnsweredTurn(*texts.split("\n"))) is not None, 10_000)


def prepare() -> None:
    for grant in _grants():
        _ = (
            grant.sealed,
            grant.surely,
            grant.perhaps,
            grant.pointing,
            grant.dumb,
            grant.pleased,
            grant.presents,
        )


class Grant:
    """How an agent agrees in one language."""

    def __init__(self, language: forget_patterns.Language, data: GrantPhrases) -> None:
        self.data = data
        self._language = language
        self._surprises = tuple(map(folded, data.surprise.split()))

    def wish(self, turn: AnsweredTurn, answer: str) -> Wish | None:
        if self._is_sealed(turn, answer):
            return self._of_secret(turn.asked)
        is_sure = self.surely.search(answer) is not None
        return (
            self._pointed_at(turn.asked, is_sure=is_sure) if is_sure or self.perhaps.search(answer) else None
        )

    def _is_sealed(self, turn: AnsweredTurn, answer: str) -> bool:
        """Leave out surprises and presents: they are kept as such."""
        if not (self._seals(answer) or self._plays_dumb(turn, answer)):
            return False
        is_surprise = any(self._is_surprise(one) for one in (turn.asked, turn.reply))
        return not (is_surprise or self._is_of_present(turn))

    def _is_surprise(self, said: str) -> bool:
        low = folded(said)
        return any(word in low for word in self._surprises)

    def _is_of_present(self, turn: AnsweredTurn) -> bool:
        """Tell so of who says nothing else in that turn: “That's it. And he mustn't find out.”"""
        rest = (one[0] for one in _SENTENCE.finditer(turn.asked) if not self._hints(one[0]))
        tells = any(word_count(one) > _IDLE and not self.presents.search(folded(one)) for one in rest)
        return not tells and any(self.presents.search(folded(one)) for one in (turn.asked, turn.before))

    def _seals(self, answer: str) -> bool:
        """Leave out who did not understand: “Sorry, I didn't hear a thing, could you say it again?”"""
        for match in self.sealed.finditer(answer):
            sentence = _STOP.split(answer[: match.start()])[-1]
            if not (self.again.search(sentence) or self.again.search(answer, match.end())):
                return True
        return False

    def _plays_dumb(self, turn: AnsweredTurn, answer: str) -> bool:
        """Know it by the reply: “What brother?” – “Exactly.”"""
        asked = self.dumb.fullmatch(answer.strip())
        if asked is None or not set(words(asked["said"])) <= set(words(folded(turn.asked))):
            return False
        is_of_earlier = self._language.told_another_time(turn.asked)
        return not turn.reply or is_of_earlier or self.pleased.match(folded(turn.reply)) is not None

    def _of_secret(self, asked: str) -> Wish:
        """Return the last sentence that hints at it; what is said without any is the secret, unless it is
        short."""
        hinting = [one for one in _SENTENCE.finditer(asked) if self._hints(one[0])]
        whole = len(asked) if word_count(asked) > _SHORT else 0
        is_brief = bool(hinting) and word_count(hinting[-1][0]) <= _LONGEST
        start, end = hinting[-1].span() if is_brief else (whole, len(asked))
        return Wish("before", start, end, "", self._language.tag)

    def _pointed_at(self, asked: str, *, is_sure: bool) -> Wish | None:
        """Return the last sentence that points to what was said and says little else: “Blot it out.” Where
        the agent surely means that, one with a hint may say more."""
        pointing = [one for one in _SENTENCE.finditer(asked) if self._points(one[0])]
        meant = [one for one in pointing if (is_sure and self._hints(one[0])) or self._is_mere(one[0])]
        if not meant or not (is_sure or any(self._hints(one[0]) for one in meant)):
            return self._told_another_time(asked)
        return Wish("before", meant[-1].start(), meant[-1].end(), "", self._language.tag)

    def _told_another_time(self, asked: str) -> Wish | None:
        """Know it by what it speaks of: “What I told you last time, bin it, would you?”"""
        if self._language.told_another_time(asked):
            return Wish("before", 0, len(asked), "", self._language.tag)
        return None

    def _points(self, sentence: str) -> bool:
        return self.pointing.search(folded(sentence)) is not None and not sentence.rstrip().endswith("?")

    def _hints(self, sentence: str) -> bool:
        return self._language.hints_at(folded(sentence))

    def _is_mere(self, sentence: str) -> bool:
        """“Take that out”, not “take the onions off that”."""
        said = self._language.naming(self._language.plain(sentence).text)
        telling = [one for one in said if len(one) >= _TELLING and not self.pointing.fullmatch(one)]
        return len(telling) <= _VERB

    @cached_property
    def sealed(self) -> re.Pattern[str]:
        """It may end a sentence that nothing parts: “das verstehe ich ich denke nicht mehr dran”."""
        said = folded_pattern("|".join(self.data.sealed))
        return compiled(rf"\b(?<!')(?:{said})(?={_END})")

    @cached_property
    def again(self) -> re.Pattern[str]:
        return compiled(rf"\b(?:{self.data.again})")

    @cached_property
    def dumb(self) -> re.Pattern[str]:
        leads = folded_pattern(self.data.leads)
        return compiled(
            rf"¿?(?:(?:{leads})[, ]{{1,2}})?(?:{self.data.dumb}) (?P<said>\w+(?: \w+){{0,2}}) ?\?"
        )

    @cached_property
    def pleased(self) -> re.Pattern[str]:
        return compiled(rf"\W*(?:(?:ah|oh|eh|na|tja|well),? )?(?:{self.data.pleased})\b")

    @cached_property
    def surely(self) -> re.Pattern[str]:
        return self._clause_of(self.data.surely)

    @cached_property
    def perhaps(self) -> re.Pattern[str]:
        return self._clause_of(self.data.perhaps)

    @cached_property
    def presents(self) -> re.Pattern[str]:
        return compiled(rf"\b(?:{folded_pattern('|'.join(self.data.presents))})(?!\w)")

    @cached_property
    def pointing(self) -> re.Pattern[str]:
        return compiled(rf"\b(?:{folded_pattern(self.data.pointing)})\b")

    def _clause_of(self, patterns: tuple[str, ...]) -> re.Pattern[str]:
        leads, said = map(folded_pattern, (self.data.leads, "|".join(patterns)))
        return compiled(rf"{_CLAUSE}(?:(?:{leads})[ ])?(?:{said})(?={_END})")


@once
def _grants() -> tuple[Grant, ...]:
    return tuple(_all_grants())


def _all_grants() -> Iterator[Grant]:
    for language in forget_patterns.languages():
        if language.file.granted is not None:
            yield Grant(language, language.file.granted)
