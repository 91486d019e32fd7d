"""Only bodies signed with one of our secrets, lately, are the platform's."""

import hmac
from hashlib import sha256

import pytest
from hypothesis import given
from hypothesis import strategies as st

from voice_server.webhooks.signature import Tolerance, Verdict, Verifier, sign, verify

BODY, SECRET, NOW = b'{"type":"post_call_transcription"}', "wsec_one", 1_794_911_400
HOUR = Tolerance(past=3600, future=300)
SIGNED = sign(BODY, SECRET, NOW)
HEX = SIGNED.partition("v0=")[2]


def checked(
    header: str, *, body: bytes = BODY, now: float = NOW, secrets: tuple[str, ...] = (SECRET,)
) -> bool:
    return verify(body, header, secrets, now, HOUR).valid


def test_the_signature_is_the_documented_one() -> None:
    expected = hmac.new(b"wsec_one", b"1794911400." + BODY, sha256).hexdigest()

    assert sign(BODY, SECRET, NOW) == f"t=1794911400,v0={expected}"


def test_what_the_platform_signed_is_valid() -> None:
    assert verify(BODY, SIGNED, [SECRET], NOW, HOUR) == Verdict(valid=True)


@pytest.mark.parametrize(
    ("late", "valid"), [(0, True), (3600, True), (3601, False), (-300, True), (-301, False)]
)
def test_the_time_is_checked_on_both_sides(late: int, *, valid: bool) -> None:
    assert checked(SIGNED, now=NOW + late) == valid


def test_another_secret_is_refused() -> None:
    assert not checked(SIGNED, secrets=("wsec_two",))
    assert not checked(SIGNED, secrets=())


def test_any_of_several_secrets_will_do() -> None:
    assert checked(SIGNED, secrets=("wsec_two", SECRET))


@pytest.mark.parametrize("others", ["v0=aa,v0={}", "v0={},v0=aa", "v0=aa,v0={},v1=bb,v0=cc"])
def test_any_of_several_signatures_will_do(others: str) -> None:
    assert checked(f"t={NOW},{others.format(HEX)}")


def test_spaces_after_a_comma_do_not_matter() -> None:
    assert checked(f" t={NOW} , v0={HEX} ")


@pytest.mark.parametrize(
    "header",
    [
        "", ",", "=", "t=", f"t={NOW}", f"v0={HEX}", f"t=abc,v0={HEX}", f"t=,v0={HEX}", f"t=-1,v0={HEX}",
        f"t={NOW}.0,v0={HEX}", f"t={NOW}{'0' * 20},v0={HEX}", f"t={NOW},v0=", f"t={NOW},v1={HEX}",
        f"t={NOW},t={NOW},v0={HEX}", f"t={NOW},t=0,v0={HEX}", f"t={NOW},v0={HEX.upper()}",
        f"t={NOW};v0={HEX}", f"t={NOW},v0={HEX}é", f"t={NOW},v0=\ud800", "t=١٧٩٤٩١١٤٠٠,v0=" + HEX, "\x00",
        f"{SIGNED},{SIGNED}",
    ],
)  # fmt: skip
def test_a_header_that_is_missing_or_malformed_is_refused(header: str) -> None:
    assert not checked(header)


def test_a_refusal_says_why() -> None:
    assert "missing or malformed" in verify(BODY, "", [SECRET], NOW, HOUR).reason
    assert "3601 s old" in verify(BODY, SIGNED, [SECRET], NOW + 3601, HOUR).reason
    assert "301 s ahead" in verify(BODY, SIGNED, [SECRET], NOW - 301, HOUR).reason
    assert "does not match" in verify(BODY, SIGNED, ["other"], NOW, HOUR).reason


def test_a_stale_header_is_refused_before_the_body_is_read() -> None:
    assert Verifier(SIGNED, [SECRET], NOW + 3601, HOUR).refusal
    assert not Verifier(SIGNED, [SECRET], NOW, HOUR).refusal


@given(st.binary(min_size=1, max_size=200), st.data())
def test_any_changed_byte_of_the_body_is_refused(body: bytes, data: st.DataObject) -> None:
    place, flip = data.draw(st.integers(0, len(body) - 1)), data.draw(st.integers(1, 255))
    changed = body[:place] + bytes([body[place] ^ flip]) + body[place + 1 :]

    assert checked(sign(body, SECRET, NOW), body=body)
    assert not checked(sign(body, SECRET, NOW), body=changed)


@given(st.integers(0, len(SIGNED) - 1), st.integers(1, 255))
def test_any_changed_byte_of_the_header_is_refused(place: int, flip: int) -> None:
    changed = SIGNED[:place] + chr(ord(SIGNED[place]) ^ flip) + SIGNED[place + 1 :]

    assert not checked(changed)


@given(st.text(max_size=80) | st.text("tv0=, 1aé", max_size=40))
def test_no_header_can_raise_or_pass(header: str) -> None:
    assert not checked(header)


@given(st.lists(st.binary(max_size=50), max_size=6), st.sampled_from([SECRET, "other"]))
def test_a_body_in_pieces_gets_the_same_verdict(pieces: list[bytes], secret: str) -> None:
    header = sign(b"".join(pieces), SECRET, NOW)
    verifier = Verifier(header, [secret], NOW, HOUR)

    for piece in pieces:
        verifier.update(piece)

    assert verifier.verdict() == verify(b"".join(pieces), header, [secret], NOW, HOUR)
