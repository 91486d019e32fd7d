"""Where the platform reaches us."""

from voice_server.platforms.registry import DEFAULT

PRE_CALL = f"/webhooks/{DEFAULT.name}/pre-call"
POST_CALL = f"/webhooks/{DEFAULT.name}/post-call"
TOOLS = "/tools/"  # and the name of one
MCP = "/mcp"
