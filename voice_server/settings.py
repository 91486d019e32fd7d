"""Every environment variable, once: name, type, default, meaning. docs/reference/settings.md is checked
against it."""

import re
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, Literal
from urllib.parse import parse_qsl, urlencode

from phonenumbers import SUPPORTED_REGIONS
from pydantic import AfterValidator, Field, ValidationError
from pydantic_settings import BaseSettings, SettingsConfigDict

from voice_server.errors import ConfigurationError
from voice_server.runtime.quiet_hours import quiet_hours
from voice_server.runtime.timezones import zone


def iana_timezone(name: str) -> str:
    """Check a time zone's name. Raises ValueError."""
    if zone(name) is None:
        raise ValueError(f"{name!r} is no IANA time zone; write one like Europe/Berlin")
    return name


# What hosting platforms append to a database URL: for asyncpg, or without a meaning for it.
_DATABASE_OPTIONS = {"host", "port", "user", "password", "ssl", "target_session_attrs"}
_IGNORED_OPTIONS = {"channel_binding", "application_name", "connect_timeout", "pgbouncer", "schema"}


_LAST_PORT = 65_535


def _database_url(url: str) -> str:
    """Accept the forms hosting platforms hand out (postgres://, postgresql://, ?sslmode=) for our one
    driver."""
    if not url:
        return url
    place = re.fullmatch(r"(?:postgres|postgresql|postgresql\+asyncpg)://([^?]*)\??(.*)", url, re.DOTALL)
    if place is None:
        raise ValueError("it must start with postgres:// or postgresql://")
    options = [
        ("ssl" if name == "sslmode" else name, value)
        for name, value in parse_qsl(place[2], keep_blank_values=True)
        if name not in _IGNORED_OPTIONS
    ]
    host_port = re.fullmatch(r"(?:[^@]*@)?(?:\[[^\]]*\]|[^/:]*)(?::([^/]*))?(?:/.*)?", place[1], re.DOTALL)
    _check_ports([host_port[1] or "" if host_port else "", *(v for name, v in options if name == "port")])
    if unknown := {name for name, _ in options} - _DATABASE_OPTIONS:
        raise ValueError(f"the option {min(unknown)} is not understood here; leave it out")
    return f"postgresql+asyncpg://{place[1]}" + (f"?{urlencode(options)}" if options else "")


def _check_ports(ports: Sequence[str]) -> None:
    """Check the ports of all hosts: found wrong on connecting, a port would look like an outage."""
    for port in ",".join(ports).split(","):
        if port and not (port.isdecimal() and 0 < int(port) <= _LAST_PORT):
            raise ValueError(f"its port must be a number from 1 to {_LAST_PORT}")


def _redis_url(url: str) -> str:
    if not url or re.match(r"(rediss?|unix)://", url):
        return url
    raise ValueError("it must start with redis://, rediss:// or unix://")


def _model(name: str) -> str:
    """Check the form alone: the library knows which providers and models there are, when a worker starts."""
    if not name or re.fullmatch(r"[\w/.-]+:\S+", name):
        return name
    raise ValueError("it must be provider:model, like anthropic:claude-haiku-4-5 or openai-chat:qwen3:8b")


def _models(names: str) -> str:
    models = [name.strip() for name in names.split(",")] if names.strip() else []
    if names.count(",") > 1 or not all(models):
        raise ValueError("it must be one model, or two with a comma between them")
    return ",".join(map(_model, models))


def _embedding_model(name: str) -> str:
    if not name or re.fullmatch(r"openai:\S+|local:all-minilm-l6-v2", name):
        return name
    raise ValueError(
        "it must be openai:<model>, which any OpenAI-compatible server has at EMBEDDING_BASE_URL, "
        "or local:all-minilm-l6-v2"
    )


def _http_url(url: str) -> str:
    if not url or re.match(r"https?://[^/]", url):
        return url
    raise ValueError("it must start with http:// or https://")


def _region(code: str) -> str:
    if code in SUPPORTED_REGIONS:
        return code
    raise ValueError("it must be the two-letter code of a country that has phone numbers, like US or DE")


def _quiet_hours(written: str) -> str:
    quiet_hours(written, "UTC")
    return written


Timezone = Annotated[str, AfterValidator(iana_timezone)]


class Settings(BaseSettings):
    """The whole configuration of one process. Build it with `load()`."""

    model_config = SettingsConfigDict(frozen=True, extra="ignore", env_ignore_empty=True)

    host: str = Field(
        "127.0.0.1", description="Address to listen on; 0.0.0.0 is every one. The `Procfile`'s `web` does so"
    )
    port: Annotated[int, Field(ge=1, le=_LAST_PORT)] | None = Field(
        None, description="Port to listen on; unset: 8000"
    )
    database_url: Annotated[str, AfterValidator(_database_url)] = Field(
        "", description="Postgres to use; unset: an embedded one under `DATA_DIR`"
    )
    redis_url: Annotated[str, AfterValidator(_redis_url)] = Field(
        "", description="Redis or Valkey to use; unset: an embedded one under `DATA_DIR`"
    )
    cache_memory_mb: Annotated[int, Field(ge=16)] | None = Field(
        None, description="Memory of the embedded Valkey at most; unset: a quarter of the machine's"
    )
    data_dir: Path = Field(Path(".data"), description="Where the embedded services and secrets live")
    platform_token: str = Field(
        "", description="Bearer token of pre-call and tool requests; several, comma-separated, while rotating"
    )
    elevenlabs_webhook_secret: str = Field(
        "", description="HMAC secret of post-call webhooks; several, comma-separated, while rotating"
    )
    api_token: str = Field(
        "", description="Bearer token of `/api`; several, comma-separated, while rotating; unset: closed"
    )
    console_secret: str = Field(
        "",
        description="Signs links to the console and its sessions; several, comma-separated, while rotating; "
        "unset: the password does",
    )
    console_password: str = Field(
        "", description="Opens the console; without it and CONSOLE_SECRET there is none"
    )
    console_hosts: str = Field(
        "",
        description="Names by which browsers ask for the console, comma-separated; unset: this machine's "
        "own, and HOST",
    )
    console_read_only: bool = Field(False, description="Nothing can be changed in the console")
    metrics_token: str = Field(
        "", description="Bearer token of `/metrics`; unset: open on this machine alone"
    )
    prompt_templates: Path = Field(Path("prompt_templates"), description="Folder of the prompt templates")
    default_timezone: Timezone = Field("UTC", description="Time zone of users and agents that have none")
    default_region: Annotated[str, AfterValidator(_region)] = Field(
        "US", description="Country whose national phone numbers are understood without a country code"
    )
    register_agents: bool = Field(
        True, description="Register an unknown agent on first contact, with the default templates"
    )
    prompt_token_limit: int = Field(6150, ge=200, description="Tokens of a whole prompt at most")
    pre_call_deadline_ms: int = Field(
        150,
        ge=5,
        le=5000,
        description="Milliseconds for a pre-call's answer: two thirds wait for Redis, the rest for "
        "Postgres; then the default prompt goes out",
    )
    pre_call_body_limit: int = Field(65_536, ge=1024, description="Bytes of a pre-call request read at most")
    post_call_body_limit: int = Field(
        10_000_000, ge=1024, description="Bytes of a post-call event (audio apart) accepted at most; else 413"
    )
    request_timeout_seconds: float = Field(
        10.0,
        gt=0,
        description="Wait for a request's head, and for its body, before its connection is cut off",
    )
    connection_limit: int = Field(
        800,
        ge=10,
        description="Connections of one web process at most: beyond, half requests go first, then idle ones",
    )
    tool_token_secret: str = Field(
        "",
        description="Signs user-bound tokens, for `/mcp`, chats and `/v1`; several, comma-separated, "
        "while rotating; unset: none",
    )
    tool_deadline_ms: int = Field(
        700, ge=20, le=10_000, description="Wait for a tool before the agent is told to go on without it"
    )
    tool_answer_tokens: int = Field(300, ge=100, description="Tokens of a tool's answer at most")
    tool_body_limit: int = Field(65_536, ge=1024, description="Bytes of a tool's request read at most")
    tool_token_uses_per_hour: int = Field(
        120,
        ge=1,
        description="Look-ups an hour, and additions as many, of one user and agent with user-bound tokens",
    )
    api_body_limit: int = Field(
        1_000_000, ge=1024, description="Bytes of a request to `/api` accepted at most; else 413"
    )
    audio_body_limit: int = Field(
        500_000_000, ge=1024, description="Bytes of a post-call audio event read (and discarded) at most"
    )
    signature_tolerance_past: int = Field(
        3600, ge=0, description="Seconds a post-call signature may be old (the last retry comes after 41 min)"
    )
    signature_tolerance_future: int = Field(
        300, ge=0, description="Seconds a post-call signature may be ahead of our clock"
    )
    redial_window: int = Field(
        7200,
        ge=1,
        description="Seconds after a call began in which the next one counts as a redial while the prompt "
        "knows nothing of it; longer than the longest call",
    )
    binding_ttl: int = Field(
        172_800, ge=60, description="Seconds for which a call's caller, seen at pre-call, is remembered"
    )
    min_call_seconds: int = Field(5, ge=0, description="Shorter voice calls are recorded but not digested")
    default_refresh_seconds: float = Field(
        10.0, gt=0, description="How often a web process looks for new agents and edited default templates"
    )
    llm_model: Annotated[str, AfterValidator(_model)] = Field(
        "",
        description="Model that digests conversations, as `provider:model`; unset: digests without a model",
    )
    llm_base_url: Annotated[str, AfterValidator(_http_url)] = Field(
        "", description="OpenAI-compatible server that has the model; unset: the provider's own"
    )
    llm_api_key: str = Field(
        "", description="Key of the model's provider; unset: the provider's own variable"
    )
    llm_output: Literal["auto", "tool", "native", "prompted"] = Field(
        "auto",
        description="How the model is made to answer in JSON (`tool`, `native`, `prompted`); "
        "`auto` is what the provider does best",
    )
    llm_timeout_seconds: float = Field(120.0, gt=0, description="Wait for one answer of the model at most")
    llm_tokens_per_day: int = Field(
        0, ge=0, description="Tokens in and out per day (UTC) after which the model rests; 0: no limit"
    )
    llm_answer_tokens: int = Field(4000, ge=100, description="Tokens of one answer of the model at most")
    llm_window_tokens: int = Field(
        6000, ge=500, description="Tokens of a transcript sent at a time; a longer one is sent in windows"
    )
    llm_windows: int = Field(8, ge=1, description="Windows of one conversation at most: the latest ones")
    llm_concurrency: int = Field(
        4,
        ge=1,
        description="Conversations the model reads at a time, and days as many, of all workers together",
    )
    llm_review: bool = Field(
        True,
        description="The model reads what it noted of a conversation or a day once more beside what was "
        "said: one call more for each, far fewer mistakes",
    )
    llm_day_summaries: bool = Field(
        True, description="The model sums up days, too: one call more for a day on which something was said"
    )
    day_pause_hours: float = Field(
        3.0,
        gt=0,
        le=12,
        description="Hours of silence that end a session, also in a chat: one that runs past midnight stays "
        "in the day it began",
    )
    quiet_hours: Annotated[str, AfterValidator(_quiet_hours)] = Field(
        "",
        description="Hours in DEFAULT_TIMEZONE, as `22-6`, within which what an upgrade wants digested anew "
        "is; unset: at any time, behind what is due",
    )
    chat_model: Annotated[str, AfterValidator(_models)] = Field(
        "",
        description="Model that answers in chats, as `provider:model`, at `LLM_BASE_URL` with `LLM_API_KEY`, "
        "or two with a comma between them: the second answers where the first fails; unset: `LLM_MODEL`",
    )
    chat_timeout_seconds: float = Field(120.0, gt=0, description="Wait for one answer in a chat at most")
    chat_answer_tokens: int = Field(2000, ge=50, description="Tokens of one answer in a chat at most")
    chat_concurrency: int = Field(20, ge=1, description="Chats one web process answers at a time")
    chat_wait_seconds: float = Field(
        30.0, ge=0, description="Wait of a turn for the one before it in the same chat, before it is refused"
    )
    chat_history_messages: int = Field(
        40, ge=6, le=400, description="Messages of a chat told as history at most, beside its first exchange"
    )
    chat_history_tokens: int = Field(
        3000, ge=100, description="Tokens of a chat's history at most, where no section needs them"
    )
    chat_tool_output_chars: int = Field(
        2000,
        ge=100,
        description="Characters of a tool's output in a chat's history, before the last exchange",
    )
    chat_history_strategy: Literal["truncate", "summarize"] = Field(
        "truncate",
        description="What becomes of the middle of a long chat: `truncate` says how many messages are not "
        "shown, `summarize` has a model sum them up",
    )
    summary_model: Annotated[str, AfterValidator(_model)] = Field(
        "",
        description="Model that sums up chats, as `provider:model`, at `LLM_BASE_URL` with `LLM_API_KEY`; "
        "unset: `LLM_MODEL`",
    )
    text_context_deadline_ms: int = Field(
        200, ge=20, le=10_000, description="Wait for what a text agent is told before it is told less"
    )
    embedding_model: Annotated[str, AfterValidator(_embedding_model)] = Field(
        "",
        description="Model whose vectors help the search, as `openai:<name>` or `local:all-minilm-l6-v2`; "
        "unset: full text only",
    )
    embedding_base_url: Annotated[str, AfterValidator(_http_url)] = Field(
        "", description="OpenAI-compatible server that embeds; unset: OpenAI's own"
    )
    embedding_api_key: str = Field("", description="Key of the server that embeds; unset: none is sent")
    embedding_dimensions: int = Field(
        0, ge=0, le=16_000, description="Numbers a vector is asked to have; 0: as many as the model makes"
    )
    embedding_batch: int = Field(64, ge=1, le=2048, description="Texts sent to be embedded in one request")
    search_vector_share: float = Field(
        0.6,
        ge=0,
        le=1,
        description="How much vectors count in a search, beside words, where there are vectors",
    )
    embedding_deadline_ms: int = Field(
        200, ge=5, le=10_000, description="Wait for a query's own vector before the search goes on without it"
    )
    embedding_timeout_seconds: float = Field(
        60.0, gt=0, description="Wait for the vectors of one batch of messages at most"
    )
    events_kept_days: int = Field(
        30,
        ge=0,
        description="Days for which the raw body of an event is kept once it is ingested; 0: for ever",
    )
    redact_transcripts: bool = Field(
        True,
        description="Take card numbers, PINs, passwords and other secrets out of stored transcripts and "
        "events, too; what is learned from them never has any",
    )
    prompts_kept_days: int = Field(
        90, ge=0, description="Days for which prompts are kept that were built and replaced; 0: for ever"
    )
    failed_jobs_kept_days: int = Field(
        90, ge=0, description="Days for which jobs put aside as failed are kept; 0: for ever"
    )
    promises_open_days: int = Field(
        60,
        ge=0,
        description="Days after which a promise that nobody came back to is no longer open; 0: never",
    )
    requests_open_days: int = Field(
        30,
        ge=0,
        description="Days after which a request that nobody came back to is no longer open; 0: never",
    )
    questions_open_days: int = Field(
        30,
        ge=0,
        description="Days after which a question that nobody came back to is no longer open; 0: never",
    )
    plans_open_days: int = Field(
        30, ge=0, description="Days after which a plan that nobody came back to is no longer open; 0: never"
    )
    topics_open_days: int = Field(
        14, ge=0, description="Days after which a topic that nobody came back to is no longer open; 0: never"
    )
    merge_undo_days: int = Field(
        30, ge=0, description="Days for which a merge of two users can be undone; 0: for ever"
    )
    job_max_attempts: int = Field(8, ge=1, description="Tries of a job before it is put aside as failed")
    backlog_pause_seconds: float = Field(
        2.0,
        ge=0,
        description="Seconds without more of them until calls that came late are digested; new ones never "
        "wait",
    )
    stale_prompts_per_second: float = Field(
        100.0,
        gt=0,
        description="Prompts one worker makes anew a second at most because the clock or edited templates "
        "outdated them; what calls change never waits for these",
    )
    job_heartbeat_seconds: float = Field(
        5.0, gt=0, description="Silence of a worker after which another takes its job over"
    )
    worker_concurrency: int = Field(20, ge=2, description="Jobs one worker runs at a time")
    database_pool: int = Field(
        10,
        ge=2,
        description="Postgres connections of one process at most; a web process has as many again for "
        "webhooks, and four, always open, for prompts that Redis lacks",
    )
    database_deadline_seconds: float = Field(
        4.0, gt=0, description="How long a web process waits for Postgres before it answers that it cannot"
    )
    log_level: Literal["debug", "info", "warning", "error"] = Field(
        "info",
        description="Least level logged. `info`: a line for each post-call event, tool call and job; "
        "`debug`: one for each pre-call, too",
    )
    log_format: Literal["text", "json"] = Field(
        "text", description="What a line of the log is: text for people, or a JSON object"
    )

    @property
    def tokens(self) -> tuple[str, ...]:
        return _split(self.platform_token)

    @property
    def api_tokens(self) -> tuple[str, ...]:
        return _split(self.api_token)

    @property
    def tool_token_secrets(self) -> tuple[str, ...]:
        """The first secret signs new tokens."""
        return _split(self.tool_token_secret)

    @property
    def console_secrets(self) -> tuple[str, ...]:
        """The first secret signs new links and sessions."""
        return _split(self.console_secret)

    @property
    def console_names(self) -> tuple[str, ...]:
        return _split(self.console_hosts.lower())

    @property
    def webhook_secrets(self) -> tuple[str, ...]:
        return _split(self.elevenlabs_webhook_secret)

    @property
    def address(self) -> tuple[str, int]:
        return self.host, self.port or 8000

    @property
    def local_address(self) -> tuple[str, int]:
        host, port = self.address
        return _LOOPBACK.get(host, host), port

    @property
    def local_url(self) -> str:
        host, port = self.local_address
        return f"http://[{host}]:{port}" if ":" in host else f"http://{host}:{port}"


_LOOPBACK = {"0.0.0.0": "127.0.0.1", "::": "::1"}  # noqa: S104 (asked, not bound)


def _split(joined: str) -> tuple[str, ...]:
    return tuple(part.strip() for part in joined.split(",") if part.strip())


def load() -> Settings:
    """Read the environment. Raises ConfigurationError naming every variable that is wrong."""
    try:
        return Settings()
    except ValidationError as error:
        raise ConfigurationError(_explain(error)) from None


def _explain(error: ValidationError) -> str:
    lines = [
        f"{str(e['loc'][0]).upper()}{_shown(str(e['loc'][0]), e['input'])}: "
        f"{e['msg'].removeprefix('Value error, ')}"
        for e in error.errors()
    ]
    return "These settings are wrong:\n  " + "\n  ".join(lines)


def _shown(name: str, value: object) -> str:
    return "" if name.endswith(("_url", "_token", "_secret", "_key")) else f"={value}"
