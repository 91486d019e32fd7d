"""Every setting once: a wrong value stops the start and says which, and all are documented."""

import pytest

from voice_server import settings
from voice_server.errors import ConfigurationError
from voice_server.runtime.timezones import zone
from voice_server.settings import Settings

NAMES = sorted(name.upper() for name in Settings.model_fields)


@pytest.fixture(autouse=True)
def bare_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    """No setting comes from the machine the tests run on."""
    for name in NAMES:
        monkeypatch.delenv(name, raising=False)


def test_without_any_setting_everything_has_its_default() -> None:
    loaded = settings.load()

    assert loaded.address == ("127.0.0.1", 8000)
    assert (loaded.database_url, loaded.redis_url) == ("", "")
    assert loaded.tokens == loaded.webhook_secrets == ()


@pytest.mark.parametrize(
    ("name", "value", "reason"),
    [
        ("PORT", "http", "valid integer"),
        ("PORT", "70000", "65535"),
        ("PORT", "0", "greater than or equal to 1"),
        ("DATABASE_URL", "postgres://ada:p@localhost:70000/app", "from 1 to 65535"),
        ("DATABASE_URL", "postgres://localhost:0", "from 1 to 65535"),
        ("DATABASE_URL", "postgres://[::1]:54320000/app", "from 1 to 65535"),
        ("DATABASE_URL", "postgres://localhost:five/app", "from 1 to 65535"),
        ("DATABASE_URL", "postgres:///app?host=a,b&port=5432,70000", "from 1 to 65535"),
        ("DATABASE_URL", "mysql://localhost/app", "postgres://"),
        ("DATABASE_URL", "localhost", "postgres://"),
        ("REDIS_URL", "localhost:6379", "redis://"),
        ("LLM_BASE_URL", "localhost:11434", "http://"),
        ("DEFAULT_TIMEZONE", "Berlin", "Europe/Berlin"),
        ("DEFAULT_TIMEZONE", "../../etc/passwd", "no IANA time zone"),
        ("DEFAULT_REGION", "Germany", "two-letter"),
        ("DEFAULT_REGION", "de", "two-letter"),
        ("PROMPT_TOKEN_LIMIT", "10", "200"),
        ("PRE_CALL_DEADLINE_MS", "0", "5"),
        ("REGISTER_AGENTS", "perhaps", "boolean"),
        ("LOG_LEVEL", "loud", "'info'"),
        ("LOG_FORMAT", "xml", "'json'"),
        ("WORKER_CONCURRENCY", "-1", "2"),
        ("LLM_MODEL", "gpt-5", "provider:model"),
        ("LLM_TOKENS_PER_DAY", "-1", "0"),
        ("LLM_OUTPUT", "yaml", "'auto'"),
    ],
)
def test_a_wrong_value_stops_the_start_and_says_which(
    monkeypatch: pytest.MonkeyPatch, name: str, value: str, reason: str
) -> None:
    monkeypatch.setenv(name, value)

    with pytest.raises(ConfigurationError) as caught:
        settings.load()

    told = name if name.endswith("_URL") else f"{name}={value}"  # a URL may hold a password
    assert f"  {told}: " in str(caught.value)
    assert reason in str(caught.value)


def test_all_wrong_values_are_named_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PORT", "x")
    monkeypatch.setenv("LOG_LEVEL", "y")

    with pytest.raises(ConfigurationError, match=r"(?s)PORT=x.*LOG_LEVEL=y"):
        settings.load()


def test_the_password_of_a_wrong_url_is_not_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DATABASE_URL", "mysql://ada:secret@localhost/app")

    with pytest.raises(ConfigurationError) as caught:
        settings.load()

    assert "secret" not in str(caught.value)
    assert "DATABASE_URL: " in str(caught.value)


@pytest.mark.parametrize("scheme", ["postgres", "postgresql", "postgresql+asyncpg"])
def test_postgres_urls_of_every_form_are_for_our_driver(monkeypatch: pytest.MonkeyPatch, scheme: str) -> None:
    monkeypatch.setenv("DATABASE_URL", f"{scheme}://ada:p@localhost:5432/app")

    assert settings.load().database_url == "postgresql+asyncpg://ada:p@localhost:5432/app"


@pytest.mark.parametrize(
    "place",
    [
        "localhost/app",
        "localhost:5432",
        "[::1]/app",
        "ada:p#w/2:3@h:1/app",
        "/app?host=/tmp",
        "/app?host=a,b&port=1,2",
        "h:/app",
    ],
)
def test_postgres_may_be_anywhere(monkeypatch: pytest.MonkeyPatch, place: str) -> None:
    monkeypatch.setenv("DATABASE_URL", f"postgres://{place}")

    assert settings.load().database_url.startswith("postgresql+asyncpg://")


@pytest.mark.parametrize("url", ["redis://localhost", "rediss://u:p@h:1/2", "unix:///tmp/redis.sock"])
def test_redis_urls_are_used_as_they_are(monkeypatch: pytest.MonkeyPatch, url: str) -> None:
    monkeypatch.setenv("REDIS_URL", url)

    assert settings.load().redis_url == url


def test_an_empty_variable_is_as_good_as_unset(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in NAMES:
        monkeypatch.setenv(name, "")

    assert settings.load() == Settings()


def test_secrets_are_several_while_they_are_rotated(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PLATFORM_TOKEN", "one, two,")
    monkeypatch.setenv("ELEVENLABS_WEBHOOK_SECRET", "wsec_1,wsec_2")

    assert settings.load().tokens == ("one", "two")
    assert settings.load().webhook_secrets == ("wsec_1", "wsec_2")


@pytest.mark.parametrize(
    ("host", "port", "address"),
    [
        ("", "", ("127.0.0.1", 8000)),
        ("", "9000", ("127.0.0.1", 9000)),
        ("0.0.0.0", "", ("0.0.0.0", 8000)),  # noqa: S104 (what the setting is for)
        ("::1", "9000", ("::1", 9000)),
    ],
)
def test_only_who_says_so_listens_beyond_this_machine(
    monkeypatch: pytest.MonkeyPatch, host: str, port: str, address: tuple[str, int]
) -> None:
    monkeypatch.setenv("HOST", host)
    monkeypatch.setenv("PORT", port)

    assert settings.load().address == address


@pytest.mark.parametrize(
    ("host", "url"),
    [
        ("127.0.0.1", "http://127.0.0.1:8000"),
        ("0.0.0.0", "http://127.0.0.1:8000"),  # noqa: S104 (what the setting is for)
        ("::", "http://[::1]:8000"),
        ("192.0.2.7", "http://192.0.2.7:8000"),
        ("voice.example.com", "http://voice.example.com:8000"),
    ],
)
def test_this_machine_reaches_it_where_it_listens(host: str, url: str) -> None:
    assert settings.Settings(host=host).local_url == url


def test_settings_do_not_change_while_the_server_runs() -> None:
    with pytest.raises(ValueError, match="frozen"):
        setattr(settings.load(), "port", 1)  # noqa: B010 (the types forbid the plain form)


@pytest.mark.parametrize("region", ["ZZ", "us", "UK", "001", "Germany"])
def test_a_region_without_phone_numbers_stops_the_start(monkeypatch: pytest.MonkeyPatch, region: str) -> None:
    monkeypatch.setenv("DEFAULT_REGION", region)

    with pytest.raises(ConfigurationError, match=r"DEFAULT_REGION.*country that has phone numbers"):
        settings.load()


@pytest.mark.parametrize("name", ["localtime", "posixrules", "Factory", "posix/localtime", "", "Europe"])
def test_what_is_no_place_is_no_time_zone(monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    assert zone(name) is None
    monkeypatch.setenv("DEFAULT_TIMEZONE", name or "localtime")

    with pytest.raises(ConfigurationError, match="no IANA time zone"):
        settings.load()
