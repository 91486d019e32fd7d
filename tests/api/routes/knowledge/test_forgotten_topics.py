"""What callers asked to have forgotten, over the API: listed, and told again once it is cleared."""

from api.conftest import Host, refused
from pretend.elevenlabs import ADA

THERAPIST = "user: My therapist is Doctor Vance."
WISH = "user: Please forget what I said about my therapist."


async def forgetful(host: Host) -> str:
    """The id of Ada, who wants her therapist forgotten."""
    await host.call("conv_1", "agent: Hello!", THERAPIST)
    return await host.call("conv_2", "agent: Hello!", WISH)


async def test_a_forgotten_topic_is_listed_with_the_conversation_that_asked(host: Host) -> None:
    user_id = await forgetful(host)

    [topic] = host.get(f"/users/{user_id}/forgotten-topics")["items"]

    asked = host.get(f"/conversations/{topic['conversation_id']}")["conversation"]
    assert asked["platform_id"] == "conv_2"
    assert topic["asked_at"] == asked["started_at"]
    assert topic["words"]
    assert "therapist" not in str(topic)


async def test_what_was_said_of_a_cleared_topic_is_told_again(host: Host) -> None:
    user_id = await forgetful(host)
    assert "Vance" not in host.house.platform.told(ADA)
    [topic] = host.get(f"/users/{user_id}/forgotten-topics")["items"]

    assert host.send("DELETE", f"/users/{user_id}/forgotten-topics/{topic['id']}").status_code == 204

    await host.house.work()
    assert "Vance" in host.house.platform.told(ADA)
    assert host.get(f"/users/{user_id}/forgotten-topics")["items"] == []


async def test_a_cleared_topic_stays_cleared_when_the_conversation_that_asked_is_erased(host: Host) -> None:
    user_id = await forgetful(host)
    [topic] = host.get(f"/users/{user_id}/forgotten-topics")["items"]
    host.send("DELETE", f"/users/{user_id}/forgotten-topics/{topic['id']}")

    host.send("DELETE", f"/conversations/{topic['conversation_id']}")
    await host.house.work()

    assert host.get(f"/users/{user_id}/forgotten-topics")["items"] == []
    assert "Vance" in host.house.platform.told(ADA)


async def test_a_topic_outlives_the_conversation_that_asked(host: Host) -> None:
    user_id = await forgetful(host)
    [before] = host.get(f"/users/{user_id}/forgotten-topics")["items"]

    host.send("DELETE", f"/conversations/{before['conversation_id']}")
    await host.house.work()

    [after] = host.get(f"/users/{user_id}/forgotten-topics")["items"]
    assert after == {**before, "conversation_id": None}
    assert host.send("DELETE", f"/users/{user_id}/forgotten-topics/{after['id']}").status_code == 204


async def test_a_topic_that_nobody_has_cannot_be_cleared(host: Host) -> None:
    user_id = await forgetful(host)

    assert "no forgotten topic" in refused(
        host.send("DELETE", f"/users/{user_id}/forgotten-topics/nothing"), 404
    )


async def test_what_was_said_in_the_same_breath_is_told_no_more_though_it_has_not_the_word(
    host: Host,
) -> None:
    await host.call("conv_1", "agent: Hello!", "user: I was in Leeds last year. They locked me up for arson.")
    await host.call(
        "conv_2", "agent: Hello!", "user: That about Leeds I told you last time. Delete that, please."
    )

    told = host.house.platform.told(ADA)

    assert "Leeds" not in told
    assert "arson" not in told


async def test_who_calls_is_known_though_their_first_turn_is_withheld(host: Host) -> None:
    await host.call(
        "conv_1",
        "agent: Hello!",
        "user: Hi, this is Rosalind Achebe. I was in prison.",
        "agent: Oh.",
        "user: Forget what I just said.",
        "agent: Yes.",
        "user: I need two lamps.",
    )

    told = host.house.platform.told(ADA)

    assert "prison" not in told
    assert "Rosalind" in told


async def test_what_was_confided_is_told_no_more_though_the_wish_has_none_of_its_words(host: Host) -> None:
    await host.call(
        "conv_1",
        "agent: Hello!",
        "user: Rosalind here.",
        "agent: Yes?",
        "user: I have blown eleven grand on the roulette since Christmas, all on the cards.",
        "agent: Oh.",
        "user: I go fishing in Hull.",
    )
    await host.call(
        "conv_2",
        "agent: Hello!",
        "user: All that about the money last time, can you bin it?",
        "agent: It's binned.",
    )

    told = host.house.platform.told(ADA)

    assert "roulette" not in told
    assert "fishing in Hull" in told
