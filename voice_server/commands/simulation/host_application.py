"""The host application's part in the demo."""

from datetime import datetime, timedelta

from voice_server.commands.api_client import Answer, part
from voice_server.commands.chat.client import ChatClient, OpenChat
from voice_server.commands.simulation.dialogue import Life, Turn

_BETWEEN = timedelta(seconds=30)  # messages of a chat
_MOST = 200
_MARK = {"demo": True}


class HostApplication(ChatClient):
    def knows_somebody(self) -> bool:
        return bool(self.get("/users", limit=1)["items"])

    def known(self, life: Life) -> Answer | None:
        """Ignore anybody else who has the id."""
        found = self.get("/users", external_id=life.external_id)["items"]
        return next((user for user in found if user["metadata"].get("demo") is True), None)

    def introduce(self, life: Life) -> str:
        self.make_agent_known(life.agent)
        given = {
            "name": life.name,
            "external_id": life.external_id,
            "metadata": _MARK,
            "timezone": life.timezone,
            "language": life.language,
            "addresses": [life.caller],
        }
        return str(self.send("POST", "/users", json=given)["id"])

    def tell(self, writing: OpenChat, turns: list[Turn], began: datetime, language: str) -> None:
        messages = [
            {"role": turn.role, "content": turn.text, "said_at": (began + place * _BETWEEN).isoformat()}
            for place, turn in enumerate(turns)
        ]
        given = {"agent_id": writing.agent_id, "language": language, "ended": True}
        path = f"/users/{writing.user_id}/chats/{part(writing.chat_id)}/messages"
        self.send("POST", path, json={**given, "messages": messages, "first": 0})

    def pin(self, user_id: str, words: str) -> bool:
        """Pin the fact that has these words; False without any."""
        return self._change("facts", user_id, words, {"pinned": True})

    def close(self, user_id: str, words: str) -> bool:
        """Close the open thread that has these words; False without any."""
        return self._change("threads", user_id, words, {"status": "closed"}, status="open")

    def erase(self, user_id: str) -> None:
        self.send("DELETE", f"/users/{user_id}")

    def _change(self, kind: str, user_id: str, words: str, change: Answer, **asked: str) -> bool:
        there = self.get(f"/users/{user_id}/{kind}", limit=_MOST, **asked)["items"]
        ids = [one["id"] for one in there if words.casefold() in one["text"].casefold()]
        for id_ in ids[:1]:
            self.send("PATCH", f"/{kind}/{id_}", json=change)
        return bool(ids)
