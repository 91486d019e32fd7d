"""Where the platform reaches us."""

PRE_CALL = "/webhooks/elevenlabs/pre-call"
POST_CALL = "/webhooks/elevenlabs/post-call"
TOOLS = "/tools/"  # and the name of one
MCP = "/mcp"
