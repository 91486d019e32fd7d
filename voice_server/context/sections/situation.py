"""The local time, when the last contact was, a redial: filled when served."""

from voice_server.context.layout import formatting, slots
from voice_server.context.layout.budget import Content, Section
from voice_server.context.layout.prompt_input import PromptInput

NAME = "situation"


def section(given: PromptInput) -> Section:
    """Never cut. Its variants: an ordinary call, and a redial."""
    last, memory = given.memory.last_contact, given.memory

    def render(redial: int, _content: Content) -> str:
        return given.templates.render(
            NAME,
            {
                "time": slots.TIME,
                "date": slots.DATE,
                "part_of_day": slots.PART_OF_DAY,
                "since_last": slots.SINCE_LAST if last else "",
                "last_date": formatting.long_date(given.local_day(last)) if last else "",
                "conversations": memory.conversations,
                "known": given.known,
                "name": memory.user_name,
                "nickname": memory.user_nickname,
                "redial": bool(redial),
            },
        )

    return Section(NAME, render, (Content(), Content()), until=(0, 1))
