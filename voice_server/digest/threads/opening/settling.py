"""What later words of the same conversation settle: kept, answered, declined, called off."""

from bisect import bisect_right
from collections.abc import Iterable
from functools import cached_property
from itertools import islice, takewhile

from voice_server.digest.threads.opening.candidate import Candidate
from voice_server.digest.threads.speech.due import days_named, due_day, whole_day
from voice_server.digest.threads.speech.phrases import Kind, names_a_time
from voice_server.digest.threads.speech.references import clauses, second_thing
from voice_server.digest.threads.speech.talk import Remark, ThreadTalk, between
from voice_server.domain.digest import Speaker

_SOON = 3  # turns
_OF_A_CHAT = 5  # messages of them, where several in a row are one
_LATER = 8  # turns within which "I've sent it" needs not say what
_FEW_MATTERS = 1
_BRIEF_WORD = 5  # words of “There, I've sent it.”
_REASONS: tuple[Kind, ...] = ("unplanned", "not_done", "no", "has_on", "duty", "refused", "cancelled")


class Settlement:
    """What remarks settle, by what they are about: to compare each with each takes seconds when somebody
    promises all the time."""

    def __init__(self, talk: ThreadTalk) -> None:
        self._talk = talk

    def settles(self, one: Candidate) -> bool:
        if one.thread.kind == "question":
            return self._answers[_other(one.thread.said_by)].speak_of(one.matters, one)
        is_off = self._declines(one) or self._waves_off(one) or self._calls_off(one)
        return is_off or self._fulfils(one) or self._was_done_before(one) or self._is_refused_for_then(one)

    def _declines(self, one: Candidate) -> bool:
        refused = (one.position + 1, _other(one.thread.said_by)) in self._refusals
        return refused and one.thread.kind in ("promise", "request")

    def _waves_off(self, one: Candidate) -> bool:
        """“Send me the list, please.” – “Of course.” – “Oh, leave it, I'll manage.”"""
        near = (one.position + 1, one.position + 2)
        waved = (self._waved_off[place] for place in near if place in self._waved_off)
        return any(matters <= one.matters for matters in waved)

    def _calls_off(self, one: Candidate) -> bool:
        is_named = self._cancelled.speak_of(one.matters | one.times, one) or self._is_numbered_off(one)
        return is_named or self._cancelling.follow(one, _SOON)

    def _is_numbered_off(self, one: Candidate) -> bool:
        """“We have him down for the second of December.” – “I'll cancel the second, so.”"""
        due, phrases = one.thread.due, self._talk.phrases
        behind = (r for r in self._called_off if r.place > one.place and not self._talk.asks(r))
        bare = (r for r in behind if not (phrases.clocks(r.plain, r.marked) or self._talk.undated(r)))
        return due is not None and any(due.day in phrases.numbers(r.plain) for r in bare)

    def _fulfils(self, one: Candidate) -> bool:
        if one.thread.kind == "plan":
            is_ahead = one.appointment and one.has_hour  # “Done, twenty to six.” grants it
            is_done = not is_ahead and self._done.speak_of_nothing_but(one.matters, one)
            return is_done or self._is_done_already(one)
        second = self._second_of_two(one)
        if second:  # “The estimate is sent.” leaves the invoice
            return self._done.speak_of(second, one) or self._is_sent(one)
        follows = self._told_done.follow(one, _LATER) or self._done.speak_of(one.own, one)
        return follows or self._does_at_once(one) or self._is_sent(one)

    def _second_of_two(self, one: Candidate) -> frozenset[str]:
        said = self._talk.remarks[one.place].plain
        return second_thing(self._talk.phrases, said) if one.thread.kind == "promise" else frozenset()

    def _is_sent(self, one: Candidate) -> bool:
        """“I'll send you the link.” – “It's my son's address.” – “Sent.”"""
        talk, said = self._talk, self._talk.remarks[one.place]
        promised = one.thread.kind == "promise" and one.thread.said_by == "agent"
        is_later = one.thread.due is not None and one.thread.due > said.said_on
        if not promised or is_later or not talk.has(said, "sending") or talk.has(said, "calling"):
            return False
        near = (r for r in self._said_sent if r.place > one.place and r.position - one.position <= _SOON)
        return any(not any(map(talk.asks, talk.before(r))) for r in near)

    def _is_done_already(self, one: Candidate) -> bool:
        """“He's bringing the form today.” – “Yes, he's given it to me.”, not “I've the dentist today.”"""
        talk, said = self._talk, self._talk.remarks[one.place]
        if one.thread.said_by != "user" or one.thread.due != said.said_on or one.has_hour:
            return False
        first = talk.after(said)[:1]
        heard = any(talk.has(r, "heard", "noted", "promise", "request") for r in first)
        yes = any(talk.phrases.opens("yes", r.marked) and talk.says_done(r) for r in first)
        return yes and not heard and not talk.has(said, "has_on")

    def _was_done_before(self, one: Candidate) -> bool:
        """“Could you send us a photo?” – “Already done, ten minutes ago.”"""
        asked = self._talk.remarks[one.place]
        first = self._talk.after(asked)[:1]
        is_asked = one.thread.kind == "request" and self._talk.asks(asked)
        return is_asked and any(self._talk.has(reply, "did_so") for reply in first)

    def _is_refused_for_then(self, one: Candidate) -> bool:
        """“Can you bring it in tomorrow?” – “Not tomorrow... Tuesday?”"""
        asked = next(
            (r for r in (self._talk.remarks[place] for place in one.places) if self._talk.asks(r)), None
        )
        if one.thread.kind != "request" or one.thread.due is None or asked is None:
            return False
        talk, first = self._talk, self._talk.after(asked)[:1]
        said = (r for r in first if talk.has(r, "no", "unplanned", "refused", "unable"))
        named = (days_named(r, talk.phrases) | {whole_day(r, talk.phrases)} for r in said)
        return any(one.thread.due in days for days in named)

    def _does_at_once(self, one: Candidate) -> bool:
        """“Shall I post it?” – “Yes, to 14 Quarry Lane.” – “Done.”, or “Could you post it?” – “Done.”, not
        “Shall I ring you when it's in?”"""
        talk = self._talk
        asked = next((r for r in (talk.remarks[place] for place in one.places) if talk.asks(r)), None)
        if asked is None or one.thread.due is not None:
            return False
        is_word_of_it = talk.has(asked, "be_told") and not talk.has(asked, "pointer")
        if is_word_of_it or talk.phrases.awaits(asked.plain) or talk.has(asked, "reminds", "call_back"):
            return False
        is_sent = asked.said_by == "user" and talk.has(asked, "sending") and self._is_sent_in_reply(asked)
        return is_sent or asked.position + (1 if asked.said_by == "user" else 2) in self._done_at_once

    def _is_sent_in_reply(self, asked: Remark) -> bool:
        """“Could you send me the invoice?” – “Of course, to the usual address. It's gone.”, not “I'm sorry,
        it's gone.”"""
        talk, said = self._talk, self._talk.after(asked)
        brief = [one for one in said if len(one.text.split()) <= _BRIEF_WORD and not talk.asks(one)]
        is_sent = any(
            talk.has(one, "sent_off") or (talk.has(one, "sending") and talk.says_done(one)) for one in brief
        )
        # “Yes. Oh dear, it's gone, I can't find it.”
        is_in_vain = any(talk.has(one, "unable") for one in said)
        return is_sent and not is_in_vain and talk.phrases.opens("yes", said[0].marked)

    @cached_property
    def _done_in_a_word(self) -> tuple[Remark, ...]:
        """Where the agent says no more than “Done.”, or “Sent.”"""
        return tuple(r for r in self._said_done if r.said_by == "agent" and len(r.text.split()) == 1)

    @cached_property
    def _done_at_once(self) -> frozenset[int]:
        """The positions at which the agent begins with a lone “Done.”"""
        talk, said = self._talk, self._done_in_a_word
        return frozenset(r.position for r in said if r == talk.message(r)[0] and not talk.has(r, "heard"))

    @cached_property
    def _said_sent(self) -> tuple[Remark, ...]:
        return tuple(r for r in self._done_in_a_word if self._talk.has(r, "sending"))

    @cached_property
    def _answers(self) -> dict[Speaker, "_Remarks"]:
        talk = self._talk
        said = [r for r in talk.remarks if not talk.asks(r) and not talk.has(r, "deferral", "promise")]
        return {by: _Remarks([r for r in said if r.said_by == by], talk) for by in ("user", "agent")}

    @cached_property
    def _refusals(self) -> frozenset[tuple[int, Speaker]]:
        talk = self._talk
        refused = (r for r in talk.remarks if self._says_no(r) and not talk.is_conditional(r))
        said = (remark for remark in refused if not self._is_of_a_question(remark))
        return frozenset((remark.position, remark.said_by) for remark in said)

    def _says_no(self, remark: Remark) -> bool:
        """“It's not possible” refuses where the agent says so; the user may say it of anything."""
        talk = self._talk
        return talk.has(remark, "no") or (remark.said_by == "agent" and talk.has(remark, "refusal"))

    def _is_of_a_question(self, remark: Remark) -> bool:
        """“Do you take dogs? No, don't worry, I'm only curious”: the no goes with the question."""
        talk = self._talk
        asked = [r for r in talk.message(remark) if r.place < remark.place and talk.asks(r)]
        return any(talk.undated(r) for r in asked) and bool(talk.matters(remark))

    @cached_property
    def _waved_off(self) -> dict[int, frozenset[str]]:
        """What the user waves off, and is not merely asked, by position: with what is named beside it."""
        talk = self._talk
        said = [r for r in talk.remarks if r.said_by == "user" and talk.has(r, "waved_off")]
        plain = [r for r in said if not talk.is_conditional(r) and not any(map(talk.asks, talk.before(r)))]
        return {r.position: talk.beside(r, "waved_off") for r in plain}

    @cached_property
    def _cancelled(self) -> "_Remarks":
        return _Remarks(self._called_off, self._talk)

    @cached_property
    def _cancelling(self) -> "_Remarks":
        """The same without a reason. What the agent grants, “That's cancelled.”, is what the user asked
        for."""
        asked = {r.position for r in self._called_off if r.said_by == "user"}
        own = [r for r in self._called_off if r.said_by == "user" or r.position - 1 not in asked]
        return _Remarks([self._without_a_reason(r) for r in own], self._talk)

    def _without_a_reason(self, remark: Remark) -> Remark:
        """“I'd like to cancel it, please, it doesn't hurt any more.”, “I'll cancel it and refund you.”, not
        “I'll have to cancel, the yoga.”"""
        talk = self._talk
        off, repays = (talk.find(kind, remark.marked) for kind in ("cancelled", "repays"))
        if off and repays and repays.start() > off.start():
            remark = between(remark, 0, repays.start())
        said = clauses(remark, talk)
        at = next((n for n, part in enumerate(said) if talk.has(part, "cancelled")), None)
        at = 0 if at is None and self._begins_unable(remark) else at
        if at is None:
            return remark
        is_reason = self._can_come_no_more(said[at], remark)
        behind = (one for one in said[at + 1 :] if talk.matters(one))
        return said[at] if is_reason or all(talk.has(one, *_REASONS) for one in behind) else remark

    def _begins_unable(self, remark: Remark) -> bool:
        if not self._talk.has(remark, "unable") or self._talk.asks(remark):
            return False
        said = clauses(remark, self._talk)
        return bool(said) and self._can_come_no_more(said[0], remark)

    def _can_come_no_more(self, clause: Remark, remark: Remark) -> bool:
        """“I can't come any more, I broke my arm.”, not “My wife can't.”, “today” or “before that”"""
        talk = self._talk
        is_of_another = talk.has(clause, "possessed", "of_another")
        is_of_then = names_a_time(remark.marked) or talk.has(clause, "sooner", "other_time", "beforehand")
        is_unable = talk.has(clause, "unable") and talk.has(clause, "no_more")
        return is_unable and not (is_of_then or is_of_another)

    @cached_property
    def _called_off(self) -> tuple[Remark, ...]:
        talk = self._talk
        said = (r for r in talk.remarks if talk.has(r, "cancelled") or self._begins_unable(r))
        return tuple(r for r in said if not talk.is_conditional(r))

    @cached_property
    def _done(self) -> "_Remarks":
        return _Remarks(self._said_done, self._talk)

    @cached_property
    def _said_done(self) -> tuple[Remark, ...]:
        talk = self._talk
        return tuple(r for r in talk.remarks if talk.says_done(r) and not self._only_hears(r))

    def _only_hears(self, remark: Remark) -> bool:
        """“Remind me tomorrow to feed the cat.” – “Got it.”, not “Got it, I've sent the menu.”"""
        talk = self._talk
        found = talk.find("noted", remark.marked)
        if remark.said_by == "user" or found is None:
            return False
        if talk.phrases.has("done", f"{remark.marked[: found.start()]};{remark.marked[found.end() :]}"):
            return False
        asked = [one for one in talk.before(remark) if talk.has(one, "request", "correction")]
        days = (due_day(one, talk.phrases) for one in asked)
        is_ahead = any(day is not None and day > remark.said_on for day in days)
        return bool(asked) and (is_ahead or talk.has(remark, "heard"))

    @cached_property
    def _told_done(self) -> "_Remarks":
        """A lone “done” may only say yes."""
        talk = self._talk
        telling = (r for r in self._said_done if not talk.has(r, "booked", "promise", "request"))
        return _Remarks([remark for remark in telling if len(remark.text.split()) > 1], talk)


class _Remarks:
    def __init__(self, remarks: Iterable[Remark], talk: ThreadTalk) -> None:
        about = [(remark, talk.matters(remark), talk.phrases.times(remark.plain)) for remark in remarks]
        self._last = {word: remark.place for remark, *words in about for word in frozenset().union(*words)}
        self._matters = {remark.place: matters for remark, matters, _ in about}
        self._times = {remark.place: times for remark, _, times in about}
        self._is_only = talk.phrases.is_nothing_but
        self._turns = _turns(talk.remarks)
        brief = [remark for remark, matters, _ in about if len(matters) <= _FEW_MATTERS]
        self._brief_places = [remark.place for remark in brief]
        self._brief = [(remark, _begin_of_noted(remark, talk)) for remark in brief]
        self._answered = {remark.place: _answered(remark, talk) for remark in brief}

    def speak_of(self, words: Iterable[str], one: Candidate) -> bool:
        """Tell whether a remark behind the candidate has one of these words."""
        return any(self._last.get(word, -1) > one.place for word in words)

    def speak_of_nothing_but(self, words: frozenset[str], one: Candidate) -> bool:
        """Tell whether it has no others, too: “I bought the tickets” is not the journey."""
        places = {self._last.get(word, -1) for word in words}
        return any(place > one.place and self._is_only(self._matters[place], words) for place in places)

    def follow(self, one: Candidate, within: int) -> bool:
        """Tell whether a remark within so many turns speaks of no other matter or day (“I've cancelled the
        Wednesday one”). What only notes something notes what was said just before."""
        following = islice(self._brief, bisect_right(self._brief_places, one.place), None)
        last = self._turns[one.position] + within
        near = takewhile(
            lambda brief: (
                self._turns[brief[0].position] <= last
                and brief[0].position - one.position <= max(within, _OF_A_CHAT)
            ),
            following,
        )
        return any(
            begin <= one.place
            and self._matters[remark.place] <= one.matters
            and not (self._times[remark.place] and self._times[remark.place].isdisjoint(one.times))
            and self._answered[remark.place] <= one.matters
            for remark, begin in near
        )


def _turns(remarks: Iterable[Remark]) -> dict[int, int]:
    """Count the turns up to each position: in a chat, messages in a row are one."""
    turns, last, number = dict[int, int](), "", 0
    for remark in remarks:
        number += remark.said_by != last
        last = remark.said_by
        turns[remark.position] = number
    return turns


def _begin_of_noted(remark: Remark, talk: ThreadTalk) -> int:
    """In “What's your address?” – “Donna at …” – “Got it.” only the address is noted."""
    before = talk.before(remark) if talk.has(remark, "noted") else ()
    return before[0].place if before and not any(map(talk.asks, before)) else 0


def _answered(remark: Remark, talk: ThreadTalk) -> frozenset[str]:
    """“Do I plug the router in?” – “You don't need it.”"""
    return talk.matters(*(before for before in talk.before(remark) if talk.asks(before)))


def _other(speaker: Speaker) -> Speaker:
    return "agent" if speaker == "user" else "user"
