"""Closed lists of words, written as one text."""


def word_set(text: str) -> frozenset[str]:
    return frozenset(text.split())
