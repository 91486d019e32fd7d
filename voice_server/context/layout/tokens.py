"""How many tokens a text has: an exact BPE count (o200k), offline, its vocabulary inside the wheel."""

from functools import cache

from voice_server.context.layout.budget import Count

TOKENIZER = "o200k_base"


@cache
def counter() -> Count:
    """Load the token counter when it is first asked for: its vocabulary takes 0.1 s."""
    from splintr import Tokenizer  # noqa: PLC0415 (loaded where it is used: web processes rarely need it)

    tokenizer = Tokenizer.from_pretrained(TOKENIZER)
    return lambda text: len(tokenizer.encode_ordinary(text))
