"""The continuous chat of a user with an agent. A model is told what was said in it today, and looks up the
rest."""

from collections.abc import Sequence
from datetime import datetime, timedelta, tzinfo

from msgspec.structs import replace

from voice_server.context.working_memory import HistoryRules, Turns
from voice_server.domain.conversation import Turn
from voice_server.domain.days import TalkSpan, days_of

_TOKENS = 4000
_MESSAGES = 400  # as many as fit into the tokens, and more


def rules(usual: HistoryRules) -> HistoryRules:
    """Let today be told until the tokens are used up, whatever the limits of other chats."""
    return replace(usual, messages=_MESSAGES, tokens=max(_TOKENS, usual.tokens), turns=_MESSAGES)


def today(turns: Turns, now: datetime, zone: tzinfo, pause: timedelta) -> Turns:
    """Keep what was said on the user's day. A session that runs past midnight belongs to the day on which it
    began."""
    moments = [*(one.said_at for one in turns.messages), now]
    days = days_of([TalkSpan(moment, moment, zone) for moment in moments], pause)
    return replace(turns, messages=_of(turns.messages, [day == days[-1] for day in days[:-1]]))


def _of(messages: Sequence[Turn], told: Sequence[bool]) -> tuple[Turn, ...]:
    return tuple(one for one, is_told in zip(messages, told, strict=True) if is_told)
