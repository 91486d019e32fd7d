"""Scores as they are shown."""


def score(value: float) -> float:
    """Return 0 to 1: what says all words of a query once has 0.8."""
    return 1 - float(0.2 ** max(value, 0.0))


def lessened(shown: float, share: float) -> float:
    """Return the score of what is worth a share of what has this score."""
    return 1 - float((1 - shown) ** share)
