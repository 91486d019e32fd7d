"""What the user was to bring or send in, where they say how they left it: “I'll bring the certificate on
Saturday.” … “I popped the certificate through your letterbox yesterday.”"""

from collections.abc import Iterator, Sequence

from voice_server.digest.threads.closing.earlier import ThreadWords
from voice_server.digest.threads.speech.quoting import ANSWERED
from voice_server.digest.threads.speech.references import about_asked
from voice_server.digest.threads.speech.talk import ThreadTalk
from voice_server.domain.digest import EarlierThread


def handed_in(threads: Sequence[ThreadWords], talk: ThreadTalk) -> Iterator[ThreadWords]:
    """Yield what is named, or asked for just before."""
    owed = [one for one in threads if _is_users(one.thread)]
    said = [one for one in talk.remarks if owed and one.said_by == "user" and talk.has(one, "handed_in")]
    for remark in said:
        if not (talk.asks(remark) or talk.is_conditional(remark)):
            about = about_asked(remark, talk)
            yield from (one for one in owed if about & one.own)


def _is_users(thread: EarlierThread) -> bool:
    is_own = thread.said_by == "user" and thread.kind in ("promise", "plan") and ANSWERED not in thread.text
    return is_own or (thread.kind, thread.said_by) in (("promise", "user"), ("request", "agent"))
