"""English verbs as they are met in talk: enough grammar to tell what was said in another person.

A closed list on purpose. A verb that is not on it is one we are not certain of, and whoever asks falls back
to a form that needs no conjugation.
"""

import re

from voice_server.digest.irregular_verbs import IRREGULAR, PASTS
from voice_server.digest.word_lists import word_set

MODALS = word_set("""can can't cannot could couldn't will won't would wouldn't should shouldn't must mustn't may might shall
    'll 'd""")

_REGULAR = word_set("""accept add admire admit adopt advise agree aim allow announce answer apologize apply appreciate approach
    argue arrange arrive ask assume attend avoid bake base believe belong bike book borrow bother brush call camp
    cancel care carry catch cause celebrate challenge change chat check cherish choose clean climb collect come
    communicate compete complain complete concentrate connect consider contact continue cook count cover crave
    create dance deal decide decorate dedicate deliver depend describe deserve design develop disagree discover
    discuss dislike donate doubt dream drink drive earn email embrace enjoy exercise expect experience explain
    explore express fail feature figure file fill finish fish fix focus follow forward garden gather glance
    guess guide handle happen hate hear help hike hope identify imagine improve include inspire intend invest
    invite involve join journal joke jump kick knit laugh launch learn lift like listen live look love maintain
    manage marvel matter meditate mention mind miss motivate move need notice observe offer open order organize
    outline own pack paint participate pass perform persevere phone pick plan plant play post practice practise
    pray prefer prepare present pretend prevent produce promise promote protect provide pull push raise reach
    realize receive recall recharge recommend record recover refer reflect regret rehearse relate relax rely
    remain remember remind remove rent repeat reply rescue rest return review reward roast sail save seem search
    serve share shop show sign skip smile snap sound speak start stay stick stop strive struggle study suffer
    suggest support suppose surf suspect swear swim talk taste teach tend text thank throw train travel treasure
    treat trust try turn understand update use value view visit volunteer wait walk wander want warm wash watch
    wear welcome wish wonder work worry write yearn""")
_SAME_IN_THE_PAST = word_set("cost cut hit hurt let put quit read set shut split spread upset")
BASES = _REGULAR | frozenset(IRREGULAR) - {"be"}
_PAST_AUXILIARIES = word_set("did didn't had hadn't was wasn't were weren't")
_THIRD_PERSON = word_set("is isn't are aren't has hasn't does doesn't goes")
_CONTRACTED_BE = ("'s", "'re", "'m", "'ve", "'ll", "'d")
_PRESENT = {
    "am": "is",
    "be": "is",
    "have": "has",
    "haven't": "hasn't",
    "do": "does",
    "don't": "doesn't",
    "go": "goes",
}
_NO_PAST = word_set("bed need feed speed breed exceed proceed succeed seed weed hundred red wed indeed")
_NO_ADVERB = word_set(
    "fly apply rely reply supply imply comply multiply family july italy only lovely lonely friendly"
)
_ADVERBS = word_set("""actually all almost also already always both even ever finally hardly just kinda mostly never not now
    often only quite rather really seldom simply sometimes soon still then though too""")
_SHORTEST_STEM = 4  # "red" and "ply" are no inflected forms
_S_ENDING = re.compile(r"(?:s|x|z|ch|sh|o)$")
_CONSONANT_Y = re.compile(r"[^aeiou]y$")


def is_adverb(word: str) -> bool:
    """Whether a lower-case word may stand between a subject and its verb ("I *really* like …")."""
    return word in _ADVERBS or (len(word) > _SHORTEST_STEM and word.endswith("ly") and word not in _NO_ADVERB)


def is_past(word: str) -> bool:
    """Whether a lower-case word is surely a past form or participle, the same for every person."""
    if word in PASTS or word in _PAST_AUXILIARIES:
        return True
    return word.endswith("ed") and len(word) > _SHORTEST_STEM and word not in _NO_PAST and word not in BASES


def is_finite(word: str) -> bool:
    """Whether a lower-case word can be the verb of a clause."""
    if word in MODALS or word in BASES or word in _SAME_IN_THE_PAST or word in _PRESENT or is_past(word):
        return True
    return word in _THIRD_PERSON or word.endswith(_CONTRACTED_BE) or _is_s_form(word)


def _is_s_form(word: str) -> bool:
    return word.endswith("s") and (word[:-1] in BASES or word[:-2] in BASES or f"{word[:-3]}y" in BASES)


def third_person_singular(word: str) -> str | None:
    """The form a lower-case verb takes after "she": None when we are not certain of the verb."""
    if word in MODALS or word in _SAME_IN_THE_PAST or is_past(word):
        return word
    if word in _PRESENT:
        return _PRESENT[word]
    if word not in BASES:
        return None
    if _CONSONANT_Y.search(word):
        return f"{word[:-1]}ies"
    return f"{word}es" if _S_ENDING.search(word) else f"{word}s"
