"""`[LAST TIME]`: the conversation that ended last, summed up or quoted. What [OPEN THREADS] tells in its very
words makes room here, unless what was said next hangs in the air without it."""

from collections.abc import Sequence
from itertools import pairwise

from voice_server.context.layout import formatting
from voice_server.context.layout.budget import Content, Item, Section
from voice_server.context.layout.prompt_input import PromptInput, once, telling, values
from voice_server.context.sections import open_threads
from voice_server.context.sections.quotes import beneath, best, in_prose, in_words, is_name
from voice_server.context.sections.spoken import Line, joined
from voice_server.domain.digest import KeyMoment
from voice_server.domain.memory import RememberedConversation

NAME = "last_time"
_CHANNELS = {"voice": "phone", "text": "text", "continuous": "text"}
_NOTED = "noted"
# Characters of quotes: what the section's cap leaves behind its heading. What does not fit is long-term
# memory's.
_ROOM = 720
_HEADING, _LINE = 40, 3  # tokens of the heading, and of a line around its words
_NEAR = 2  # messages
_ROOM_PER_TOKEN = 0.5  # of the whole prompt's limit: a small prompt is not all about one conversation


@once
def conversation(given: PromptInput) -> RememberedConversation | None:
    return given.memory.last_time


@once
def section(given: PromptInput) -> Section:
    latest = conversation(given)
    places = (
        {in_words(one, latest.id, given): place for place, one in enumerate(latest.key_moments)}
        if latest
        else {}
    )

    def render(_variant: int, content: Content) -> str:
        if latest is None or not content:
            return ""
        said = [item for item in content.items if item.label != _NOTED]
        in_order = sorted(said, key=lambda item: places[item.text])
        day = given.local_day(latest.started_at)
        positions = [latest.key_moments[places[item.text]].position for item in in_order]
        lines = joined(
            Line(beneath(item.text, day), position=position)
            for item, position in zip(in_order, positions, strict=True)
        )
        noted = [item.text for item in content.items if item.label == _NOTED]
        told = {
            "summary": content.prose,
            "quotes": values([Item(line) for line in lines]),
            "noted": noted,
        }
        return given.templates.render(NAME, {**heading(latest, given), **told})

    return Section(NAME, render, (_content(latest, given),), given.budget(NAME))


def heading(conversation: RememberedConversation, given: PromptInput) -> dict[str, str]:
    started = conversation.started_at.astimezone(given.zone)
    return {
        "date": formatting.long_date(started.date()),
        "time": formatting.time_of_day(started),
        "channel": _CHANNELS[conversation.channel],
        "duration": formatting.duration(conversation.duration),
    }


@once
def quotes(given: PromptInput) -> tuple[KeyMoment, ...]:
    """Return the quotes told here, best first; none of a conversation that is summed up."""
    latest = conversation(given)
    if latest is None or not latest.is_quoted:
        return ()
    is_told = open_threads.repeats(given)
    room = min(_ROOM, int(_ROOM_PER_TOKEN * given.limit))
    said = [one for one in latest.key_moments if not is_name(one.text, given.memory)]
    kept = best([one for one in said if not is_told(one.text)], room)
    return _within_cap(best([*kept, *_leant_on(said, kept)], room), latest, given)


def _within_cap(
    moments: Sequence[KeyMoment], conversation: RememberedConversation, given: PromptInput
) -> tuple[KeyMoment, ...]:
    """Leave to long-term memory what the section would have to drop: in most languages a token has fewer
    letters than in English."""
    room = given.budget(NAME).cap - _HEADING - sum(map(given.count, conversation.noted))
    kept = list[KeyMoment]()
    for moment in moments:
        size = given.count(in_words(moment, conversation.id, given)) + _LINE
        if size <= room:
            room -= size
            kept.append(moment)
    return tuple(kept)


def _leant_on(said: Sequence[KeyMoment], kept: Sequence[KeyMoment]) -> list[KeyMoment]:
    """Keep what a quote right after it leans on, though another section tells it, too."""
    near = (pair for pair in pairwise(said) if pair[1].position - pair[0].position <= _NEAR)
    return [before for before, one in near if one.leans and one in kept and before not in kept]


def _content(latest: RememberedConversation | None, given: PromptInput) -> Content:
    if latest is None:
        return Content()
    source = f"conversations/{latest.id}"
    said = telling(
        Item(in_words(one, latest.id, given), f"messages/{latest.id}:{one.position}") for one in quotes(given)
    )
    noted = telling(Item(in_prose(text, [latest.id], given), source, _NOTED) for text in latest.noted)
    summary = "" if latest.is_quoted else in_prose(latest.summary, [latest.id], given)
    return Content(summary, (*noted, *said), source)
