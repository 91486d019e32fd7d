"""What a user's own token opens: their chats with its agent, and nothing else of the API.

Guard: `vsu_…` on one of these paths → scope → the resource calls `check` with its user and agent
"""

import re
from collections.abc import Callable, Sequence

from fastapi import HTTPException, Request
from starlette.types import Scope

from voice_server.tools import user_token
from voice_server.tools.user_token import TokenClaims
from voice_server.webhooks.http.bearer import sent_token

_CLAIMS = "voice_server.claims"  # of an ASGI request
_OPEN = re.compile(
    r"/api/(chat|chats/[^/]+/(turns/[^/]+(/events)?|summary)|users/[^/]+/(text-context|chats))"
)


class UserTokens:
    """`clock` gives unix seconds."""

    def __init__(self, secrets: Sequence[str], clock: Callable[[], float]) -> None:
        self._secrets = secrets
        self._clock = clock

    def admit(self, scope: Scope, authorization: bytes) -> bool:
        """Tell whether a user's token opens this path; its claims go along in the scope."""
        token = sent_token(authorization).decode("latin-1")
        if not token.startswith(user_token.PREFIX) or not _OPEN.fullmatch(scope["path"]):
            return False
        claims = user_token.read(token, self._secrets, self._clock())
        if isinstance(claims, str):
            return False
        scope[_CLAIMS] = claims
        return True


def check_user(request: Request, user_id: str) -> None:
    claims: TokenClaims | None = request.scope.get(_CLAIMS)
    if claims is not None:
        check(request, user_id, claims.agent_id)


def check(request: Request, user_id: str, agent_id: str | None) -> None:
    """Raise HTTPException (403) when the token is another user's, or for another agent."""
    claims: TokenClaims | None = request.scope.get(_CLAIMS)
    if claims is not None and (claims.user_id, claims.agent_id) != (user_id, agent_id):
        raise HTTPException(403, f"This token is for user {claims.user_id} with agent {claims.agent_id}.")
