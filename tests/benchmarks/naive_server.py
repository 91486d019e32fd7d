"""What one writes first: FastAPI, pydantic in and out, redis.asyncio GET, json.

python naive_server.py PORT REDIS_URL

The memory waits in Redis as JSON under `naive:{agent}:{caller}`.
"""

import json
import sys
from typing import Annotated, Any

import uvicorn
from benchmarks.house import PRE_CALL, TOKEN
from fastapi import FastAPI, Header, HTTPException
from pydantic import BaseModel
from redis.asyncio import Redis


class PreCall(BaseModel):
    caller_id: str
    called_number: str
    agent_id: str
    call_sid: str
    conversation_id: str | None = None


class Prompt(BaseModel):
    prompt: str


class AgentOverride(BaseModel):
    prompt: Prompt


class Override(BaseModel):
    agent: AgentOverride


class Answer(BaseModel):
    type: str
    user_id: str
    dynamic_variables: dict[str, str | int | float | bool]
    conversation_config_override: Override


class Memory(BaseModel):
    user_id: str
    prompt: str
    variables: dict[str, Any]


def create_app(redis_url: str) -> FastAPI:
    """The app, as it would stand in many a project."""
    app, redis = FastAPI(), Redis.from_url(redis_url)

    @app.post(PRE_CALL)
    async def pre_call(call: PreCall, authorization: Annotated[str, Header()]) -> Answer:
        if authorization != f"Bearer {TOKEN}":
            raise HTTPException(401)
        stored = await redis.get(f"naive:{call.agent_id}:{call.caller_id}") or "{}"
        memory = Memory(**json.loads(stored))
        return Answer(
            type="conversation_initiation_client_data",
            user_id=memory.user_id,
            dynamic_variables=memory.variables,
            conversation_config_override=Override(agent=AgentOverride(prompt=Prompt(prompt=memory.prompt))),
        )

    return app


if __name__ == "__main__":
    uvicorn.run(
        create_app(sys.argv[2]),
        port=int(sys.argv[1]),
        loop="uvloop",
        http="httptools",
        access_log=False,
        log_level="warning",
    )
