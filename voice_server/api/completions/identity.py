"""Who sends a request like OpenAI's. Its token says so, never its text.

Bearer vsu_…            this user with this agent; nothing else in the request changes that
Bearer API_TOKEN        the host application, which names the user (and the chat) in headers, or `user`
Bearer PLATFORM_TOKEN   a voice platform; its user only by a token of theirs that comes along
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Literal

from msgspec import Struct
from starlette.datastructures import Headers

from voice_server.api.completions.request import CompletionRequest
from voice_server.domain.addresses.address import APP
from voice_server.errors import ChatRefused
from voice_server.tools import user_token
from voice_server.tools.user_token import TokenClaims
from voice_server.webhooks.http.bearer import is_one_of, sent_token

USER, CHAT, TURN = "x-voice-user", "x-voice-chat", "x-voice-turn"
EXTRA = "voice_user"  # in a platform's extra body: a user's token
_OPEN_WEBUI_USER, _OPEN_WEBUI_CHAT = "x-openwebui-user-id", "x-openwebui-chat-id"
_OPEN_WEBUI = "openwebui:"  # how its chats are called here
_TEMPORARY = "local:"  # how the ids of Open WebUI's chats begin that it does not keep
_NO_IDS = ("", "new", "null", "none", "undefined")  # what templates make of an id that is not there yet
_LONGEST = 200  # characters of an id
_HOW = (
    "Send the header Authorization: Bearer <API_TOKEN>, or a token that `voice-server tools token` made for "
    "one user."
)

Kind = Literal["host", "platform", "user"]


class Requester(Struct, frozen=True):
    kind: Kind
    claims: TokenClaims | None = None


class Writer(Struct, frozen=True):
    """On whose behalf a model is asked. `user` is an id or an address, None when nobody said; `chat_id` is
    the client's, None when nothing is to be kept."""

    agent_id: str
    user: str | None = None
    chat_id: str | None = None
    turn_id: str | None = None

    @property
    def is_in_open_webui(self) -> bool:
        return (self.chat_id or "").startswith(_OPEN_WEBUI)


class Keys(Struct, frozen=True):
    """The accepted tokens; `users` are the secrets that users' tokens are signed with."""

    host: Sequence[str]
    platform: Sequence[str]
    users: Sequence[str]


class Door:
    """`clock` gives unix seconds."""

    def __init__(self, keys: Keys, clock: Callable[[], float]) -> None:
        self._keys = keys
        self._host = [one.encode() for one in keys.host]
        self._platform = [one.encode() for one in keys.platform]
        self._clock = clock

    def admit(self, authorization: bytes) -> Requester | str:
        """Return who asks, or why it is nobody, as a sentence."""
        token = sent_token(authorization)
        is_host, is_platform = is_one_of(token, self._host), is_one_of(token, self._platform)
        if is_host:
            return Requester("host")
        if is_platform:
            return Requester("platform")
        if not token.startswith(user_token.PREFIX.encode()):
            return _HOW
        claims = self.claims(token.decode("latin-1"))
        return claims if isinstance(claims, str) else Requester("user", claims)

    def claims(self, token: str) -> TokenClaims | str:
        return user_token.read(token, self._keys.users, self._clock())

    def writer(self, requester: Requester, headers: Headers, asked: CompletionRequest) -> Writer:
        """Raise ChatRefused for what contradicts the token, and for malformed ids."""
        if requester.claims is not None:
            return _of_claims(requester.claims, headers, asked)
        if requester.kind == "platform":
            return self._on_the_phone(asked)
        theirs = headers.get(_OPEN_WEBUI_USER, "").strip()
        user = headers.get(USER, "").strip() or (f"{APP}{theirs}" if theirs else asked.user) or None
        return Writer(asked.model, user, _chat_id(headers, asked.model), _id(headers, TURN))

    def _on_the_phone(self, asked: CompletionRequest) -> Writer:
        """Keep nothing: the transcript tells it, after the call."""
        token = (asked.elevenlabs_extra_body or {}).get(EXTRA)
        if token is None:
            return Writer(asked.model)
        claims = self.claims(token) if isinstance(token, str) else "It is no text."
        if isinstance(claims, str):
            raise ChatRefused(401, "unauthorized", f"elevenlabs_extra_body.{EXTRA}: {claims}")
        _check_agent(claims, asked)
        return Writer(claims.agent_id, claims.user_id)


def _of_claims(claims: TokenClaims, headers: Headers, asked: CompletionRequest) -> Writer:
    _check_agent(claims, asked)
    return Writer(claims.agent_id, claims.user_id, _chat_id(headers, asked.model), _id(headers, TURN))


def _check_agent(claims: TokenClaims, asked: CompletionRequest) -> None:
    if asked.model != claims.agent_id:
        raise ChatRefused(
            404, "model_not_found", f"This token is for agent {claims.agent_id}: name it as the model."
        )


def _chat_id(headers: Mapping[str, str], agent_id: str) -> str | None:
    """Give each model its own chat: Open WebUI asks several in one."""
    if own := _id(headers, CHAT):
        return own
    theirs = _id(headers, _OPEN_WEBUI_CHAT)
    if theirs is None or theirs.startswith(_TEMPORARY):
        return None
    return _checked(_OPEN_WEBUI_CHAT, f"{_OPEN_WEBUI}{theirs}:{agent_id}")


def _id(headers: Mapping[str, str], name: str) -> str | None:
    given = headers.get(name, "").strip()
    return None if given.lower() in _NO_IDS else _checked(name, given)


def _checked(name: str, given: str) -> str:
    if len(given) > _LONGEST or "/" in given or given in {".", ".."} or not given.isprintable():
        raise ChatRefused(
            400, "invalid_value", f"{name}: an id has at most {_LONGEST} characters, and no slash."
        )
    return given
