"""The log: lines for people or machines, and those that tell of one call or job."""

import json
import logging
import re
import sys
from datetime import UTC, datetime
from typing import Literal

Format = Literal["text", "json"]

_FIELDS = "fields"  # of a record: what a line tells beside its message
_PLAIN = re.compile(r"[\w.:+*|/@-]+", re.ASCII)


def tell(log: logging.Logger, level: int, what: str, /, **fields: object) -> None:
    """Log what happened. `fields` never hold what was said, a name, or a whole number."""
    if log.isEnabledFor(level):
        log.log(level, what, extra={_FIELDS: fields})


def milliseconds(seconds: float) -> float:
    return round(seconds * 1000, 2)


def to_stderr(level: str, form: Format) -> None:
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(formatter(form))
    least = logging.getLevelNamesMapping()[level.upper()]
    # in detail only what is ours: a library may tell what it sends, and that is what people said
    logging.basicConfig(level=max(least, logging.INFO), handlers=[handler])
    logging.getLogger("voice_server").setLevel(least)


def formatter(form: Format) -> logging.Formatter:
    return _Json() if form == "json" else _Text("%(asctime)s %(levelname)-7s %(name)s %(message)s")


class _Text(logging.Formatter):
    def formatMessage(self, record: logging.LogRecord) -> str:  # noqa: N802 (called by the library)
        fields = getattr(record, _FIELDS, {})
        return " ".join(
            [super().formatMessage(record), *(f"{name}={_quoted(value)}" for name, value in fields.items())]
        )


class _Json(logging.Formatter):
    def format(self, record: logging.LogRecord) -> str:
        line = {
            "time": datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds"),
            "level": record.levelname.lower(),
            "logger": record.name,
            "message": record.getMessage(),
            **getattr(record, _FIELDS, {}),
        }
        if record.exc_info:
            line["exception"] = self.formatException(record.exc_info)
        return json.dumps(line, default=str)


def _quoted(value: object) -> str:
    text = str(value)
    return text if _PLAIN.fullmatch(text) else json.dumps(text)
