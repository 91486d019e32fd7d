"""One sentence with all that telling it takes: who says it to whom, on which local day, and after what."""

from collections.abc import Iterator, Sequence
from datetime import date, tzinfo

from msgspec import Struct

from voice_server.digest.dates import upcoming, with_dates
from voice_server.digest.sentences import Sentence
from voice_server.digest.third_person import tell
from voice_server.domain.digest import Speaker

_JUST_BEFORE = 2  # messages: one's own last turn


class Parties(Struct, frozen=True):
    """How to name the user and the agent; "you" is whoever reads the digest."""

    user: str
    agent: str

    def speaker_and_listener(self, sentence: Sentence) -> tuple[str, str]:
        return (self.user, self.agent) if sentence.said_by == "user" else (self.agent, self.user)


class Utterance(Struct, frozen=True):
    """A sentence, ready to be told.

    `dated` is its text with absolute dates behind the relative ones, `due` the first day named that is still to
    come, `before` the statement before it in the same message, `topic` that or the end of the party's last turn.
    """

    sentence: Sentence
    speaker: str
    listener: str
    said_on: date
    dated: str
    due: date | None
    before: str
    topic: str


def utterances(sentences: Sequence[Sentence], parties: Parties, timezone: tzinfo) -> Iterator[Utterance]:
    """The sentences of a conversation as utterances on the user's local days, in order."""
    stated: dict[Speaker, Utterance] = {}
    for sentence in sentences:
        utterance = _utterance(sentence, parties, timezone, stated.get(sentence.said_by))
        yield utterance
        if sentence.mood == "statement":
            stated[sentence.said_by] = utterance


def told(utterance: Utterance) -> str:
    """The utterance as it stands in a digest, with absolute dates."""
    return tell(utterance.dated, utterance.speaker, utterance.listener)


def _utterance(sentence: Sentence, parties: Parties, timezone: tzinfo, last: Utterance | None) -> Utterance:
    said_on = sentence.said_at.astimezone(timezone).date()
    distance = sentence.position - last.sentence.position if last else _JUST_BEFORE + 1
    last_said = last.dated if last else ""
    return Utterance(
        sentence,
        *parties.speaker_and_listener(sentence),
        said_on=said_on,
        dated=with_dates(sentence.text, said_on),
        due=upcoming(sentence.text, said_on),
        before=last_said if distance == 0 else "",
        topic=last_said if distance <= _JUST_BEFORE else "",
    )
