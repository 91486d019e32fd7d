"""What can go wrong, drawn once:

VoiceServerError
├── ConfigurationError      a setting, a template or an agent's file is wrong: the start stops and says which
├── ParseError              an authentic body we cannot understand: stored, shown as failed, replayable
├── RebuildError            a prompt could not be built for one user and agent
└── redis_line.LineError    the pre-call got no answer from Redis
    ├── LineDown            there is no usable connection
    └── LineTimeout         the answer did not come in time

`permanent` says whether trying again can help.
"""


class VoiceServerError(Exception):
    """Any error of ours. The message says what was wrong and what to do."""

    permanent = False


class ConfigurationError(VoiceServerError):
    """A setting, template or agent file is wrong. Mend the file or variable that the message names."""

    permanent = True


class ParseError(VoiceServerError):
    """An authentic event that does not have the shape its platform documents. Trying again cannot help."""

    permanent = True


class RebuildError(VoiceServerError):
    """A prompt could not be built, for the reason in the message."""
