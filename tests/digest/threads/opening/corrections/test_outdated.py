"""A promise that names a number or address the caller no longer has is told with what holds now."""

from collections.abc import Callable

import pytest

from voice_server.domain.digest import OpenThread

Opened = Callable[..., tuple[OpenThread, ...]]

RINGS = {
    "en": ("I'll ring you half an hour before, on the number ending in 72.",
           "no that number's old it ends in 48 now", "no that's not what i asked"),
    "de": ("Ich rufe Sie eine halbe Stunde vorher an, unter der 72.",
           "nee die nummer ist alt jetzt ist es die 48", "nee das hab ich nicht gefragt"),
    "es": ("Le llamo media hora antes al número que acaba en 72.",
           "no ese número es viejo ahora acaba en 48", "no eso no lo he preguntado"),
    "fr": ("Je vous appelle une demi-heure avant au numéro qui finit par 72.",
           "non ce numéro est vieux maintenant ça finit par 48", "non ce n'est pas ma question"),
    "it": ("La chiamo mezz'ora prima al numero che finisce con 72.",
           "no quel numero è vecchio adesso finisce con 48", "no non ho chiesto questo"),
    "pt": ("Ligo-lhe meia hora antes para o número que acaba em 72.",
           "não esse número é antigo agora acaba em 48", "não eu não perguntei isso"),
    "nl": ("Ik bel u een half uur van tevoren op het nummer dat eindigt op 72.",
           "nee dat nummer is oud het eindigt nu op 48", "nee dat vroeg ik niet"),
}  # fmt: skip


@pytest.mark.parametrize("language", RINGS)
def test_a_number_that_is_old_is_told_with_the_new_one(opened: Opened, language: str) -> None:
    promised, put_right, _ = RINGS[language]

    (one,) = opened(f"u: –\na: {promised}\nu: {put_right}\na: –", language)

    assert one.text == f'"{promised}" – "{put_right}"'
    assert (one.kind, one.said_by) == ("request", "user")


@pytest.mark.parametrize("language", RINGS)
def test_another_no_puts_nothing_right(opened: Opened, language: str) -> None:
    promised, _, other = RINGS[language]

    assert not [one for one in opened(f"u: –\na: {promised}\nu: {other}\na: –", language) if "–" in one.text]
