"""What the agent tells the user to do on a day, which is no time that it proposes."""

from voice_server.digest.threads.speech.talk import Remark, ThreadTalk


def tells_what_to_do(talk: ThreadTalk, remark: Remark) -> bool:
    """“Bring it on Monday.”, not “Do you bring it on Monday?”, nor “Bring it on Monday or Tuesday.”"""
    if remark.said_by == "user" or remark.text.rstrip().endswith("?") or not talk.has(remark, "told_to"):
        return False
    return len(talk.phrases.weekdays(remark.plain)) <= 1
