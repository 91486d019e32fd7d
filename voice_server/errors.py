"""What can go wrong, drawn once:

VoiceServerError
├── ConfigurationError      a setting, a template or an agent's file is wrong: the start stops and says which
├── ParseError              an authentic body we cannot understand: stored, shown as failed, replayable
├── RebuildError            a prompt could not be built for one user and agent
│   └── SectionError        one of its sections cannot be rendered with these facts
├── DigestFailed            digests of some conversations could not be made: they are tried again
├── NotFound                what a change or a question names is not there
├── Conflict                it was changed meanwhile, or clashes with what is there: read again, then decide
├── BackupError             a database could not be backed up or restored; nothing was changed
├── ModelAway               the model gives no answer to anything now
├── EmbeddingError          texts could not be embedded; `away`: no other text would be now either
└── redis_line.LineError    the pre-call got no answer from Redis
    ├── LineDown            there is no usable connection
    └── LineTimeout         the answer did not come in time
"""


class VoiceServerError(Exception):
    """Any error of ours. The message says what was wrong and what to do."""


class ConfigurationError(VoiceServerError):
    """A setting, template or agent file is wrong. Mend the file or variable that the message names."""


class ParseError(VoiceServerError):
    """An authentic event that does not have the shape its platform documents. Trying again cannot help."""


class NotFound(VoiceServerError):  # noqa: N818 (what a client is told, by its name)
    """What a change or a question names is not there. Look it up again; it may have been deleted or
    merged."""

    permanent = True


class Conflict(VoiceServerError):  # noqa: N818 (same)
    """It was changed since it was read, or clashes with something there. Read it again, then decide."""

    permanent = True


class RebuildError(VoiceServerError):
    """A prompt could not be built, for the reason in the message."""


class DigestFailed(VoiceServerError):  # noqa: N818 (what happened to it, not what went wrong)
    """Some digests of a pass could not be made. Each is tried again, and at last put aside with its own
    error."""


class SectionError(RebuildError):
    """Mend the template that the message names: it can make nothing of the facts of one user."""

    def __init__(self, section: str, message: str) -> None:
        super().__init__(message)
        self.section = section


class BackupError(VoiceServerError):
    """A database could not be backed up or restored. What was there before is as it was, unless it says
    more."""


class ModelAway(VoiceServerError):  # noqa: N818 (where it is, not what went wrong)
    """The model cannot be reached, is overloaded or refuses us. Digests without it stand until it is back."""


class EmbeddingError(VoiceServerError):
    """Texts could not be embedded. `away`: any other text would fail the same way now, trying again later
    helps; `suspect`: unless it was these texts that made the server break, or take too long."""

    def __init__(self, message: str, *, away: bool = True, suspect: bool = False) -> None:
        super().__init__(message)
        self.away = away
        self.suspect = suspect
