"""What the agent is told after an ordinary call or two, as people read it: `ordinary/<probe>.txt`.

The calls are those of `tests/eval/probes.jsonl`, digested without a model. Rewriting is deliberate:
`scripts/test tests/prompts --update-prompts`, then read the difference aloud.
"""

from collections import Counter
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path
from zoneinfo import ZoneInfo

import pytest
from eval import probes
from eval.probes import Probe
from msgspec.structs import asdict, replace
from pretend.memories import templates

from voice_server.context import prompt_builder
from voice_server.context.layout import tokens
from voice_server.context.layout.slots import Call
from voice_server.context.snapshot import told_text
from voice_server.digest import extractive
from voice_server.digest.facts import reconcile
from voice_server.digest.facts.reconcile import ConversationClaims, FactState
from voice_server.digest.person_names import caller
from voice_server.digest.privacy import consent
from voice_server.digest.secrets.messages import redacted_messages
from voice_server.digest.tellable import tellable
from voice_server.domain.agent import Agent
from voice_server.domain.conversation import Message
from voice_server.domain.digest import Digest, EarlierThread
from voice_server.domain.fact import Fact, SupersededFact
from voice_server.domain.memory import (
    ForgottenTopic,
    KnownFollowUp,
    KnownThread,
    Memory,
    RememberedConversation,
)
from voice_server.domain.person import best
from voice_server.jobs.rebuild import entry_for

NOW = datetime(2026, 11, 17, 12, tzinfo=UTC)
FOLDER = Path(__file__).parent / "ordinary"
CHOSEN = """name_said_in_the_greeting name_answered_without_capitals name_of_the_person_called_for
    allergy_in_one_word
    statements_of_three_words a_weekday_that_is_clear appointment_moved_in_a_later_call address_superseded
    job_superseded promise_kept question_left_open promise_of_the_agent reminder_wanted feeling_that_passes
    preferences_texted not_and_never de_umzug es_respuestas fr_promesse_tenue nl_naam""".split()
PROBES = {probe.id: probe for probe in probes.read()}


def heard(probe: Probe) -> list[tuple[datetime, tuple[Message, ...]]]:
    """The calls of a probe, the oldest first, as much of them as may be remembered."""
    return [(at, consent.kept(messages)) for at, messages in masked(probe)]


def masked(probe: Probe) -> list[tuple[datetime, list[Message]]]:
    calls = []
    for call in probe.calls:
        at = NOW - timedelta(days=call.days_ago)
        messages = [
            Message(n, "user" if role == "user" else "agent", text, at + timedelta(seconds=4 * n))
            for n, (role, text) in enumerate(call.turns)
        ]
        texts = redacted_messages(messages)
        calls.append((at, [replace(one, content=text) for one, text in zip(messages, texts, strict=True)]))
    return calls


def remembered(probe: Probe) -> Memory:
    """What is known after these calls, as the jobs put it together."""
    calls, digests, open_ones = heard(probe), list[Digest](), list[KnownThread]()
    for at, messages in calls:
        before = [stem for one in digests for stem in one.stems]
        made = extractive.digest(
            messages,
            timezone=ZoneInfo("UTC"),
            language=probe.language,
            document_frequencies=Counter(before),
            documents=len(digests) + 1,
            open_before=[_as_known(one, calls[one.id // 100][1]) for one in open_ones],
        )
        said = {
            one.thread: KnownFollowUp(**asdict(one), conversation_id=len(digests)) for one in made.follow_ups
        }
        left = [one for one in open_ones if one.id not in made.closes]
        open_ones = [replace(one, follow_up=said.get(one.id, one.follow_up)) for one in left]
        open_ones += [
            KnownThread(**asdict(one), id=100 * len(digests) + n, touched_at=at)
            for n, one in enumerate(made.open_threads)
        ]
        digests.append(made)
    names = [name for _, messages in calls if (name := caller.named(messages, probe.language))]
    forgotten = [ForgottenTopic(at, stems) for at, said in masked(probe) for stems in consent.topics(said)]
    known = reconcile.facts(claims(calls, digests))
    memory = Memory(
        "usr_ada",
        "UTC",
        conversations=len(calls),
        last_contact=calls[-1][0] + timedelta(minutes=2),
        latest=tuple(
            RememberedConversation(
                n, "voice", at, 120, one.summary, one.key_moments, is_quoted=one.source == "extractive"
            )
            for n, ((at, _), one) in reversed([*enumerate(zip(calls, digests, strict=True))])
        ),
        open_threads=tuple(open_ones),
        facts=tuple(facts(known)),
        superseded=tuple(superseded(known)),
        user_name=best(names).name,
        user_nickname=best(names).nickname,
        forgotten=tuple(forgotten),
    )
    return tellable(memory, tokens.counter())[0]


def _as_known(thread: KnownThread, messages: Sequence[Message]) -> EarlierThread:
    """With what was said where it was opened, and by the user before the agent only asked back."""
    last = max(thread.positions)
    before = [0, 0, 0, *(one.position for one in messages if one.position < thread.positions[0])]
    asked = {one.position - 1 for one in messages if one.role == "agent" and one.content.endswith("?")}
    said = [one for one in messages if before[-3] <= one.position <= last]
    near = (
        one for one in said if one.position >= before[-1] or (one.role == "user" and one.position in asked)
    )
    around = " ".join(one.content for one in near)
    return EarlierThread(
        thread.id, thread.kind, thread.said_by, thread.text, thread.due, around, thread.said_on
    )


def claims(
    calls: Sequence[tuple[datetime, tuple[Message, ...]]], digests: Sequence[Digest]
) -> list[ConversationClaims]:
    return [
        ConversationClaims(n, at, str(n), one.claims)
        for n, ((at, _), one) in enumerate(zip(calls, digests, strict=True))
    ]


def facts(known: Sequence[FactState]) -> list[Fact]:
    names = set(Fact.__struct_fields__) & set(FactState.__struct_fields__) - {"superseded_by"}
    holding = [one for one in known if not one.superseded_by]
    return [Fact(id=n, **{name: getattr(one, name) for name in names}) for n, one in enumerate(holding, 1)]


def superseded(known: Sequence[FactState]) -> list[SupersededFact]:
    by_key = {one.key: one for one in known}
    return [
        SupersededFact(one.text, one.sources, one.topic, by.text, by.topic, by.sources)
        for one in known
        if (by := by_key.get(one.superseded_by)) is not None
    ]


def told(probe: Probe) -> str:
    """What the agent reads of it, without persona and style."""
    memory, agent = remembered(probe), Agent("agent_robin", delivery="variable")
    prompt = prompt_builder.build(memory, templates(agent), tokens.counter(), now=NOW, limit=6150)
    entry = entry_for(memory, prompt, agent)
    return told_text(prompt, entry, Call(NOW.timestamp()), whole=False).text


@pytest.mark.parametrize("name", CHOSEN)
def test_the_agent_is_told_what_was_said(name: str, *, update_prompts: bool) -> None:
    path, text = FOLDER / f"{name}.txt", f"{told(PROBES[name])}\n"
    if update_prompts:
        path.write_text(text)

    assert text == path.read_text()


def test_every_prompt_here_is_one_of_these() -> None:
    assert {path.stem for path in FOLDER.glob("*.txt")} == set(CHOSEN)
