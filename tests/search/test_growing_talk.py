"""Talk that grows: in several languages, and in a chat that never ends."""

from datetime import UTC, datetime, timedelta

from pretend.talk import Talk

from voice_server.search.passages import LONGEST

NINE = datetime(2026, 11, 10, 9, tzinfo=UTC)
CHAT = (
    "user: My boiler broke last night.",
    "agent: Oh dear. Who repairs it?",
    "user: Priya, a young plumber.",
    "agent: What do you call your dog?",
    "user: Biscuit.",
    "agent: Lovely.",
)


async def say(talk: Talk, conversation: int, position: int, line: str, at: datetime) -> None:
    role, _, text = line.partition(": ")
    await talk.query(
        "insert into messages (conversation_id, position, role, content, said_at)"
        " values (:id, :position, :role, :text, :at)",
        id=conversation,
        position=position,
        role=role,
        text=text,
        at=at,
    )


async def begin(talk: Talk) -> int:
    """The first message of the chat, indexed."""
    conversation = await talk.call(f"{NINE:%Y-%m-%d %H:%M}", CHAT[0], language="en")
    await talk.query("update conversations set channel = 'continuous'")
    await talk.index()
    return conversation


async def go_on(talk: Talk, conversation: int, *, pause: timedelta = timedelta(minutes=1)) -> None:
    """The rest of the chat, indexed after each message."""
    for position, line in enumerate(CHAT[1:], start=1):
        await say(talk, conversation, position, line, NINE + position * pause)
        await talk.index()


async def sizes(talk: Talk) -> list[int]:
    return [size for (size,) in await talk.query("select size from search_passages order by base")]


async def test_both_languages_of_a_user_are_searched(talk: Talk) -> None:
    await talk.call(
        "2026-11-10 09:00",
        "user: Wir haben zwei alte Häuser in Köln gesehen.",
        "user: Ich singe im Chor.",
        language="de",
    )
    await talk.call(
        "2026-11-11 09:00", "user: I flew to Lisbon with my sister.", "user: It rained.", language="en"
    )
    await talk.index()

    assert (await talk.found("ein Haus in Koeln oder Köln"))[
        0
    ] == "Wir haben zwei alte Häuser in Köln gesehen."
    assert (await talk.found("flying with sisters"))[0] == "I flew to Lisbon with my sister."
    assert set(await talk.found("Chor und sister")) >= {
        "Ich singe im Chor.",
        "I flew to Lisbon with my sister.",
    }


async def test_who_writes_in_a_third_script_finds_that_too(talk: Talk) -> None:
    await talk.call("2026-11-10 09:00", "user: I like tea.", language="en")
    await talk.call("2026-11-11 09:00", "user: 我昨天去了北京的博物馆。", language="zh")
    await talk.call("2026-11-12 09:00", "user: Я люблю старые книги.", language="ru")
    await talk.index()

    assert await talk.found("博物馆") == ["我昨天去了北京的博物馆。"]
    assert await talk.found("книга") == ["Я люблю старые книги."]
    assert await talk.found("teas") == ["I like tea."]


async def test_every_message_of_a_chat_is_found_as_soon_as_it_is_indexed(talk: Talk) -> None:
    conversation = await begin(talk)
    for position, line in enumerate(CHAT[1:], start=1):
        text = line.partition(": ")[2]
        await say(talk, conversation, position, line, NINE + timedelta(minutes=position))
        await talk.index()

        assert text in await talk.found(text)


async def test_indexed_little_by_little_a_chat_is_found_like_one_indexed_at_once(talk: Talk) -> None:
    await go_on(talk, await begin(talk))
    little_by_little = await talk.search("name you call the dog", limit=10)
    kept = await talk.query(
        "select base, size, starts_at, positions, seconds, lengths, kinds from search_passages"
    )
    await talk.query("delete from search_timelines")
    await talk.index()

    assert "Biscuit." in [hit.snippet for hit in little_by_little]
    assert await talk.search("name you call the dog", limit=10) == little_by_little
    assert (
        await talk.query(
            "select base, size, starts_at, positions, seconds, lengths, kinds from search_passages"
        )
        == kept
    )


async def test_after_a_pause_a_chat_goes_on_in_another_passage(talk: Talk) -> None:
    await go_on(talk, await begin(talk), pause=timedelta(hours=3))

    assert await sizes(talk) == [1] * len(CHAT)


async def test_where_another_conversation_came_between_a_chat_goes_on_in_another_passage(talk: Talk) -> None:
    conversation = await begin(talk)
    await talk.call("2026-11-10 09:00:30", "user: I called about the ferry.")
    await talk.index()

    await go_on(talk, conversation)

    assert await sizes(talk) == [1, 1, len(CHAT) - 1]
    assert await talk.found("ferry") == ["I called about the ferry."]
    assert "Biscuit." in await talk.found("name of the dog")


async def test_a_chat_and_a_call_indexed_together_keep_their_numbers_apart(talk: Talk) -> None:
    conversation = await begin(talk)
    await talk.call("2026-11-09 09:00", "user: I called about the ferry.")  # it began before the chat
    await say(talk, conversation, 1, "agent: The boiler again?", NINE + timedelta(minutes=1))
    await talk.index()

    assert await sizes(talk) == [2, 1]
    assert await talk.found("ferry") == ["I called about the ferry."]
    assert set(await talk.found("boiler")) == {"My boiler broke last night.", "The boiler again?"}


async def test_a_passage_of_a_chat_does_not_grow_for_ever(talk: Talk) -> None:
    conversation = await begin(talk)
    for position in range(1, 2 * LONGEST):
        await say(talk, conversation, position, f"user: Line {position}.", NINE + timedelta(minutes=position))
        if position % 3 == 0:
            await talk.index()
    await talk.index()

    assert max(await sizes(talk)) <= LONGEST
    assert sum(await sizes(talk)) == 2 * LONGEST
    assert (await talk.found("line 70"))[0] == "Line 70."


async def test_what_is_taken_back_in_a_chat_is_forgotten_and_the_rest_stays(talk: Talk) -> None:
    conversation = await begin(talk)
    await go_on(talk, conversation)
    later = NINE + timedelta(minutes=20)
    await say(talk, conversation, 6, "user: My card has the number 7139.", later)
    await talk.index()

    await say(talk, conversation, 7, "user: Please don't remember that.", later)
    await talk.index()

    assert await talk.query("select 1 from search_words where lexeme in ('7139', 'card')") == []
    assert "Biscuit." in await talk.found("name of the dog")
