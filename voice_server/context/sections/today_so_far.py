"""`[TODAY SO FAR]` and `[YESTERDAY]`, as they will be true: a prompt cached before midnight is right after
it.

`domain.days` says what belongs to which day. A chat of several days has a part in each: its key moments on
their days, its summary, which is of all of it, on the last.
"""

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from datetime import date, datetime, timedelta

from msgspec.structs import replace

from voice_server.context.layout import formatting, slots
from voice_server.context.layout.budget import ELLIPSIS, Content, Item, Section, sentences
from voice_server.context.layout.prompt_input import PromptInput, once, telling, values
from voice_server.context.sections import last_time
from voice_server.context.sections.quotes import best, in_prose, in_words
from voice_server.domain.days import TalkSpan, days_of, runs_until, summary_section
from voice_server.domain.digest import KeyMoment
from voice_server.domain.memory import RememberedConversation, SummarisedDay

NAME = "today_so_far"
_ROOM, _ROOM_YESTERDAY = 1200, 400  # characters of quotes: of today, and of each conversation of yesterday
_YESTERDAY = "yesterday"
_ONE_DAY = timedelta(days=1)

_Days = Mapping[date, Sequence[RememberedConversation]]
_Said = tuple[RememberedConversation, KeyMoment]


def section(given: PromptInput) -> Section:
    """Return a variant for today, another for the day after, nothing from then on."""
    days = _by_day(given)
    today, until = _today(given)
    served_on = [(today, today - _ONE_DAY), (today + _ONE_DAY, today)]
    variants = (*(_content(given, days, *both) for both in served_on), Content())

    def render(variant: int, content: Content) -> str:
        cut = len(content.items) < len(variants[variant].items)
        return _render(content, served_on[variant][1], given, cut=cut) if content else ""

    untils = [
        int(one.timestamp()) for one in (until, formatting.midnight_after(today + _ONE_DAY, given.zone))
    ]
    return Section(NAME, render, variants, given.budget(NAME), until=(*untils, slots.FOREVER))


@once
def _by_day(given: PromptInput) -> _Days:
    cut = [(one, talk) for one in given.memory.latest for talk in _talk(one, given)]
    days = days_of([talk for _, talk in cut], _pause(given))
    talks: defaultdict[int, defaultdict[date, list[TalkSpan]]] = defaultdict(lambda: defaultdict(list))
    for (one, talk), day in zip(cut, days, strict=True):
        talks[one.id][day].append(talk)
    found: defaultdict[date, list[RememberedConversation]] = defaultdict(list)
    for one in given.memory.latest:
        for day, part in _parts(one, talks[one.id]):
            found[day].append(part)
    return {day: sorted(parts, key=lambda one: (one.started_at, one.id)) for day, parts in found.items()}


def _talk(conversation: RememberedConversation, given: PromptInput) -> Iterator[TalkSpan]:
    """Cut a conversation where something was said, as far as that is known. A call has no silence in it."""
    ended, is_call = conversation.ended_at, conversation.channel == "voice"
    times = {conversation.started_at, *conversation.said, *(one.said_at for one in conversation.key_moments)}
    begun = sorted(times if is_call else {*times, ended})
    for begins, following in zip(begun, [*begun[1:], max(ended, begun[-1])], strict=True):
        yield TalkSpan(begins, following if is_call else begins, given.zone)


def _parts(
    conversation: RememberedConversation, talks: Mapping[date, Sequence[TalkSpan]]
) -> Iterator[tuple[date, RememberedConversation]]:
    for day, talk in talks.items():
        begins, last = talk[0].begins, talk[-1]
        moments = tuple(one for one in conversation.key_moments if begins <= one.said_at <= last.begins)
        part = replace(
            conversation,
            started_at=begins,
            duration=int((last.ends - begins).total_seconds()),
            summary=conversation.summary if day == max(talks) else "",
            key_moments=moments,
        )
        yield day, part if len(talks) > 1 else conversation


@once
def _today(given: PromptInput) -> tuple[date, datetime]:
    """Return which day is today, and until when: the calendar's, but while a session of yesterday goes on."""
    days = _by_day(given)
    if days:
        latest = max(days)
        ended = max(one.ended_at for one in days[latest])
        until = runs_until(latest, ended, given.zone, _pause(given))
        if until is not None and given.now < until:
            return latest, until
    return given.today, formatting.midnight_after(given.today, given.zone)


def _pause(given: PromptInput) -> timedelta:
    return timedelta(hours=given.memory.day_pause)


def _content(given: PromptInput, days: _Days, today: date, yesterday: date) -> Content:
    now, before = days.get(today, ()), days.get(yesterday, ())
    places = {moment: place for one in now for place, moment in enumerate(one.key_moments)}
    moments = sorted(
        _moments(given, now),
        key=lambda said: (said[1].said_at, said[1].position, places[said[1]]),
        reverse=True,
    )
    items = telling(
        Item(
            in_words(moment, one.id, given),
            f"messages/{one.id}:{moment.position}",
            formatting.time_of_day(moment.said_at.astimezone(given.zone)),
        )
        for one, moment in moments
    )
    prose = _summary(given, now, quoted=False)
    earlier = sentences(_summary(given, before, quoted=True))
    rest = telling(Item(sentence, _sources(given, before), _YESTERDAY) for sentence in earlier)
    return Content(prose, (*items, *rest), _sources(given, now))


def _summary(given: PromptInput, day: Sequence[RememberedConversation], *, quoted: bool) -> str:
    summed_up = _summed_up(given, day)
    if summed_up is not None:
        return in_prose(summary_section(summed_up.summary), [one.id for one in day], given)
    told = _told(given)
    said = [(one, _in_short(one, given, quoted=quoted)) for one in day if one.id != told]
    return " ".join(
        f"{last_time.heading(one, given)['time']} {summary}" if len(day) > 1 else summary
        for one, summary in said
        if summary
    )


def _in_short(conversation: RememberedConversation, given: PromptInput, *, quoted: bool) -> str:
    if not conversation.is_quoted:
        return in_prose(conversation.summary, [conversation.id], given)
    if not quoted:
        return ""
    kept = best(conversation.key_moments, _ROOM_YESTERDAY)
    said = (one for one in conversation.key_moments if one in kept)
    return " ".join(in_words(one, conversation.id, given) for one in said)


def _moments(given: PromptInput, day: Sequence[RememberedConversation]) -> Iterator[_Said]:
    """Yield the best quotes, or all that a model tells; nothing that [LAST TIME] quotes."""
    latest, room = _told(given), _ROOM
    for one in sorted(day, key=lambda one: (one.started_at, one.id), reverse=True):
        if not one.is_quoted:
            yield from ((one, moment) for moment in one.key_moments)
        elif one.id != latest:
            kept = best(one.key_moments, room)
            room -= sum(len(moment.text) for moment in kept)
            yield from ((one, moment) for moment in kept)


def quotes(given: PromptInput) -> Iterator[str]:
    days = _by_day(given)
    today, _ = _today(given)
    before = days.get(today - _ONE_DAY, ())
    said = [(one, moment) for one, moment in _moments(given, days.get(today, ())) if moment.said_by]
    if _summed_up(given, before) is None:
        told = _told(given)
        quoted = (one for one in before if one.is_quoted and one.id != told)
        said += [(one, moment) for one in quoted for moment in best(one.key_moments, _ROOM_YESTERDAY)]
    return (in_words(moment, one.id, given) for one, moment in said)


def summed_up(given: PromptInput) -> frozenset[int]:
    days = _by_day(given)
    today, _ = _today(given)
    there = (one.id for day in (today, today - _ONE_DAY) for one in days.get(day, ()))
    return frozenset(there) - {_told(given)}


def told_on(given: PromptInput) -> Iterator[date]:
    days = _by_day(given)
    today, _ = _today(given)
    for day in (today, today - _ONE_DAY):
        if any(one.id != _told(given) for one in days.get(day, ())):
            yield day


def _summed_up(given: PromptInput, day: Sequence[RememberedConversation]) -> SummarisedDay | None:
    """Return a model's summary only if it knows all conversations of the day and nothing told elsewhere."""
    ids = {one.id for one in day}
    if _told(given) in ids:
        return None
    return next((one for one in given.memory.days if ids and {*one.conversations} == ids), None)


@once
def _told(given: PromptInput) -> int | None:
    latest = last_time.conversation(given)
    return latest.id if latest and last_time.NAME in given.order else None


def _render(content: Content, yesterday_was: date, given: PromptInput, *, cut: bool) -> str:
    moments = [item for item in content.items if item.label != _YESTERDAY]
    yesterday = "".join(item.text for item in content.items if item.label == _YESTERDAY)
    return given.templates.render(
        NAME,
        {
            "summary": content.prose,
            "key_moments": values(moments[::-1]),
            "yesterday_date": formatting.long_date(yesterday_was),
            "yesterday_summary": f"{yesterday}{ELLIPSIS}" if yesterday and cut else yesterday,
        },
    )


def _sources(given: PromptInput, conversations: Sequence[RememberedConversation]) -> str:
    summed_up = _summed_up(given, conversations)
    days = [f"day_segments/{summed_up.id}"] if summed_up else []
    return " ".join([*days, *(f"conversations/{one.id}" for one in conversations)])
