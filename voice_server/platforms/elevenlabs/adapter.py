"""ElevenLabs Agents as a platform."""

from voice_server.platforms.elevenlabs import analysis_config, post_call, pre_call, redaction, tool_config
from voice_server.platforms.platform import Platform

ELEVENLABS = Platform(
    name=post_call.PLATFORM,
    signature_header=b"elevenlabs-signature",
    anonymous=pre_call.ANONYMOUS,
    parse_pre_call=pre_call.parse_pre_call,
    reply=pre_call.reply,
    told=pre_call.told,
    read_envelope=post_call.read_envelope,
    parse_post_call=post_call.parse_post_call,
    parties=post_call.parties,
    without_secrets=redaction.without_secrets,
    failed_conversation=post_call.failed_conversation,
    tool_configurations=tool_config.configurations,
    analysis_settings=analysis_config.settings,
)
