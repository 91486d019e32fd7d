"""The names of the jobs, each as its module in `jobs`. Who only asks for a job need not load the module."""

INGEST, INGEST_LATER = "ingest", "ingest_later"  # the second for what may wait
INGEST_KEY = f"{INGEST}:"  # and the event's id: what names its job
DIGEST_CONVERSATIONS = "digest_conversations"
DIGEST_CONVERSATIONS_LATER = "digest_conversations_later"  # likewise
DIGEST_WITH_MODEL = "digest_with_model"
SUMMARISE_DAY = "summarise_day"
DAY_SUMMARIES = "day_summaries"
SUMMARISE_CHAT = "summarise_chat"
REBUILD = "rebuild"
INDEX = "index"
EMBED = "embed"
LATE_NOTES = "late_notes"
FORGET_ADDRESS = "forget_address"


def ingest_key(event_id: int) -> str:
    return f"{INGEST_KEY}{event_id}"


def timeline_key(user_id: str, agent_id: str) -> str:
    return f"{user_id}|{agent_id}"


def timeline_of(key: str) -> tuple[str, str]:
    """Return the user and the agent whose timeline is meant."""
    user_id, _, agent_id = key.partition("|")
    return user_id, agent_id
