"""What jobs that ingest are called. Apart from what they do: who only queues one need not load that."""

INGEST, INGEST_LATER = "ingest", "ingest_later"  # the second for what may wait
JOB_KEY = f"{INGEST}:"  # and the event's id: what names its job


def job_key(event_id: int) -> str:
    """What names the job of an event."""
    return f"{JOB_KEY}{event_id}"
