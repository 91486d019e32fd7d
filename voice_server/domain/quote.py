"""Somebody's own words, as text.

    "I live in Hamburg now."                          said
    "Do you have any allergies?" – "Penicillin."      answered: the question is the other party's

Who says them is known beside it. Prose of a model or a person begins with no quotation mark.
"""

MARK = '"'
_INNER = str.maketrans(dict.fromkeys('"“”„‟«»＂″', "'"))


def written(text: str, question: str = "") -> str:
    said = f"{MARK}{text.translate(_INNER)}{MARK}"
    return f"{MARK}{question.translate(_INNER)}{MARK} – {said}" if question else said


def answer(text: str) -> str:
    question, _, said = text.rpartition(f"{MARK} – {MARK}")
    return f"{MARK}{said}" if question else text


def is_quote(text: str) -> bool:
    return text.startswith(MARK)
