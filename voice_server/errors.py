"""What can go wrong; docs/reference/errors.md tells what callers of the API hear of.
`cache.multiplexed.LineError` stands beside: the pre-call got no answer from Redis."""


class VoiceServerError(Exception):
    """Any error of ours. The message says what was wrong and what to do."""


class ConfigurationError(VoiceServerError):
    """A setting, template or agent file is wrong. The message names it."""


class ParseError(VoiceServerError):
    """An authentic event does not have the shape its platform documents. Trying again cannot help."""


class NotFound(VoiceServerError):  # noqa: N818 (what a client is told, by its name)
    """What a change or a question names is not there; it may have been deleted or merged."""

    permanent = True


class Conflict(VoiceServerError):  # noqa: N818 (what a client is told, by its name)
    """It was changed since it was read, or clashes with something there. Read it again, then decide."""

    permanent = True


class AgentNotFound(NotFound):
    """Nobody has called an agent of this id. Call it once, or make it known."""


class ChatRefused(VoiceServerError):  # noqa: N818 (what happened to the turn, not what went wrong)
    """A turn of a chat is not answered now: there is no model, it may cost no more, or too many chat. `retry`
    in seconds; 0: not by itself."""

    def __init__(self, status: int, code: str, message: str, retry: int = 0) -> None:
        super().__init__(message)
        self.status = status
        self.code = code
        self.retry = retry


class ApiRefusal(VoiceServerError):  # noqa: N818 (what the server did)
    """The server that a command asks refuses it, in its own words."""


class RebuildError(VoiceServerError):
    """A prompt could not be built."""


class DigestFailed(VoiceServerError):  # noqa: N818 (what happened to it, not what went wrong)
    """Some digests of a pass could not be made. Each is tried again, and at last put aside with its own
    error."""


class SectionError(RebuildError):
    """A template can make nothing of the facts of one user. The message names it."""

    def __init__(self, section: str, message: str) -> None:
        super().__init__(message)
        self.section = section


class BackupError(VoiceServerError):
    """A database could not be backed up or restored. It is as it was before, unless the message says more."""


class ModelAway(VoiceServerError):  # noqa: N818 (where it is, not what went wrong)
    """The model cannot be reached, is overloaded or refuses us. Digests without it stand until it is back."""


class EmbeddingError(VoiceServerError):
    """Texts could not be embedded. `away`: any other text would fail the same way now, trying again later
    helps; `suspect`: unless these texts made the server break, or take too long."""

    def __init__(self, message: str, *, away: bool = True, suspect: bool = False) -> None:
        super().__init__(message)
        self.away = away
        self.suspect = suspect
