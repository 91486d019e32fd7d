"""Somebody's own words, as text.

    "I live in Hamburg now."                          said
    "Do you have any allergies?" – "Penicillin."      answered: the question is the other party's

Who says them is known beside it. Prose, as a model or a person writes it, begins with no quotation mark.
"""

MARK = '"'
_INNER = str.maketrans(dict.fromkeys('"“”„‟«»＂″', "'"))


def written(text: str, question: str = "") -> str:
    """A quotation as text."""
    said = f"{MARK}{text.translate(_INNER)}{MARK}"
    return f"{MARK}{question.translate(_INNER)}{MARK} – {said}" if question else said


def answer(text: str) -> str:
    """A quotation without the question it answers; any other text as it is."""
    question, _, said = text.rpartition(f"{MARK} – {MARK}")
    return f"{MARK}{said}" if question else text


def is_quote(text: str) -> bool:
    """Whether a text is somebody's own words."""
    return text.startswith(MARK)
