"""Where the platform reaches us."""

PRE_CALL = "/webhooks/elevenlabs/pre-call"
POST_CALL = "/webhooks/elevenlabs/post-call"
