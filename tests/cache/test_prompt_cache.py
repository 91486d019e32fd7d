"""The pre-call's look-up is spelled by hand, for speed: it must read as the three commands it stands for."""

from hypothesis import given
from hypothesis import strategies as st

from voice_server.cache.prompt_cache import look_up
from voice_server.cache.redis_endpoint import encode
from voice_server.domain.addresses.address import Address

_text = st.text(st.characters(exclude_categories=["Cs"]), min_size=1)


def _plain(agent: str) -> str:
    return agent.replace("%", "%25").replace(":", "%3A")


@given(_text, _text, _text, st.integers(1, 10**9), st.integers(1, 10**9))
def test_the_look_up_is_three_well_formed_commands(
    agent: str, who: str, call: str, binding: int, redial: int
) -> None:
    commands, replies = look_up(agent, Address(who), call, 17.25, binding, redial)

    get = encode(b"GET", f"voice:prompt:{_plain(agent)}:{who}".encode())
    bind = encode(b"SET", f"voice:call:{call}".encode(), f"{who}\0{agent}".encode(), b"EX", b"%d" % binding)
    key = f"voice:mark:{_plain(agent)}:{who}".encode()
    mark = encode(b"SET", key, b"17250 " + call.encode(), b"EX", b"%d" % redial, b"GET")
    assert (commands, replies) == (get + bind + mark, 3)


@given(_text, _text)
def test_a_call_without_id_binds_nothing_and_leaves_no_mark(agent: str, who: str) -> None:
    assert look_up(agent, Address(who), "", 17.25, 60, 60) == (
        encode(b"GET", f"voice:prompt:{_plain(agent)}:{who}".encode()),
        1,
    )


@given(_text, _text, _text, _text)
def test_no_two_callers_share_a_key(agent: str, who: str, other_agent: str, other: str) -> None:
    one, another = (
        look_up(*call, "", 17.25, 60, 60)[0]
        for call in ((agent, Address(f"tel:{who}")), (other_agent, Address(f"tel:{other}")))
    )

    assert (one == another) == ((agent, who) == (other_agent, other))
