"""A session of a dialogue as the platform's event of an ended call."""

import json
import time

import httpx2
from benchmarks.house import POST_CALL, SECRET
from benchmarks.memory.dialogues import Dialogue, Session
from pretend.elevenlabs import ended_call

from voice_server.webhooks.signature import sign

_TURN_SECONDS = 20


def conversation_id(dialogue: Dialogue, session: Session, agent: str) -> str:
    return f"{agent}/{dialogue.id}/{session.id}"


async def deliver(
    client: httpx2.AsyncClient, dialogue: Dialogue, session: Session, *, caller: str, agent: str
) -> None:
    """Send it to a running web process. What it is understood to be is the worker's business."""
    said = [f"{'user' if turn.speaker == dialogue.user else 'agent'}: {turn.text}" for turn in session.turns]
    duration = _TURN_SECONDS * len(said)
    event = ended_call(
        conversation_id(dialogue, session, agent),
        said,
        ended=session.started_at.timestamp() + duration,
        caller=caller,
        agent=agent,
        duration=duration,
    )
    event["data"]["metadata"]["main_language"] = None
    body = json.dumps(event).encode()
    headers = {"elevenlabs-signature": sign(body, SECRET, int(time.time()))}
    (await client.post(POST_CALL, content=body, headers=headers)).raise_for_status()
