"""A name that somebody wrote: into a form, a platform's variable, a model's answer."""

import re

from voice_server.context.screening.hygiene import is_instruction, neutralise
from voice_server.digest.person_names.reading import LONGEST

_NAME = re.compile(r"[^\W\d_][^\W\d_'’ .\-]*(?:[ '’.\-]+[^\W\d_]+)*\.?")
_NOBODY = re.compile(
    r"(?:the )?(?:caller|user|customer|client|name|anonymous|unknown|none|null|nil|nan|true|false|undefined"
    r"|nobody|no name|(?:not|none|no) (?:\w+ ?)+|unbekannt|keine(?:r|s)?(?: angabe)?|nicht (?:\w+ ?)+"
    r"|desconocid[oa]|ningun[oa]|no (?:\w+ ?)+|inconnue?|aucune?|non (?:\w+ ?)+|sconosciut[oa]|nessun[oa]?"
    r"|desconhecid[oa]|nenhuma?|não (?:\w+ ?)+|onbekend|geen|niet (?:\w+ ?)+"
    r"|n\.?a\.?|mr|mrs|ms|sir|madam|test)\.?",
    re.IGNORECASE,
)


def as_name(written: object) -> str:
    """Return a name of at most 60 characters; `""` for what is none (“unknown”, “n/a”, 7)."""
    if not isinstance(written, str) or len(written) > 4 * LONGEST:
        return ""
    name = " ".join(neutralise(written).replace("’", "'").split())
    if len(name) > LONGEST or not _NAME.fullmatch(name) or _NOBODY.fullmatch(name) or is_instruction(name):
        return ""
    return name
