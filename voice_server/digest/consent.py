"""What a caller does not want remembered: a consent that was declined, words spoken off the record.

Pure. What is withheld here reaches no digest, with or without a model; the transcript itself stays.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from msgspec.structs import replace

from voice_server.digest.languages import is_english, spoken_language
from voice_server.digest.stems import FUNCTION_WORDS, content_stems, word_count, words
from voice_server.digest.word_lists import word_set
from voice_server.domain.conversation import Conversation, Message

CONSENT = "memory_consent"  # the name of the flag
_DECLINED = frozenset(
    "false no n 0 off none never declined denied refused rejected withdrawn revoked opt-out opted-out nein non nee não".split()
)
_FEW_WORDS = 12  # a message as short as this, that asks for secrecy, says little else
_TELLING = 2  # words of content beside a wish that make its own message the one that is meant

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

LONGEST_TURN = 20_000  # characters that are looked at: nobody says more in one turn
_READ_WHOLE, _AROUND, _MOST_HINTS, _CUT = 2000, 250, 12, "~"
# No expression below is without one of these: nearly every turn is done after looking for them.
_HINTS = (
    "forget", "remember", "record", "save", "store", "keep", "kept", "note", "write", "memori", "log", "between",
    "strike", "delete", "erase", "remove", "wipe",
)  # fmt: skip
_HINTS_ABROAD = (
    "verg", "merk", "unter uns", "speicher", "schreib", "notier", "aufzeichn", "behalt", "oubli", "retiens", "retene",
    "enregistr", "écri", "mémoris", "garde", "notez", "ne note", "note pas", "notes pas", "entre n", "olvid", "olvíd", "recuerd", "guard", "apunt",
    "anot", "grab", "escrib", "registr", "dimentic", "ricord", "scriv", "salv", "segn", "memorizz", "tra noi", "fra noi",
    "tra di noi", "fra di noi", "esque", "lembr", "escrev", "grav", "onder ons", "tussen ons", "onthoud", "bewaar",
    "noteer", "schrijf", "sla d", "忘", "记", "記", "存", "写", "寫", "秘密", "保密", "之间", "之間", "覚え", "メモ",
    "書", "残さ", "内緒", "ここだけ", "だけの",
)  # fmt: skip


def _any_of(*patterns: str) -> re.Pattern[str]:
    return re.compile("|".join(f"(?:{pattern})" for pattern in patterns), re.IGNORECASE)


_WHOLE = _any_of(
    _not_kept(rf"(?:{_CALL}|any of (?:this|it))"),
    rf"{_ASKED}{_NOT} {_keep('(?:anything|everything|the (?:whole |entire )?(?:call|conversation|chat))', _NOTE)}",
    rf"{_ASKED}{_NOT} (?:remember (?:anything|everything) {_SAID}\b|(?:take|keep|make) (?:any )?notes{_END})",
    rf"\bplease {_NOT} remember (?:anything|everything){_END}|\bI (?:don't|do not) want you to remember (?:anything|everything){_END}",
    rf"{_ASKED}forget\s+(?:(?:everything|all (?:of (?:this|it)|that))(?:\s*(?:$|[.!?;…])| (?:that )?{_SAID}\b|,? please\b)|{_CALL}{_END})",
    rf"{_ASKED}(?:delete|erase|remove|wipe) {_CALL}(?:{_END}| from\b)",
    r"\b(?:this|our|the) (?:whole |entire )?(?:call|conversation|chat) (?:is|stays|should be) off the record",
    rf"{_FIRST}(?:vergiss|vergessen sie) (?:dieses gespräch\b|alles(?:{_STOP}|,? was ich (?:\w+ )*(?:gesagt|erzählt)))",
    rf"{_FIRST}(?:olvid[ae]|esque[çc][ae]|dimentic[ahi]+|oublie[zr]?) (?:todo|tudo|tutto|tout){_STOP}",
)
_BEFORE = _any_of(
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
_BEFORE_ABROAD = _any_of(
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
_HERE = _any_of(
    _not_kept("this"),
    rf"(?:^|[.!?;:,…—–]\s*)(?:(?:and|but|so|well|oh|okay|strictly|just|completely)[\s,]+)*{_OFF}",
    rf"\b(?:(?:this|that|it)(?:'s| is| stays| should be| must be| has to be| remains)|is (?:this|that|it)) (?:\w+ )?{_OFF}",
    rf"\b(?:keep|leave) (?:this|that|it|all of (?:this|it)) {_OFF}",
    rf"\b(?:(?:can|could|may|shall) (?:I|we)|I(?:'ll| will| want to|'d like to| would like to| must| can)|let me|let's)"
    rf" (?:please |also |just )?(?:tell|say|talk|speak|ask|share|mention|confess|go)\b[^.!?;]{{0,60}} {_OFF}",
    rf"\b(?:just|strictly|only) {_US}|\b(?:stays?|keep (?:this|that|it)) {_US}|(?:^|[.!?;,]\s*)(?:(?:and|but|so|well) )?{_US}\s*[,:]",
)
_HERE_ABROAD = _any_of(
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
_NOT_ASKED = re.compile(
    r"\bon the record\b.*\boff the record\b\?|\b(?:he|she|they) (?:said|told)[^.]*off the record",
    re.IGNORECASE,
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
_IT_IS_ABOUT = tuple(
    re.compile(pattern, re.IGNORECASE)
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
_IT_IS_ABOUT_ABROAD = tuple(
    re.compile(pattern, re.IGNORECASE)
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
_MAY_BE_ABOUT = tuple(
    re.compile(pattern, re.IGNORECASE)
    for pattern in (
        rf"{_BEGUN}forget {_BARE}",
        rf"{_ASKED}(?:forget|delete|erase|remove|wipe) (?:everything|anything|all|whatever|what)(?: that)? you(?:'ve| have)? (?:\w+ )?(?:know|noted|heard|saved|stored|remember|learned|got|have) (?:about|on|of) {_TOPIC}",
        rf"(?:{_BEGUN}|{_PLEASE}){_NOT} remember {_BARE}",
    )
)
_ELSEWHERE = re.compile(
    rf"\b(?:from|in|on|off|out of) (?!{_YOURS})(?:my|the|his|her|our|their) ", re.IGNORECASE
)
_ELISION = re.compile(r"\b(?:[cdjlmnst]|qu|dell|sull|nell|all)'(?=\w\w)", re.IGNORECASE)
_DELETED = re.compile(r"\b(?:delete|erase|remove|wipe|strike)\b", re.IGNORECASE)
_NO_TOPIC = word_set(
    """thing things stuff part bit story business matter topic subject everything anything something nothing whole entire
    say said tell told mention mentioned talk know secret word words call conversation chat today yesterday tomorrow
    earlier ago moment minute ever last first week time beginning start really also even yet one two ones new old good
    bad big little much many lot people person us go going get got mein meine meinen meiner meinem dein der die das den
    dem des ein eine einen mit und von zu mon ma mes ton ta le la les un une de du et el los las mi mis su una y il lo gli
    i mio mia meu minha o a os as e mijn het een en dat"""
)
# What is said of the wish itself is no secret: "I am sorry, I should not have said that".
_REGRETS = word_set(
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


_SENTENCE = re.compile(r"[^.!?;。！？]+[.!?;。！？]?")
_NO_TELLING = re.compile(
    r".*[?？]$|\s*(?:ok(?:ay)?,? )?(?:thanks|thank you|danke|merci|gracias|grazie|obrigad[oa]|dank je|dank u)\b"
    r"|\s*(?:对不起|對不起|抱歉|不好意思|我不[该該應应]|ごめん|すみません|申し訳|やっぱり)",
    re.IGNORECASE,
)
_NUMBER = re.compile(r"\d{3}")
_ANNOUNCED = re.compile(r"\s*(?::|,?\s*but\b)", re.IGNORECASE)
_CJK = re.compile(r"[\u3040-\u30ff\u3400-\u9fff]")
_LONG = 4  # letters


class _Topic(NamedTuple):
    """What a wish is about, as stems; whether it is one even where that was not spoken of."""

    stems: frozenset[str]
    certain: bool


class _Asking(NamedTuple):
    """A user's turn that may hold a wish: which of the messages it is, its text on one line, the topics that it
    names, and what it says beside that."""

    place: int
    text: str
    topics: tuple[_Topic, ...]
    beside: str


def declined(*flags: Mapping[str, object]) -> bool:
    """Whether any of these (what the platform collected, the call's dynamic variables) declines to be remembered."""
    said = [_plain(value) for names in flags for name, value in names.items() if _plain(name) == CONSENT]
    return any(value in _DECLINED for value in said)


def withheld(messages: Sequence[Message]) -> frozenset[int]:
    """Positions of the messages that the user asked not to be remembered, and of what was said around them.

    Where a topic is named ("what I said about my heart"): the turn that asks, and every message that shares a
    content stem with it. Else, and where nothing before shares one: the turn that asks, what it points to (the user's
    turn before, or after it when it announces one; neither when it tells the secret itself), and the agent's turns
    between and right after, which may repeat it.
    """
    asking = [
        _Asking(place, text, topics, _beside(text) if topics else "")
        for place, message in enumerate(messages)
        if message.role == "user" and (text := _hinting(message))
        for topics in [(*_topics(text),)]
    ]
    spoken_of = _spoken_of(messages) if any(one.topics for one in asking) else {}
    return frozenset(messages[i].position for one in asking for i in _meant(messages, one, spoken_of))


def kept(messages: Sequence[Message]) -> tuple[Message, ...]:
    """The messages that may be understood."""
    secret = withheld(messages)
    return tuple(message for message in messages if message.position not in secret)


def respected(conversation: Conversation) -> Conversation:
    """A conversation without what its platform understood of it, where that may tell what is withheld; and
    without the flags that only say that it may be remembered."""
    if conversation.declined or withheld(conversation.messages):
        return replace(conversation, summary="", collected={})
    noted = {name: value for name, value in conversation.collected.items() if _plain(name) != CONSENT}
    return replace(conversation, collected=noted)


def _hinting(message: Message) -> str:
    """The text of a message on one line; "" when nothing in it hints at a wish."""
    text = " ".join(message.content[:LONGEST_TURN].replace("’", "'").split())
    if not (_has(text, _HINTS) or _has(text, _HINTS_ABROAD)):
        return ""
    return text if len(text) <= _READ_WHOLE else _around_hints(text)


def _around_hints(text: str) -> str:
    """What a long text has around its hints, the first and the last of them, each piece behind a mark that begins no
    sentence. The expressions take time that grows with the square of what they read: seconds, for the longest."""
    low = text.lower()
    spots = sorted(
        {*_spots(low, _HINTS), *_spots(low, _HINTS_ABROAD)}
    )  # apart: there is a "garde" in each garden
    pieces, end = [text[:_AROUND]], _AROUND
    for spot in spots:
        pieces.append(text[max(end, spot - _AROUND) : spot + _AROUND])
        end = max(end, spot + _AROUND)
    return f" {_CUT} ".join(piece for piece in pieces if piece)


def _spots(low: str, hints: Sequence[str]) -> list[int]:
    spots = sorted(at.start() for hint in hints for at in re.finditer(re.escape(hint), low))
    return [*spots[:_MOST_HINTS], *spots[_MOST_HINTS:][-_MOST_HINTS:]]


def _has(text: str, hints: Sequence[str]) -> bool:
    low = text.lower()
    return any(hint in low for hint in hints)


def _found(text: str, pattern: re.Pattern[str], abroad: re.Pattern[str]) -> re.Match[str] | None:
    """A wish in English, else in another language: looked for only where a word hints at it, there are many."""
    return pattern.search(text) or (abroad.search(text) if _has(text, _HINTS_ABROAD) else None)


def _topics(text: str) -> Iterator[_Topic]:
    abroad = _IT_IS_ABOUT_ABROAD if _has(text, _HINTS_ABROAD) else ()
    for patterns, certain in ((_IT_IS_ABOUT, True), (abroad, True), (_MAY_BE_ABOUT, False)):
        for match in (match for pattern in patterns for match in pattern.finditer(text)):
            stems = _stems(
                " ".join(word for word in words(_whole_words(match["topic"])) if word not in _NO_TOPIC)
            )
            if stems and not _of_something_else(match, text):
                yield _Topic(stems, certain)


def _beside(text: str) -> str:
    """A text without the wishes in it that name a topic."""
    for pattern in (*_IT_IS_ABOUT, *_IT_IS_ABOUT_ABROAD, *_MAY_BE_ABOUT):
        text = pattern.sub(" . ", text)
    return text


def _of_something_else(match: re.Match[str], text: str) -> bool:
    """Whether it asks to take something out of what is not the agent's: "everything about it from my calendar"."""
    after = text[match.start("topic") : match.end() + _FEW_WORDS]
    return bool(_DELETED.search(match[0]) and _ELSEWHERE.search(after))


def _stems(text: str) -> frozenset[str]:
    return frozenset(content_stems(_whole_words(text)))


def _whole_words(text: str) -> str:
    """Without the articles that lose a letter: "l'asthme" is about "asthme"."""
    return _ELISION.sub("", text.replace("’", "'"))


def _spoken_of(messages: Sequence[Message]) -> dict[str, list[int]]:
    """Where each stem is said, in order."""
    found: dict[str, list[int]] = {}
    for index, message in enumerate(messages):
        for stem in _stems(message.content):
            found.setdefault(stem, []).append(index)
    return found


def _meant(
    messages: Sequence[Message], asking: _Asking, spoken_of: Mapping[str, Sequence[int]]
) -> Iterator[int]:
    named = [topic for topic in asking.topics if topic.certain or _is_known(topic, asking, spoken_of)]
    if not named:
        yield from _pointed_at(messages, asking.place, asking.text)
    elif _WHOLE.search(asking.beside):
        yield from range(len(messages))
    else:
        for topic in named:
            yield from _about(messages, asking, topic, spoken_of)


def _about(
    messages: Sequence[Message], asking: _Asking, topic: _Topic, spoken_of: Mapping[str, Sequence[int]]
) -> Iterator[int]:
    yield asking.place
    for stem in topic.stems:
        yield from spoken_of.get(stem, ())
    if not _is_known(topic, asking, spoken_of):
        first = asking.place if _tells(asking.beside) else _turn_before(messages, asking.place)
        yield from range(first, _after_reply(messages, asking.place))


def _is_known(topic: _Topic, asking: _Asking, spoken_of: Mapping[str, Sequence[int]]) -> bool:
    """Whether its topic was spoken of until then: the answer to a wish often repeats its words, and tells nothing."""
    before = any(spoken_of.get(stem, (asking.place,))[0] < asking.place for stem in topic.stems)
    return before or not topic.stems.isdisjoint(_stems(asking.beside))


def _pointed_at(messages: Sequence[Message], index: int, text: str) -> Iterator[int]:
    if _WHOLE.search(text):
        yield from range(len(messages))
    elif match := _found(text, _BEFORE, _BEFORE_ABROAD):
        first = index if _tells(text[: match.start()]) else _turn_before(messages, index)
        yield from range(first, _after_reply(messages, index))
    elif (match := _found(text, _HERE, _HERE_ABROAD)) and not _NOT_ASKED.search(text):
        first, last = index, _after_reply(messages, index)
        if word_count(text) <= _FEW_WORDS and not _tells(_told_with(match)):
            # it speaks of the turn before or of the next: neither is kept
            first, last = _turn_before(messages, index), _after_reply(messages, _next_turn(messages, index))
        yield from range(first, last)


def _told_with(match: re.Match[str]) -> str:
    """What is told before a wish, and after one that announces it: "between us: she is ill"."""
    before, after = match.string[: match.start()], match.string[match.end() :]
    announces = match[0].rstrip().endswith((":", ",")) or _ANNOUNCED.match(after)
    return f"{before} {after}" if announces else before


def _tells(text: str) -> bool:
    """Whether this, said beside a wish, is more than a few words of regret or thanks, or a question."""
    told = " ".join(one for one in _SENTENCE.findall(text) if not _NO_TELLING.match(one))
    if _NUMBER.search(told):
        return True
    if _CJK.search(told):
        return word_count(told) > _TELLING
    content = [word for word in words(told) if word not in FUNCTION_WORDS and word not in _REGRETS]
    if not is_english(spoken_language([told])):  # its function words are not known: they are short
        content = [word for word in content if len(word) >= _LONG or word.isdigit()]
    return len(content) >= _TELLING


def _turn_before(messages: Sequence[Message], index: int) -> int:
    """Where the user's previous turn begins; the message itself when it is the first."""
    before = [i for i in range(index) if messages[i].role == "user"]
    return before[-1] if before else index


def _next_turn(messages: Sequence[Message], index: int) -> int:
    after = (i for i in range(index + 1, len(messages)) if messages[i].role == "user")
    return next(after, index)


def _after_reply(messages: Sequence[Message], index: int) -> int:
    """The end of what the agent says (or does with tools) in answer to a turn."""
    return next((i for i in range(index + 1, len(messages)) if messages[i].role == "user"), len(messages))


def _plain(value: object) -> str:
    return str(value).strip().strip(".!").lower()
