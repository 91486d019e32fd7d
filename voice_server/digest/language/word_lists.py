"""Closed lists of words, written as they are read: one text, words apart."""


def word_set(text: str) -> frozenset[str]:
    return frozenset(text.split())
