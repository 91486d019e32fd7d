"""Text in disguise: letters that look like others, stand apart, or are in a code. Each reading is a guess at
what it says; a guess that says nothing does no harm."""

import base64
import binascii
import codecs
import html
import re
import unicodedata
from collections.abc import Callable, Iterator
from functools import partial
from urllib.parse import unquote

# Letters that look like Latin ones, in lower case: Cyrillic, Greek, Armenian, Cherokee, small capitals and
# others.
_LOOKS_LIKE = {
    "a": "аɑαᴀａ∂λӑ", "b": "ƅьвʙβḃ", "c": "сϲᴄⅽ¢", "d": "ԁɗᴅⅾđ", "e": "еєεҽᴇ℮ёɛзə", "f": "ғƒꜰſϝ", "g": "ɡցɢģ",
    "h": "һհʜнђ", "i": "іιıɪїǀ׀ӏί", "j": "јϳᴊʝ", "k": "кκᴋķ", "l": "ⅼʟłŀ", "m": "мᴍⅿ", "n": "ոηпɴи",
    "o": "оοօᴏσөøό", "p": "рρᴘþ", "q": "ԛզϙ", "r": "гᴦʀя", "s": "ѕꜱʂ", "t": "тτᴛŧ", "u": "υսᴜцμµ",
    "v": "ѵνᴠⅴ", "w": "ԝωᴡшѡ", "x": "хχⅹ×", "y": "уүʏγў", "z": "ᴢƶʐ",
}  # fmt: skip
_LATIN = {ord(other): letter for letter, others in _LOOKS_LIKE.items() for other in others}
_DIGITS = str.maketrans("0134578@$!|", "oieastbasil")
_LEET = re.compile(r"[a-z][013457@$!|]+[a-z]|\b[013457@$]+[a-z]{2}")
_SIGN = re.compile(r"[013457@$!|]")  # for a letter
_TWO_APART = re.compile(r"[\W_][^\W\d_][\W_]{1,4}[^\W\d_][\W_]")  # seldom where others do not
_APART = re.compile(r"(?:(?<![^\W_])[^\W\d_](?![^\W_])[\W_]{1,4}){4,}[^\W\d_](?![^\W_])")
_ROW = re.compile(r"[A-Za-z0-9+/_-]{16,}={0,2}")
_HEX = re.compile(r"(?:\b|\\x|0x)(?:[0-9a-fA-F]{2}(?:[\s:,]|\\x|0x)?){10,}")
_LIKE_HEX = re.compile(r"[0-9a-fA-F][0-9a-fA-F\s:,x\\]{19}")
_BETWEEN_HEX = re.compile(r"\\x|0x|[\s:,]")
_ESCAPED = re.compile(r"(?:%[0-9a-fA-F]{2}|&#x?[0-9a-fA-F]+;|&\w+;|\\u[0-9a-fA-F]{4})")
# Ordinary words, which most talk is made of, and numbers before them: nothing here finds anything in them but
# what is rotated or reversed.
_GAP = r"[^\w\x80-\U0010ffff@$|%&\\/+=]"
_WORD = r"(?:[A-Za-z]{2,15}|[AaIiSsTtMmDd])"
_PLAIN = re.compile(
    rf"(?:[A-Za-z]{{2,15}}|[AaIi])?(?:{_GAP}+(?:\d{{1,4}}{_GAP}+(?=[A-Za-z]{{3}}))?{_WORD})*(?:{_GAP}+\d{{1,4}})?{_GAP}*"
)
_LONGEST = 6000  # characters that are looked at
_MOST = 24  # readings
_TELLING = ("ignore", "disregard", "instruction", "prompt", "reveal", "forget")
_TURNED = (*(codecs.encode(word, "rot13") for word in _TELLING), *(word[::-1] for word in _TELLING))


def readings(text: str) -> Iterator[str]:
    """Yield what a text may say besides, in any case of letters. `text` is NFKC, without what is
    invisible."""
    known = {text}
    found = [text[:_LONGEST]]
    for reading in found:  # grows meanwhile: one disguise may hide another
        for other in _undisguised(reading):
            if other not in known and len(known) < _MOST:
                known.add(other)
                found.append(other)
                yield other


def _undisguised(text: str) -> Iterator[str]:
    if not _PLAIN.fullmatch(text) or _hides_words(text.lower()):
        for undo in _WAYS:
            yield from undo(text)


def _hides_words(low: str) -> bool:
    return any(map(low.__contains__, _TURNED))  # a generator would be most of what it costs


def _latin(text: str) -> Iterator[str]:
    if not text.isascii():
        bare = "".join(c for c in unicodedata.normalize("NFKD", text.lower()) if not unicodedata.combining(c))
        latin = bare.translate(_LATIN)
        if latin != text:
            yield latin


def _letters(text: str) -> Iterator[str]:
    low = text.lower()
    if any(_is_leet(low, sign.start()) for sign in _SIGN.finditer(low)):
        yield low.translate(_DIGITS)


def _is_leet(low: str, place: int) -> bool:
    return _LEET.match(low, max(place - 1, 0)) is not None or _LEET.match(low, place) is not None


def _underscores(text: str) -> Iterator[str]:
    if "_" in text:
        yield text.replace("_", " ")


def _together(text: str) -> Iterator[str]:
    """Join letters that stand apart; where nothing parts the words, into words that matter here."""
    if _TWO_APART.search(text) and _APART.search(text):
        yield _APART.sub(_closed, text)


def _closed(run: re.Match[str]) -> str:
    words = re.split(r"\s{2,}|\s*[/|]\s*", run.group())
    closed = [re.sub(r"[\W_]+", "", word) for word in words]
    return " ".join(closed) if len(closed) > 1 else _parted(closed[0].lower())


_WORDS = re.compile(
    r"ignore|disregard|forget|override|bypass|reveal|show|print|repeat|tell|give|all|your|the|previous|prior|above|earlier"
    r"|system|instructions?|prompts?|rules?|guidelines?|you|must|always|never|are|now|is|to|new|me|of|from|on|and|other|callers?"
    r"|users?|numbers?|phone|passwords?|admin|access|every|any"
)


def _parted(letters: str) -> str:
    return " ".join(_WORDS.sub(lambda word: f" {word.group()} ", letters).split())


def _unescaped(text: str) -> Iterator[str]:
    if _ESCAPED.search(text):
        plain = html.unescape(
            unquote(re.sub(r"\\u([0-9a-fA-F]{4})", lambda code: chr(int(code[1], 16)), text))
        )
        if plain != text:
            yield plain


def _decoded(text: str) -> Iterator[str]:
    for row in _ROW.findall(text):
        digits = row.rstrip("=").translate(_URL_SAFE)
        yield from _readable(partial(base64.b64decode, digits + "=" * (-len(digits) % 4)))
        yield from _readable(partial(base64.b32decode, digits + "=" * (-len(digits) % 8)))
    for run in _HEX.findall(text) if _LIKE_HEX.search(text) else ():
        yield from _readable(partial(bytes.fromhex, _BETWEEN_HEX.sub("", run)))


_URL_SAFE = str.maketrans("-_", "+/")


def _readable(decode: Callable[[], bytes]) -> Iterator[str]:
    try:
        plain = decode().decode()
    except (ValueError, binascii.Error):
        return
    if plain.isprintable() or "\n" in plain:
        yield plain


def _turned(text: str) -> Iterator[str]:
    if _hides_words(text.lower()):
        yield codecs.encode(text, "rot13")
        yield text[::-1]


_WAYS: tuple[Callable[[str], Iterator[str]], ...] = (
    _latin, _letters, _underscores, _together, _unescaped, _decoded, _turned,
)  # fmt: skip
