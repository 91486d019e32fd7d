"""The digest without a model: quotes, chosen by weight. So it works in every language, and says nothing that
was not said. Pure.

messages → `pieces`, `clauses` → `quotes` → `claims` that last, `threads` left open
"""

from collections.abc import Mapping, Sequence
from zoneinfo import ZoneInfo

from msgspec.structs import replace

from voice_server.context.screening.hygiene import is_instruction
from voice_server.digest.dates.date_context import contexts_at, within
from voice_server.digest.dates.dates import DateContext, upcoming, with_dates
from voice_server.digest.language.languages import spoken_language
from voice_server.digest.language.manner import manner
from voice_server.digest.language.sentences import spoken
from voice_server.digest.person_names import agent, caller
from voice_server.digest.person_names.caller import Naming
from voice_server.digest.rules.claims import claims
from voice_server.digest.rules.clauses import apart
from voice_server.digest.rules.echoes import without_echoes
from voice_server.digest.rules.introductions import without_introductions
from voice_server.digest.rules.pieces import pieces
from voice_server.digest.rules.quotes import (
    SUMMARY,
    Background,
    Candidate,
    Quotation,
    candidates,
    chosen,
    keywords,
    quoted,
    run,
)
from voice_server.digest.threads.changes import thread_changes
from voice_server.domain.conversation import Message
from voice_server.domain.digest import Digest, EarlierThread

_KEYWORDS = 60


def digest(  # noqa: PLR0913 (keywords only, and each is one thing known about the conversation)
    messages: Sequence[Message],
    *,
    timezone: ZoneInfo,
    platform_summary: str = "",
    language: str = "",
    document_frequencies: Mapping[str, int] = {},
    documents: int = 1,
    words: int = SUMMARY,
    served: str = "",
    open_before: Sequence[EarlierThread] = (),
    is_call: bool = True,
    naming: Naming = caller.named,
) -> Digest:
    """Make the digest of one conversation. Never raise on any text.

    `platform_summary` is the summary unless it gives instructions; `words` bounds a summary of quotes.
    `document_frequencies` counts, per stem of `stems.content_stems`, the `documents` earlier conversations of
    the user that hold it. Turns that read `served`, the agent's prompt, aloud are left out. Threads
    `open_before` are closed where the talk settles them. `is_call`: the two spoke, and did not write.
    `naming` finds the caller's name.
    """
    messages = without_echoes(messages, served)
    tongue = spoken_language([one.content for one in spoken(messages)], language)
    known = Background(document_frequencies, documents, tongue)
    spoken_as = replace(manner(tongue), names=_names(messages, tongue, naming))
    telling = without_introductions(pieces(messages, spoken_as), spoken_as, tongue)
    weighed = candidates(apart(telling, spoken_as), spoken_as, known)
    contexts = contexts_at(messages, timezone, tongue)
    said = {one.position: one.content for one in messages}
    best = [_dated(one, timezone, tongue, contexts, said) for one in chosen(weighed)]
    moments = tuple(one.moment for one in best)
    changes = thread_changes(
        messages,
        tongue,
        timezone,
        open_before=open_before,
        quotes=moments,
        names=spoken_as.names,
        is_call=is_call,
    )
    given = "" if is_instruction(platform_summary) else " ".join(platform_summary.split())
    return Digest(
        summary=given or run(moments, words),
        source="platform" if given else "extractive",
        key_moments=moments,
        open_threads=changes.opened,
        closes=changes.closes,
        follow_ups=changes.follow_ups,
        keywords=keywords(weighed, known, _KEYWORDS),
        stems=tuple(sorted(frozenset[str]().union(*(one.stems for one in weighed)))),
        language=tongue,
        claims=claims(best, manner(tongue)),
    )


def _names(messages: Sequence[Message], language: str, naming: Naming) -> frozenset[str]:
    heard = naming(messages, language)
    told = f"{heard.name if heard else ''} {agent.introduced(messages, language)}"
    return frozenset(told.lower().split())


def _dated(
    one: Candidate,
    timezone: ZoneInfo,
    language: str,
    contexts: Mapping[int, DateContext],
    said: Mapping[int, str],
) -> Quotation:
    piece, said_on = one.piece, one.piece.said_at.astimezone(timezone).date()
    before = within(said[piece.position], piece.text, contexts[piece.position], said_on, language)
    return Quotation(
        one,
        with_dates(quoted(one), said_on, language, before, today=False),
        said_on,
        upcoming(piece.text, said_on, language, before),
    )
