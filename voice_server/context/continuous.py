"""The continuous discussion: one chat of a user with an agent that goes on for ever. A model is told what was
said in it today, of all its sittings; everything older it looks up.
"""

from collections.abc import Sequence
from datetime import datetime, timedelta, tzinfo

from msgspec.structs import replace

from voice_server.context.working_memory import HistoryRules, Turns
from voice_server.domain.conversation import Turn
from voice_server.domain.days import TalkSpan, days_of

_TOKENS = 4000
_MESSAGES = 400  # as many as fit into the tokens, and more


def rules(usual: HistoryRules) -> HistoryRules:
    """Today is told until the tokens are used up, whatever the limits of other chats."""
    return replace(usual, messages=_MESSAGES, tokens=max(_TOKENS, usual.tokens), turns=_MESSAGES)


def today(turns: Turns, now: datetime, zone: tzinfo, pause: timedelta) -> Turns:
    """What was said on the day that it is now for the user. A session that began before midnight and goes on
    is of the day on which it began, as in the summaries of days."""
    moments = [*(one.said_at for one in turns.messages), now]
    days = days_of([TalkSpan(moment, moment, zone) for moment in moments], pause)
    return replace(turns, messages=_of(turns.messages, [day == days[-1] for day in days[:-1]]))


def _of(messages: Sequence[Turn], told: Sequence[bool]) -> tuple[Turn, ...]:
    return tuple(one for one, is_told in zip(messages, told, strict=True) if is_told)
