"""What of a conversation may be remembered: one rule, for digests and for what a person makes of its
messages."""

from collections.abc import Mapping, Sequence

from voice_server.digest.analysis import report
from voice_server.digest.privacy import consent
from voice_server.digest.privacy.forgotten import ForgetFilter
from voice_server.domain.conversation import Message


def remembered(
    messages: Sequence[Message],
    collected: Mapping[str, str | int | float | bool],
    hidden: ForgetFilter,
    *,
    of: int,
) -> tuple[Message, ...]:
    """Drop what the user asked to have forgotten, here or in another conversation (`hidden`), also as the
    platform understands it (`collected`). `of` is the conversation (our id). Hours of talk take a tenth of a
    second."""
    return hidden.kept(consent.kept(messages, report.private(collected, messages)), of=of)


def digestible(
    messages: Sequence[Message],
    collected: Mapping[str, str | int | float | bool],
    hidden: ForgetFilter,
    *,
    of: int,
) -> tuple[Message, ...]:
    """Return what is `remembered`, and of a turn that is withheld the time it takes, or what it asks
    for besides: “Ten's good.” Only a digest reads this, where a message may be a part of what was said."""
    kept = consent.kept(messages, report.private(collected, messages))
    return hidden.kept(consent.with_what_stays(messages, kept), of=of)
