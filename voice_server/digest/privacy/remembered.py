"""What of a conversation may be remembered: the one rule for digests, and for what a person makes of its
messages."""

from collections.abc import Mapping, Sequence

from voice_server.digest.analysis import report
from voice_server.digest.privacy import consent
from voice_server.digest.privacy.forgotten import ForgetFilter
from voice_server.domain.conversation import Message


def remembered(
    messages: Sequence[Message], collected: Mapping[str, str | int | float | bool], hidden: ForgetFilter
) -> tuple[Message, ...]:
    """Without what the user asked not to have remembered, in it or (`hidden`) in a later one, or as the
    platform understands it (`collected`). Of hours of talk it takes a tenth of a second."""
    kept = hidden.kept(consent.kept(messages))
    private = report.private(collected, kept)
    return tuple(message for message in kept if message.position not in private)
