"""`voice-server rebuild`: whose prompts, kept or only shown, and what went wrong."""

import asyncio
from collections.abc import Callable
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
import sqlalchemy as sa
from conftest import House
from pretend.elevenlabs import ADA, AGENT, GRACE, ended_call
from pretend.trouble import Process, until

from voice_server.commands import rebuild_prompts
from voice_server.commands.rebuild_prompts import Selection, run
from voice_server.errors import ConfigurationError
from voice_server.jobs import rebuild
from voice_server.settings import Settings

OpenHouse = Callable[[Settings], House]
BUILT = "select user_id, agent_id from cached_voice_prompts where built_at > now() - interval '1 hour'"


@pytest.fixture
async def busy(open_house: OpenHouse, settings: Settings, templates: Path) -> House:
    """Ada and Grace with two agents, their prompts built two hours ago."""
    house = open_house(settings.model_copy(update={"prompt_templates": templates}))
    house.clock.now -= timedelta(days=300).total_seconds()
    for number, (caller, agent) in enumerate(((ADA, AGENT), (ADA, "agent_wren"), (GRACE, AGENT))):
        summary = f"{caller} spoke with {agent}."
        house.platform.post_call(  # nothing that would be quoted elsewhere from another day on
            ended_call(
                f"conv_{number}",
                ("user: Hello, thank you.",),
                caller=caller,
                agent=agent,
                summary=summary,
                ended=house.clock(),
            )
        )
    await house.work()
    assert await house.query(BUILT) == []
    return house


async def user(house: House, number: str) -> str:
    [(id_,)] = await house.query("select user_id from addresses where address = $1", f"tel:{number}")
    return str(id_)


async def rebuilt(house: House) -> set[tuple[Any, ...]]:
    return set(await house.query(BUILT))


async def test_those_of_a_user_an_address_an_agent_or_everybody(
    busy: House, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(rebuild_prompts, "_PAGE", 1)
    ada, grace = await user(busy, ADA), await user(busy, GRACE)
    all_of_ada, all_of_grace = {(ada, AGENT), (ada, "agent_wren")}, {(grace, AGENT)}
    selected = [
        (Selection(user=ada), all_of_ada),
        (Selection(address="+44 20 7946 0123"), all_of_grace),
        (Selection(agent="agent_wren"), {(ada, "agent_wren")}),
        (Selection(user=ada, agent=AGENT), {(ada, AGENT)}),
        (Selection(everybody=True), all_of_ada | all_of_grace),
    ]
    for selection, expected in selected:
        await busy.query("update cached_voice_prompts set built_at = built_at - interval '2 hours'")

        assert await run(busy.settings, selection, show="") == 0

        assert await rebuilt(busy) == expected
    assert "3 rebuilt, 0 failed" in capsys.readouterr().err


async def test_of_the_stale_ones_only(
    busy: House, templates: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(rebuild_prompts, "_PAGE", 1)
    await run(busy.settings, Selection(stale=True), show="")
    assert await rebuilt(busy) == set()
    assert "0 rebuilt, 0 failed" in capsys.readouterr().err

    (templates / "agent_wren").mkdir()
    (templates / "agent_wren" / "persona.jinja").write_text("You are a wren.")
    await run(busy.settings, Selection(stale=True), show="")

    assert await rebuilt(busy) == {(await user(busy, ADA), "agent_wren")}
    assert "You are a wren." in busy.platform.told(ADA, agent="agent_wren")


async def test_a_dry_run_prints_the_prompt_and_keeps_nothing(
    busy: House, capsys: pytest.CaptureFixture[str]
) -> None:
    await run(busy.settings, Selection(agent="agent_wren"), show="prompt")

    printed = capsys.readouterr().out
    assert f"{ADA} spoke with agent_wren." in printed
    assert "# Who you are" in printed
    assert await rebuilt(busy) == set()


async def test_a_difference_is_shown_and_nothing_kept(
    busy: House, templates: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    await run(busy.settings, Selection(agent="agent_wren"), show="")
    before = await rebuilt(busy)
    persona = templates / "default" / "persona.jinja"
    persona.write_text(persona.read_text().replace("warm, attentive assistant", "cool robot"))

    await run(busy.settings, Selection(agent="agent_wren"), show="diff")

    lines = capsys.readouterr().out.splitlines()
    changed = [line for line in lines if line[:1] in "+-" and line[:3] not in ("+++", "---")]
    assert [line[0] for line in changed] == ["-", "+"]
    assert "cool robot" in changed[1]
    assert await rebuilt(busy) == before


async def test_what_only_the_clock_changes_is_no_difference(
    busy: House, capsys: pytest.CaptureFixture[str]
) -> None:
    """They were built 300 days ago: it is another day now, and long since the last contact."""
    await run(busy.settings, Selection(everybody=True), show="diff")

    assert capsys.readouterr().out.count("(nothing changes)") == 3


@pytest.mark.parametrize(
    ("selection", "complaint"),
    [
        (Selection(), "say whose prompts"),
        (Selection(user="usr_nobody"), "there is no user usr_nobody"),
        (Selection(address="+4930901820"), "nobody has the address"),
        (Selection(address="what?"), "is no address"),
        (Selection(user="usr_ada", everybody=True), "--all is everybody"),
        (Selection(agent=AGENT, everybody=True), "--all is everybody"),
    ],
)
async def test_nobody_selected_is_an_error(settings: Settings, selection: Selection, complaint: str) -> None:
    with pytest.raises(ConfigurationError, match=complaint):
        await run(settings, selection, show="")


async def test_the_command_counts_what_failed(
    busy: House, templates: Path, start: Callable[..., Process]
) -> None:
    """One template that can make nothing of one caller's notes: they are left out, and it is told."""
    (templates / "default" / "last_time.jinja").write_text(
        '{% if "wren" in summary %}{{ 1 // 0 }}{% endif %}{{ summary }}'
    )
    given = {
        "DATABASE_URL": busy.settings.database_url,
        "REDIS_URL": busy.settings.redis_url,
        "PLATFORM_TOKEN": "t",
        "ELEVENLABS_WEBHOOK_SECRET": "s",
        "PROMPT_TEMPLATES": str(templates),
    }
    everybody = start("rebuild", "--all", **given)

    assert await asyncio.to_thread(everybody.wait) == 1

    assert "with agent_wren failed: it is built, but without last_time (last_time.jinja" in everybody.said
    assert "2 rebuilt, 1 failed" in everybody.said
    assert "Traceback" not in everybody.said


async def test_by_hand_nothing_newer_is_overwritten(busy: House, monkeypatch: pytest.MonkeyPatch) -> None:
    """A call comes in while its caller's prompt is being rebuilt by hand: its rebuild waits, and is the
    last."""
    build: Callable[..., Any] = rebuild.Rebuild.build
    reached, go_on = asyncio.Event(), asyncio.Event()

    async def slowly(self: rebuild.Rebuild, connection: Any, target: Any, *, trigger: str) -> Any:
        built = await build(self, connection, target, trigger=trigger)
        if trigger == "by hand":
            reached.set()
            await go_on.wait()
        return built

    monkeypatch.setattr(rebuild.Rebuild, "build", slowly)
    by_hand = asyncio.create_task(run(busy.settings, Selection(address=GRACE), show=""))
    await reached.wait()
    news = ended_call("conv_9", caller=GRACE, summary="Grace moved to Bath.", ended=busy.clock() + 60)
    busy.platform.post_call(news)
    working = asyncio.create_task(busy.work())
    await until(lambda: _waits_for_a_lock(busy))
    go_on.set()
    await asyncio.gather(by_hand, working)

    assert "Grace moved to Bath." in busy.platform.told(GRACE)


async def _waits_for_a_lock(house: House) -> bool:
    async with house.worker.engine.connect() as connection:
        waiting = (
            "select count(*) from pg_stat_activity where wait_event_type = 'Lock' and datname = "
            "current_database()"
        )
        return bool((await connection.execute(sa.text(waiting))).scalar())
