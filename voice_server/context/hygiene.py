"""Text from a conversation, made unable to act as structure or instruction (CONTEXT_STACK: hygiene).

It cannot open or close a section, reach the template engine or the platform's `{{variables}}`, pass for a
token of a model's chat template (`<|im_start|>`), hide characters or turn the reading direction; a line
break inside an item becomes a space.
"""

import re
import unicodedata

_SECTIONS = (
    "RELATIONSHIP", "LAST TIME", "TODAY SO FAR", "YESTERDAY", "OPEN THREADS", "INNER LIFE", "LONG-TERM MEMORY",
)  # fmt: skip
# Square brackets and what looks like them, around anything that reads like a marker.
_OPEN, _CLOSE = "[\\[［【〔⁅❲⟦〚]", "[\\]］】〕⁆❳⟧〛]"
_NO_BRACKET = "[^\\[［【〔⁅❲⟦〚\\]］】〕⁆❳⟧〛]"
_MARKER = re.compile(f"{_OPEN} ?([/\\\\∕⁄／]?) ?({_NO_BRACKET}+?) ?{_CLOSE}")
_HALF_MARKER = re.compile(
    f"{_OPEN}(?= ?[/\\\\∕⁄／]? ?(?:{'|'.join(_SECTIONS)})\\b(?!{_NO_BRACKET}*{_CLOSE}))", re.IGNORECASE
)
_ROUND = {**dict.fromkeys(map(ord, "[［【〔⁅❲⟦〚"), "("), **dict.fromkeys(map(ord, "]］】〕⁆❳⟧〛"), ")")}
_NESTED = 8  # brackets within brackets that are looked at one by one; nobody speaks deeper ones
_BRACES = re.compile(r"\{(?=[{%#])|(?<=[}%#])\}")
# What begins a token of a chat template: <|im_start|>, <｜User｜>, <<SYS>>, </s>, <start_of_turn>. ([INST] goes as
# any marker does; other tags mean nothing to a model.)
_TOKEN = re.compile(
    r"<(?= ?(?:[|｜<]|/ ?<"
    r"|/? ?(?:s|bos|eos|pad|unk|think|system|user|assistant|tool_\w+|function\w*|(?:start|end)_of_\w+) ?>))",
    re.IGNORECASE,
)
# Nothing below finds anything in it: most of what is said in English, in a tenth of the time.
_PLAIN = re.compile(r"(?! )[ !-;=-Z\\^-z|~]*(?<! )")
_SPACE = re.compile(r"[\s\x00-\x1f\x7f-\x9f]+")  # control characters too
# Zero-width characters, bidirectional controls, soft hyphen, tag characters, private use
# (private use is also where the slots of a cached prompt live).
_INVISIBLE = re.compile(
    "[\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180e\u200b-\u200f\u202a-\u202e\u2060-\u206f"
    "\u3164\ufeff\uffa0\ufff0-\ufffb\ue000-\uf8ff\U000e0000-\U000e0fff\U000f0000-\U0010ffff\ud800-\udfff]"
)

# What wants to be an instruction to a model, in the forms that are no everyday talk: one ignores an invoice, what
# was said about Tuesday, even a previous message; instructions, prompts and rules of one's own only a model has.
# Marks what is to be flagged; nobody is protected by it alone.
_OWN = r"(?:instruct\w+|prompts?|rules?|guidelines?|directives?|programming|guardrails?|restrictions?|safety \w+)"
_NEARBY = r"(?:\w+\W+){0,3}?"
_INJECTIONS = (
    # "ignore all previous instructions" and "disregard your rules", in the languages they are most often written in
    (
        rf"\b(?:ignor(?:e[sd]?|ing)|disregard\w*|forget|overrid\w+|bypass\w*)\W+{_NEARBY}"
        rf"(?:previous|prior|above|earlier|preceding|initial|original|system|your)\W+(?:\w+\W+){{0,2}}?{_OWN}\b"
    ),
    rf"\b(?:ignore|disregard|forget)\W+(?:all|any|every)\W+(?:of\W+)?(?:the\W+|these\W+|those\W+|other\W+)?{_OWN}\b",
    r"\b(?:ignore|disregard|forget)\W+(?:everything|all|anything)\W+(?:written\W+|said\W+)?above\b",
    (
        rf"\b(?:ignorier\w*|vergiss|vergessen sie|missachte\w*)\W+{_NEARBY}(?:\w*herigen|obigen|früheren|deine|ihre|alle)\W+"
        r"(?:\w+\W+)?(?:anweisung|instruktion|vorgabe|regel)(?:en|n)\b"
    ),
    (
        rf"\b(?:ignor\w+|oubli\w+|olvid\w+|esque[çc]\w+|dimentic\w+|negeer\w*|vergeet)\W+{_NEARBY}"
        r"(?:instructions|consignes|directives|instrucciones|indicaciones|istruzioni|instruções|(?:vorige|eerdere)\W+instructies)\b"
    ),
    r"\b(?:игнорир\w+|забуд\w+)\W+(?:\w+\W+){0,3}?(?:инструкци|указани)",
    r"(?:忽略|无视|無視|忘记).{0,8}(?:指令|指示|提示词|说明)|(?:指示|命令|プロンプト).{0,6}(?:無視|忘れて)",
    # to show the prompt, to be somebody else
    (
        r"\b(?:reveal|print|show|repeat|output|leak|tell|give|recite)\w*\W+(?:\w+\W+){0,3}?"
        r"(?:system\W+(?:prompt|message|instructions)|your\W+(?:\w+\W+)?(?:prompt|instructions))\b"
    ),
    (
        r"\byou are now (?:(?:an? )?(?:\w+ ){0,2}(?:ai|assistant|bot|chatbot|model|dan|jailbroken|unrestricted)"
        r"|in \w+ mode|no longer (?:bound|restricted|an? (?:ai|assistant)))\b"
    ),
    r"\bfrom now on,? you\W+(?:are an? |(?:must|will|shall) (?:only )?(?:obey|act as|ignore|respond as|answer as))",
    (
        r"\b(?:act as|pretend (?:to be|you are|you're)|roleplay as) (?:an? |the )?(?:\w+ ){0,2}"
        r"(?:ai|assistant|language model|chatbot|system|developer|administrator|dan|jailbr\w+)\b"
    ),
    r"\b(?:enter|enable|activate|into|in) (?:developer|jailbreak|dan|god|debug|admin) mode\b",
    r"\bnew (?:system )?instructions?\s*:|\b(?:begin|start|end) (?:of )?(?:the )?(?:system )?(?:prompt|instructions)\b",
    # role markers
    r"(?:^|\n)\W{0,4}(?:system|assistant|developer|user|human|ai)\W{0,3}:",
    r"[.!?]\W{1,3}(?:system|assistant) ?: |\#{2,} ?(?:system|assistant|instruction)",
    # calls of tools, tokens of chat templates, our own markers, template syntax
    r"< ?/? ?(?:invoke|function_\w+|tool_\w+|function\s*=)|\b(?:tool|function)_calls?\b",
    r'"role"\s*:\s*"(?:system|user|assistant|tool)"|"name"\s*:.{0,200}"(?:arguments|parameters)"\s*:',
    r"\[ ?[/\\]? ?(?:system|inst|instructions?) ?\]|\{\s?\{|\{\s?%",
)
_INJECTION = re.compile(
    "|".join(
        [*_INJECTIONS, f"{_OPEN} ?[/\\\\∕⁄／]? ?(?:{'|'.join(_SECTIONS)}) ?(?:{_CLOSE}|:|$)", _TOKEN.pattern]
    ),
    re.IGNORECASE,
)


def is_suspicious(text: str) -> bool:
    """Whether a text reads like an instruction to a model rather than like something said (CONTEXT_STACK:
    hygiene). To be asked before anything is kept as durable memory: what is flagged is never told."""
    plain = _INVISIBLE.sub("", unicodedata.normalize("NFKC", text))
    return _INJECTION.search(re.sub(r"[^\S\n]+", " ", plain)) is not None


def neutralise(text: str) -> str:
    """`text` on one line, with everything that could act on the prompt made harmless. Idempotent."""
    if _PLAIN.fullmatch(text) and "  " not in text:
        return text
    visible = _INVISIBLE.sub("", text)
    flat = _SPACE.sub(" ", visible).strip()
    return _apart(_unmarked(flat))


def _unmarked(text: str) -> str:
    """Until nothing changes: in `[[LAST TIME]]` the outer pair becomes a marker once the inner is none."""
    for _ in range(_NESTED):
        without = _HALF_MARKER.sub("(", _MARKER.sub(_unmark, text))
        if without == text:
            return text
        text = without
    return text.translate(_ROUND)


def _unmark(match: re.Match[str]) -> str:
    slash, name = match.groups()
    return f"({slash}{name})" if slash or _reads_like_marker(name) else match.group()


def _reads_like_marker(name: str) -> bool:
    """One of our section names, or anything in capitals: an imitation need not be exact to work."""
    plain = re.sub(r"[\W_]+", " ", unicodedata.normalize("NFKC", name)).strip()
    known = {re.sub(r"\W+", " ", section) for section in _SECTIONS}
    return plain.upper() in known or (len(plain) > 1 and plain == plain.upper() and plain != plain.lower())


def _apart(text: str) -> str:
    """`{{`, `{%`, `{#` and their ends pulled apart by a space; `<` of a token becomes a quotation mark."""
    return _TOKEN.sub("‹", _BRACES.sub(lambda brace: "{ " if brace.group() == "{" else " }", text))
