"""What the jobs are called, and what names one of them. Apart from what they do: who only asks for one need
not load that."""

INGEST, INGEST_LATER = "ingest", "ingest_later"  # the second for what may wait
INGEST_KEY = f"{INGEST}:"  # and the event's id: what names its job
DIGEST, DIGEST_LATER = "digest", "digest_later"  # likewise
UNDERSTAND = "understand"
SUM_UP = "sum_up"
DAYS = "days"
REBUILD = "rebuild"
INDEX = "index"
EMBED = "embed"
NOTE_LATER = "note_later"
FORGET = "forget"


def ingest_key(event_id: int) -> str:
    """What names the job of an event."""
    return f"{INGEST_KEY}{event_id}"
