"""How people ask for something not to be remembered: the phrases, in the languages understood. `consent` decides what they
mean for a conversation.
"""

import re
from collections.abc import Iterator
from functools import cached_property

from voice_server.digest.word_lists import word_set

# Withheld is what is asked of the agent (at the beginning of a sentence, with please, "can you", "I want you to") and
# speaks of memory or of what was said. "I don't remember this" is told of oneself; "remove that from my basket" has
# another object; "scratch that" and a bare "delete that" correct what was said, and the correction is to be known.
_ASKED = (
    r"(?:(?:^|[.!?;:…—–]\s*)(?:(?:and|but|so|oh|ok|okay|well|no|actually|sorry|also|now|then)[\s,]+)*|,\s*"
    r"|\b(?:please|kindly|let's)\s+|\b(?:you (?:can|should|must)|(?:can|could|would|will) you(?: please)?"
    r"|I(?:'d| would)?(?: really)? (?:want|like|need|prefer|ask) you(?: to)?)\s+)"
)
_GOING_ON = r"(?:,\s*and\s+|,?\s+(?:but|so)\s+)"  # "I am ill but don't write that down"
_NOT = r"(?:don't|do not|never|not(?: to)?)"
_NOTE = r"(?:record|save|store|note(?: down)?|write down|memori[sz]e|log)"
_KEPT = r"(?:remembered|recorded|saved|stored|kept|noted|written down|memori[sz]ed|logged)"
_MEMORY = r"(?:notes?|memory|memories|records?|files?|logs?|profile|history|transcript|database)"
_YOURS = rf"(?:your|the|my)(?: own)? {_MEMORY}\b"
_SAID = r"I(?:'ve| have)?(?: just| ever)? (?:said|told|mentioned|say|tell)"
# What may follow "don't save this": not "file", not "in the fridge".
_END = (
    r"(?=\s*(?:$|[.!?,;:…—–)]|(?:please|anywhere|either|at all|ok|okay|then|down|because|since|and|but|or|if|about me"
    rf"|of (?:this|that|our|what)|from (?:this|our)|(?:in|into|to) {_YOURS}|on (?:file|record)|(?:that )?{_SAID})\b))"
)
_CALL = r"(?:this|our) (?:whole |entire )?(?:call|conversation|chat)"


def _keep(what: str, verb: str = f"(?:remember|{_NOTE})") -> str:
    """Keeping this, as one asks for it not to be done."""
    return (
        rf"(?:{verb}\s+{what}{_END}|(?:write|note)\s+{what}\s+down\b|keep (?:an? |any )?(?:record|note)s?\s+of\s+{what}{_END}"
        rf"|(?:keep|put)\s+{what}\s+(?:(?:in|into) {_YOURS}|on (?:file|record)\b))"
    )


def _not_kept(what: str) -> str:
    """A wish that this be not kept."""
    return (
        rf"{_ASKED}{_NOT} {_keep(what)}|{_GOING_ON}(?:don't|do not|never) {_keep(what, _NOTE)}"
        rf"|\bI (?:don't|do not|wouldn't) want you to {_keep(what)}|\bI(?:'d| would) rather you (?:didn't|not|did not) {_keep(what)}"
        rf"|\bI (?:don't|do not|wouldn't) want {what} (?:to be )?{_KEPT}\b"
    )


_VERGISS = r"verg(?:iss|essen sie|esst)"
# The same beginnings in the other languages, where "olvida todo" is also "she forgets everything".
_BITTE = r"(?:bitte|por favor|s'il (?:te|vous) plaît|per favore|per piacere|alsjeblieft|alstublieft)"
_FIRST = (
    rf"(?:(?:^|[.!?¡¿;:…—–]\s*)(?:(?:und|aber|y|pero|et|mais|e|ma|mas|en|maar|also|alors|entonces)[\s,]+)?(?:{_BITTE}[\s,]+)?"
    rf"|,\s*(?:{_BITTE}[\s,]+)?|\b{_BITTE},?\s+)"
)
_STOP = rf"(?=\s*(?:$|[.!?;…]|,?\s*{_BITTE}))"
_ALONE = rf"(?=\s*[.!…]*\s*$|,?\s*{_BITTE})"  # "forget that": and nothing is put in its place
# Chinese and Japanese, written without spaces; both ways of writing Chinese.
_ZH_FIRST = r"(?:^|[。！？!?.,，、；;\s])(?:那|那么|那就|对不起|對不起|抱歉|不好意思)?[,，]?"
_ZH_PLEASE = r"(?:[请請](?:你|您)?|麻[烦煩](?:你|您)?|拜托|拜託)"
_ZH_SAID = r"我?(?:[刚剛]才|[刚剛][刚剛])(?:.{0,4}[说說讲講提][的过過]?|的)(?:[话話]|事|事情|内容|那些|那件事|那句[话話])?"
_ZH_IT = rf"(?:{_ZH_SAID}|[这這那](?:个|個|些|件事|件事情|句[话話]|番[话話])?|它)"
_ZH_STOP = r"(?=(?:吧|啊|了|好[吗嗎]|可以[吗嗎]|[谢謝]{2})*\s*(?:$|[。！？!?.,，、；;]))"
_ZH_KEEP = (
    r"(?:[记記](?:住|下来?|下來|[录錄](?:下来|下來)?|得)|保存|存(?:下来|下來|起来)|[写寫](?:下来?|下來))"
)
_JA_IT = r"(?:これ|それ|あれ|今(?!日|度|年|週|月)|いま|さっき|先ほど|この(?:話|こと|件)|その(?:話|こと|件)|私が言ったこと)"
_JA_PLEASE = r"(?:ください|下さい|ほしい(?:です)?|欲しい(?:です)?|くれ(?:ますか|ませんか|る)?|もらえ(?:ますか|ませんか|る)?|いただけますか)?[ねよ]?"
_JA_STOP = r"(?=\s*(?:$|[。！？!?.、]))"

# No expression below is without one of these: nearly every turn is done after looking for them.
HINTS = (
    "forget", "remember", "record", "save", "store", "keep", "kept", "note", "write", "memori", "log", "between",
    "strike", "delete", "erase", "remove", "wipe",
)  # fmt: skip
HINTS_ABROAD = (
    "verg", "merk", "unter uns", "speicher", "schreib", "notier", "aufzeichn", "behalt", "oubli", "retiens", "retene",
    "enregistr", "écri", "mémoris", "garde", "notez", "ne note", "note pas", "notes pas", "entre n", "olvid", "olvíd", "recuerd", "guard", "apunt",
    "anot", "grab", "escrib", "registr", "dimentic", "ricord", "scriv", "salv", "segn", "memorizz", "tra noi", "fra noi",
    "tra di noi", "fra di noi", "esque", "lembr", "escrev", "grav", "onder ons", "tussen ons", "onthoud", "bewaar",
    "noteer", "schrijf", "sla d", "忘", "记", "記", "存", "写", "寫", "秘密", "保密", "之间", "之間", "覚え", "メモ",
    "書", "残さ", "内緒", "ここだけ", "だけの",
)  # fmt: skip


class Expression:
    """A regular expression, compiled when it is first looked for: all of these together take a tenth of a second, and
    few callers have such a wish."""

    def __init__(self, pattern: str) -> None:
        self._written = pattern

    @cached_property
    def _pattern(self) -> re.Pattern[str]:
        return re.compile(self._written, re.IGNORECASE)

    def search(self, text: str) -> re.Match[str] | None:
        """The first place where it is met."""
        return self._pattern.search(text)

    def finditer(self, text: str) -> Iterator[re.Match[str]]:
        """All such places."""
        return self._pattern.finditer(text)

    def sub(self, by: str, text: str) -> str:
        """The text with something else in these places."""
        return self._pattern.sub(by, text)


def _any_of(*patterns: str) -> Expression:
    return Expression("|".join(f"(?:{pattern})" for pattern in patterns))


WHOLE = _any_of(
    _not_kept(rf"(?:{_CALL}|any of (?:{_CALL}|this|it))"),
    rf"{_ASKED}{_NOT} {_keep('(?:anything|everything|the (?:whole |entire )?(?:call|conversation|chat))', _NOTE)}",
    rf"{_ASKED}{_NOT} (?:remember (?:anything|everything) {_SAID}\b|(?:take|keep|make) (?:any )?notes{_END})",
    rf"\bplease {_NOT} remember (?:anything|everything){_END}|\bI (?:don't|do not) want you to remember (?:anything|everything){_END}",
    rf"{_ASKED}forget\s+(?:(?:everything|all (?:of (?:this|it)|that))(?:\s*(?:$|[.!?;…])| (?:that )?{_SAID}\b|,? please\b)|{_CALL}{_END})",
    rf"{_ASKED}(?:delete|erase|remove|wipe) {_CALL}(?:{_END}| from\b)",
    r"\b(?:this|our|the) (?:whole |entire )?(?:call|conversation|chat) (?:is|stays|should be) off the record",
    rf"{_FIRST}(?:vergiss|vergessen sie) (?:dieses gespräch\b|alles(?:{_STOP}|,? was ich (?:\w+ )*(?:gesagt|erzählt)))",
    rf"{_FIRST}(?:olvid[ae]|esque[çc][ae]|dimentic[ahi]+|oublie[zr]?) (?:todo|tudo|tutto|tout){_STOP}",
)
BEFORE = _any_of(
    rf"{_ASKED}forget\s+(?:what|whatever|the (?:thing|part)s?(?: that)?|(?:that )?)\s*{_SAID}\b",
    _not_kept(rf"(?:that|it|what {_SAID}(?: you)?)"),
    rf"\b(?:that|what {_SAID}(?: you)?) (?:was|is|stays) off the record",
    (
        rf"{_ASKED}(?:strike|delete|erase|remove|wipe|take|cross) (?:(?:this|that|it)(?: out| off)?|what {_SAID}(?: you)?)"
        rf"(?: (?:from|out of|off) {_YOURS})"
    ),
    rf"{_ASKED}(?:strike|delete|erase|remove|wipe) what {_SAID}(?: you)?{_END}",
    (
        rf"(?:\bplease|\b(?:can|could|will|would|must|should) you|\bI(?:'d| would)? (?:want|like|need) you to) (?:please |just )*"
        rf"forget (?:about )?(?:that|this|it){_END}|{_ASKED}forget (?:about )?(?:that|this|it),? please\b|^forget that[.!]*$"
    ),
)
BEFORE_ABROAD = _any_of(
    rf"{_FIRST}{_VERGISS},?(?: bitte,?)? was ich (?:\w+ ){{0,4}}(?:gesagt|erzählt)",
    rf"{_FIRST}{_VERGISS}(?: bitte)? (?:das|dies)(?: bitte)?(?: ganz| schnell| gleich| einfach| wieder)*{_ALONE}|\bbitte {_VERGISS} es{_STOP}",
    rf"\b(?:kannst du|könntest du|können sie|könnten sie) (?:bitte )?(?:das|es) (?:bitte )?(?:wieder )?vergessen{_STOP}",
    rf"{_FIRST}(?:speicher[en]?|notier(?:e|en)?)(?: sie)?(?: bitte)?(?: dir| sich)? (?:das|dies|es)(?: bitte)? nicht{_STOP}",
    rf"{_FIRST}schreib(?:e|en)?(?: sie)?(?: dir| sich)? (?:das|dies|es)(?: bitte)? nicht auf{_STOP}",
    rf"(?:^|[.!?;,]\s*|\bbitte )(?:das )?(?:bitte )?(?:das )?nicht (?:speichern|aufschreiben|notieren|merken|aufzeichnen){_ALONE}",
    rf"{_FIRST}olvid[ae] (?:{_BITTE} )?lo que (?:(?:te |le |les )?acabo de|(?:yo )?(?:te |le |les )?(?:he dicho|he contado|dije|conté))",
    rf"{_FIRST}(?:olvid[ae] (?:eso|esto)|(?:olvídate|olvídese) de (?:eso|esto)){_ALONE}|\bpor favor,? olvíde?a?lo{_STOP}",
    (
        rf"{_FIRST}no (?:(?:lo|la) (?:recuerde|apunte|anote|grabe|escriba|registre)s?"
        rf"|(?:grabe|escriba|registre|apunte|anote)s? (?:esto|eso)){_STOP}"
    ),
    rf"{_FIRST}oublie[zr]? (?:{_BITTE} )?ce que (?:je (?:viens de|t'ai|vous ai)|j'ai)",
    rf"{_FIRST}(?:tu peux |(?:pouvez|pourriez)-vous |peux-tu |pourrais-tu )?oublie[zr]? (?:ça|cela|ceci){_ALONE}",
    rf"{_FIRST}(?:n'|ne )?(?:enregistre[zs]?|écris|écrivez|garde[zs]?|mémorise[zs]?|sauvegarde[zs]?) pas (?:ça|cela|ceci){_STOP}",
    rf"{_FIRST}ne (?:le|l'|la) ?(?:note[zs]?|retiens|retenez|écris|écrivez|enregistre[zs]?|mémorise[zs]?) pas{_STOP}",
    rf"{_FIRST}dimentic(?:a|hi) (?:{_BITTE} )?(?:quello|ciò) che (?:ti |le |vi )?ho (?:appena )?(?:detto|raccontato)",
    rf"{_FIRST}dimentic(?:a|hi|ate) (?:questo|quello|ciò){_ALONE}|{_BITTE},? dimentical[oa]{_STOP}",
    (
        rf"{_FIRST}non (?:(?:scriver|annotar|registrar|segnar|memorizzar|salvar)l[oa]|(?:lo|la) (?:scriva|annoti|registri|salvi|segni)"
        rf"|(?:scrivere|registrare|memorizzare|salvare|segnare|scriva|annoti|registri|salvi|ricordi) (?:questo|quello|ciò)){_STOP}"
    ),
    rf"{_FIRST}esque[çc][ae] (?:{_BITTE} )?o que (?:eu )?(?:acabei de|(?:te |lhe )?(?:disse|falei|contei))",
    rf"{_FIRST}esque[çc][ae] (?:isso|isto|disso|disto){_ALONE}|{_FIRST}esque[çc][ae]-se d?(?:isso|isto){_ALONE}",
    (
        rf"{_FIRST}não (?:se |te )?(?:lembre|guarde|anote|escreva|grave|registre|salve)s?"
        rf" d?(?:isso|isto){_STOP}|{_FIRST}não o (?:anote|escreva|grave|registre)s?{_STOP}"
    ),
    rf"{_FIRST}vergeet (?:{_BITTE} )?wat ik (?:net|zojuist|zei|(?:\w+ ){{0,4}}(?:gezegd|verteld|vertelde|zei)\b)",
    rf"{_FIRST}vergeet (?:{_BITTE} )?(?:dat|dit){_ALONE}|\b(?:kun|kan|kunt|wil|wilt) (?:je|u) (?:dat|dit) (?:{_BITTE} )?vergeten{_STOP}",
    rf"{_FIRST}(?:onthoud|bewaar|noteer|registreer) (?:dat|dit)(?: {_BITTE})? niet{_STOP}|{_FIRST}(?:schrijf|sla) (?:dat|dit)(?: {_BITTE})? niet op{_STOP}",
    rf"{_ZH_FIRST}{_ZH_PLEASE}(?:就)?忘(?:掉|[记記]|了){_ZH_IT}|{_ZH_FIRST}忘掉{_ZH_IT}|{_ZH_FIRST}忘(?:[记記]|了){_ZH_IT}(?=吧)",
    rf"{_ZH_FIRST}{_ZH_PLEASE}?(?:把|将|將){_ZH_IT}(?:都|全)?忘(?:掉|[记記]|了){_ZH_STOP}",
    rf"{_ZH_FIRST}{_ZH_PLEASE}?(?:不要|[别別]|勿)(?:{_ZH_KEEP}{_ZH_IT}|(?:把|将|將){_ZH_IT}{_ZH_KEEP}){_ZH_STOP}",
    rf"{_ZH_FIRST}{_ZH_IT}[,，]?{_ZH_PLEASE}?(?:不要|[别別]){_ZH_KEEP}{_ZH_STOP}",
    rf"{_JA_IT}[^。！？!?、]{{0,12}}忘れて{_JA_PLEASE}{_JA_STOP}",
    rf"{_JA_IT}[^。！？!?、]{{0,12}}(?:覚え|記憶し|メモし|記録し|保存し|書か|書き留め|残さ)ないで{_JA_PLEASE}{_JA_STOP}",
    rf"(?:^|[。！？!?、])(?:覚え|記憶し|メモし|メモを?取ら|記録し)ないで{_JA_PLEASE}{_JA_STOP}",
)
_OFF = r"off the record\b(?! (?:shop|store|player|label|shelf|sleeve|deck))"
_US = r"between (?:you and me|us|the two of us)\b(?! and\b)"
HERE = _any_of(
    _not_kept("this"),
    rf"(?:^|[.!?;:,…—–]\s*)(?:(?:and|but|so|well|oh|okay|strictly|just|completely)[\s,]+)*{_OFF}",
    rf"\b(?:(?:this|that|it)(?:'s| is| stays| should be| must be| has to be| remains)|is (?:this|that|it)) (?:\w+ )?{_OFF}",
    rf"\b(?:keep|leave) (?:this|that|it|all of (?:this|it)) {_OFF}",
    rf"\b(?:(?:can|could|may|shall) (?:I|we)|I(?:'ll| will| want to|'d like to| would like to| must| can)|let me|let's)"
    rf" (?:please |also |just )?(?:tell|say|talk|speak|ask|share|mention|confess|go)\b[^.!?;]{{0,60}} {_OFF}",
    rf"\b(?:just|strictly|only) {_US}|\b(?:stays?|keep (?:this|that|it)) {_US}|(?:^|[.!?;,]\s*)(?:(?:and|but|so|well) )?{_US}\s*[,:]",
)
HERE_ABROAD = _any_of(
    rf"{_FIRST}merk (?:dir|es dir) das nicht|{_FIRST}merken sie sich das nicht|\bunter uns gesagt",
    rf"{_FIRST}no (?:recuerdes|recuerde|guardes|guarde|apuntes|anotes) (?:esto|eso){_STOP}",
    r"\b(?:quede|queda|solo|sólo) entre nosotros\b|(?:^|[.!?¡;,]\s*)entre nosotros\s*[,:]",
    rf"{_FIRST}ne (?:retene?z|retiens|notez|note) pas (?:ça|ceci|cela){_STOP}",
    r"\b(?:reste|juste|dit|gardez? (?:ça|cela)|gardons (?:ça|cela)) entre nous\b|(?:^|[.!?;,]\s*)entre nous\s*[,:]",
    rf"{_FIRST}non (?:ricordare|ricordarti|annotare) questo{_STOP}",
    r"\bque (?:fique )?entre nós\b|\bonder ons gezegd",
    r"\b(?:bleibt|bleiben|bleibe) (?:bitte )?(?:ganz |nur )?unter uns\b(?! (?:beiden )?und\b)|\bbehalte?n? (?:sie )?das (?:bitte )?für (?:dich|sich)\b",
    r"\b(?:resti|rimanga|resta|rimane|solo) (?:tra|fra) (?:di )?noi\b|\b(?:fica|fique|só) entre nós\b",
    r"\b(?:blijft|blijven|hou|houd) (?:(?:dit|dat) )?(?:\w+ )?(?:onder|tussen) ons\b(?! en\b)",
    r"(?:你我|我[们們]|咱[们們])(?:[俩倆]|[两兩]个?人?)?之[间間]的秘密|(?:留在|限於|限于|只在)(?:你我|我[们們]|咱[们們])(?:[俩倆])?之[间間]",
    rf"{_ZH_FIRST}{_ZH_PLEASE}(?:帮我|替我|为我)?保密",
    rf"ここだけの(?:話|秘密)|(?:二人|ふたり|私たち|僕たち)だけの(?:話|秘密|内緒)|(?:内緒|秘密)にして(?:おいて)?{_JA_PLEASE}{_JA_STOP}",
)
NOT_ASKED = Expression(
    r"\bon the record\b.*\boff the record\b\?|\b(?:he|she|they) (?:said|told)[^.]*off the record"
)


# A wish that names its topic means what was said about that, wherever it was said.
_COMMA = r",(?!\s*(?:and |or )?(?:my|the|our|his|her|their)\b)"
_THEN = r"(?:please|then|just|also|let|let's|tell|give|show|go|remind|call|book|send|I|we|you|do|don't|never|can|could)"
_TOPIC_END = (
    rf"(?=\s*(?:$|[.!?;:…—–)]|{_COMMA}|,?\s(?:please|because|since|but|so|if|anymore|any more|again|for me|right now|now|thanks"
    rf"|(?:will|would|could|can) you|(?:from|in|out of|off) {_YOURS}|and {_THEN})\b))"
)
_TOPIC = rf"(?P<topic>[^.!?;:…—–]{{1,80}}?){_TOPIC_END}"
_POINTED = r"(?:my|the|our|this|that|these|those|his|her|their|\w+'s)"
_THE_THING = (
    r"(?:the|that|this|my|our) (?:whole |entire )?(?:things?|stuff|parts?|bits?|story|business|matter)"
)
_SAID_ABOUT = rf"{_SAID}(?: to)?(?: you)?(?: (?:just now|earlier|before|yesterday|today))? (?:about|regarding|concerning)"
_ABOUT = (
    rf"(?:(?:what|whatever|(?:everything|anything|all|{_THE_THING})(?: that)?) {_SAID_ABOUT}"
    rf"|(?:everything|anything|all|{_THE_THING}) (?:about|with|regarding|concerning))"
)
_BEGUN = r"(?:^|[.!?;:…—–]\s*)(?:(?:and|but|so|oh|ok|okay|well|no|actually|sorry|also|now|then)[\s,]+)*"
_PLEASE = r"\b(?:please|kindly|(?:can|could|will|would|must|should) you(?: please| just)?|I(?:'d| would)? (?:want|like|need) you to)\s+"
_BARE = (
    rf"(?:about )?(?!(?:about|what|whatever|everything|anything|all|it|to|how|who|where|why|when|whether|if|(?:that )?{_SAID})\b)"
    rf"(?P<topic>[^.!?;:…—–,]{{1,80}}?)(?=\s*(?:$|[.!?;…]|,?\s(?:please|ok|okay|(?:will|would|could|can) you|for me|again|from {_YOURS})\b))"
)
_SECRETLY = rf"(?:(?:just|only|strictly) )?(?:{_US}|to yourself|off the record)(?=\s*(?:$|[.!?,;…]|(?:please|ok|okay|and|but)\b))"
_NO_GAP = r"(?!the (?:distance|space|gap|peace)\b)"
_WHAT_I_TOLD_OF = r"(?:gesagt|erzählt|erwähnt)"
IT_IS_ABOUT = tuple(
    Expression(pattern)
    for pattern in (
        rf"{_ASKED}(?:forget|delete|erase|remove|wipe|strike) {_ABOUT} {_TOPIC}",
        rf"{_ASKED}forget (?:that )?(?:{_SAID_ABOUT}|I(?:'ve| have)?(?: just| ever| even)? mentioned) {_TOPIC}",
        rf"{_ASKED}{_NOT} (?:remember|keep|{_NOTE}) {_ABOUT} {_TOPIC}",
        rf"\bI (?:don't|do not|wouldn't) want you to (?:remember|keep|{_NOTE}) {_ABOUT} {_TOPIC}",
        rf"{_PLEASE}forget {_BARE}",
        rf"{_ASKED}(?:delete|erase|remove|wipe|strike|take) (?P<topic>[^.!?;:…—–,]{{1,80}}?) (?:from|out of|off) your(?: own)? {_MEMORY}\b",
        (
            rf"(?:{_ASKED}|\b(?:can|could|should|shall|may) we (?:please )?|\bI(?:'d| would)? (?:like|want|prefer|need|rather) (?:us |you )?(?:to )?)"
            rf"(?:keep|leave) {_NO_GAP}(?P<topic>(?:{_ABOUT}|{_POINTED}) [^.!?;:…—–]{{1,60}}?) {_SECRETLY}"
        ),
        (
            rf"{_BEGUN}{_NO_GAP}(?P<topic>(?:{_ABOUT}|{_POINTED}) [^.!?;:…—–]{{1,60}}?) (?:(?:should |must |has to |needs to )?(?:stays?|remains?)"
            rf"|(?:is|are) (?:just|only|strictly)) {_SECRETLY}"
        ),
    )
)
IT_IS_ABOUT_ABROAD = tuple(
    Expression(pattern)
    for pattern in (
        rf"{_FIRST}{_VERGISS},?(?: bitte,?)?(?: alles,?)? was ich (?:\w+ ){{0,3}}?(?:über|von|zu) (?P<topic>[^.!?;,]{{1,60}}?) {_WHAT_I_TOLD_OF}",
        rf"{_FIRST}{_VERGISS},?(?: bitte,?)? (?:das mit|die sache mit|alles über) (?P<topic>[^.!?;,]{{1,60}}?){_STOP}",
        rf"{_FIRST}oublie[zr]? (?:tout )?ce que (?:[\w']+ ){{1,5}}?(?:dit|dire|raconté|raconter) (?:sur|de|du|des|à propos d[eu]s?|au sujet d[eu]s?) (?P<topic>[^.!?;,]{{1,60}}?){_STOP}",
        rf"{_FIRST}olvid[ae] (?:todo )?lo que (?:\w+ ){{0,4}}?(?:dicho|dije|decir|decirte|conté|contado) (?:sobre|de|del|acerca de) (?P<topic>[^.!?;,]{{1,60}}?){_STOP}",
        rf"{_FIRST}dimentic(?:a|hi) (?:tutto )?(?:quello|ciò) che (?:\w+ ){{0,4}}?(?:detto|raccontato) (?:su|sul|sulla|sui|sulle|del|della|di) (?P<topic>[^.!?;,]{{1,60}}?){_STOP}",
        rf"{_FIRST}esque[çc][ae] (?:tudo )?o que (?:\w+ ){{0,4}}?(?:disse|dizer|falei|falar|contei) (?:sobre|d[aeo]s?) (?P<topic>[^.!?;,]{{1,60}}?){_STOP}",
        rf"{_FIRST}vergeet (?:{_BITTE} )?(?:alles )?wat ik (?:\w+ ){{0,4}}?over (?P<topic>[^.!?;,]{{1,60}}?) (?:heb |zei|gezegd|verteld)",
    )
)
# These are said in ordinary talk as well: they ask for it only where their topic was spoken of.
MAY_BE_ABOUT = tuple(
    Expression(pattern)
    for pattern in (
        rf"{_BEGUN}forget {_BARE}",
        rf"{_ASKED}(?:forget|delete|erase|remove|wipe) (?:everything|anything|all|whatever|what)(?: that)? you(?:'ve| have)? (?:\w+ )?(?:know|noted|heard|saved|stored|remember|learned|got|have) (?:about|on|of) {_TOPIC}",
        rf"(?:{_BEGUN}|{_PLEASE}){_NOT} remember {_BARE}",
    )
)
ELSEWHERE = Expression(rf"\b(?:from|in|on|off|out of) (?!{_YOURS})(?:my|the|his|her|our|their) ")
ELISION = re.compile(r"\b(?:[cdjlmnst]|qu|dell|sull|nell|all)'(?=\w\w)", re.IGNORECASE)
DELETED = re.compile(r"\b(?:delete|erase|remove|wipe|strike)\b", re.IGNORECASE)
NO_TOPIC = word_set(
    """thing things stuff part bit story business matter topic subject everything anything something nothing whole entire
    say said tell told mention mentioned talk know secret word words call conversation chat today yesterday tomorrow
    earlier ago moment minute ever last first week time beginning start really also even yet one two ones new old good
    bad big little much many lot people person us go going get got mein meine meinen meiner meinem dein der die das den
    dem des ein eine einen mit und von zu mon ma mes ton ta le la les un une de du et el los las mi mis su una y il lo gli
    i mio mia meu minha o a os as e mijn het een en dat"""
)
# What is said of the wish itself is no secret: "I am sorry, I should not have said that".
REGRETS = word_set(
    """sorry oops wait please actually really well never mind said say saying told tell telling mention mentioned should
    shouldn't have stupid silly foolish ashamed embarrassed embarrassing awkward mistake wrong private personal regret
    wish want like need rather prefer think thought thinking know known feel comfortable changed change mind listen oh no
    god dear much thing lot bit better ever one else anyone apologise apologize
    leid nicht hätte sagen sollen entschuldigung verzeihung wollte eigentlich peinlich gesagt haben nein
    désolé désolée pardon n'aurais aurais jamais dire j'aurais excuse excusez voulais suis
    perdón siento mucho debí haber dicho decir lamento perdona disculpa vergüenza debería quería
    scusa scusi dispiace molto dovevo dirlo avrei dovuto detto vergogno
    desculpa desculpe sinto muito devia dito dizer queria
    sorry spijt zeggen moeten niet gezegd vergeten excuses"""
)


SENTENCE = re.compile(r"[^.!?;。！？]+[.!?;。！？]?")
NO_TELLING = re.compile(
    r".*[?？]$|\s*(?:ok(?:ay)?,? )?(?:thanks|thank you|danke|merci|gracias|grazie|obrigad[oa]|dank je|dank u)\b"
    r"|\s*(?:对不起|對不起|抱歉|不好意思|我不[该該應应]|ごめん|すみません|申し訳|やっぱり)",
    re.IGNORECASE,
)
NUMBER = re.compile(r"\d{3}")
ANNOUNCED = re.compile(r"\s*(?::|,?\s*but\b)", re.IGNORECASE)
CJK = re.compile(r"[\u3040-\u30ff\u3400-\u9fff]")
LONG = 4  # letters
