"""What the agent was to find out, or to let the user know, is over once it is said."""

from collections.abc import Callable
from datetime import date
from zoneinfo import ZoneInfo

import pytest

from voice_server.digest.threads.changes import thread_changes
from voice_server.domain.conversation import Message
from voice_server.domain.digest import EarlierThread

Call = Callable[[str], list[Message]]
Closed = Callable[..., tuple[int, ...]]
BERLIN = ZoneInfo("Europe/Berlin")

READY = {
    "en": ('"I\'ll ring you when the suit\'s ready."', "Is the suit ready?", "It is, you can collect it."),
    "de": ('"Ich rufe Sie an, sobald der Anzug fertig ist."', "Ist der Anzug fertig?", "Ja, holen Sie ihn."),
    "es": ('"Le aviso cuando el traje esté listo."', "¿Está listo el traje?", "Sí, ya lo puede recoger."),
    "fr": ('"Je vous préviens dès que le costume est prêt."', "Le costume est prêt ?", "Oui, venez."),
    "it": ('"La avviso quando il vestito è pronto."', "È pronto il vestito?", "Sì, può ritirarlo."),
    "pt": ('"Aviso-o quando o fato estiver pronto."', "O fato está pronto?", "Está, pode vir buscá-lo."),
    "nl": ('"Ik laat het u weten als het pak klaar is."', "Is het pak klaar?", "Ja, u kunt het ophalen."),
}  # fmt: skip
ALMOST = {
    "en": "Yes, nearly.", "de": "Ja, fast.", "es": "Sí, casi.", "fr": "Oui, presque.",
    "it": "Sì, quasi.", "pt": "Sim, quase.", "nl": "Ja, bijna.",
}  # fmt: skip
PROMISED_ONCE_MORE = {
    "en": ("Will you ring me about the suit?", "Yes, of course."),
    "de": ("Rufen Sie mich wegen des Anzugs noch an?", "Ja, natürlich."),
    "es": ("¿Me avisa por el traje?", "Sí, claro."),
    "fr": ("Vous m'appelez pour le costume ?", "Oui, bien sûr."),
    "it": ("Mi chiama per il vestito?", "Sì, certo."),
    "pt": ("Vai me ligar por causa do fato?", "Sim, claro."),
    "nl": ("Belt u mij nog over het pak?", "Ja hoor."),
}
DUE = {
    "en": ('"And the MOT, when\'s it due?" – "I\'d have to check, I\'ll text you."',
           "You never told me when the MOT's due.", "It's the 15th of December."),
    "de": ('"Und der TÜV, bis wann gilt der?" – "Muss ich nachsehen, ich schreib Ihnen."',
           "Und Sie haben mir nie gesagt, bis wann der TÜV gilt.", "Bis zum 15. Dezember."),
    "es": ('"¿Y la ITV, hasta cuándo es?" – "Tengo que mirarlo, le mando un mensaje."',
           "Y no me llegó a decir la fecha de la ITV.", "Es hasta el 15 de diciembre."),
    "fr": ('"Et le contrôle technique, c\'est jusqu\'à quand ?" – "Je regarde, je vous envoie un message."',
           "Et vous ne m'avez pas dit la date du contrôle technique.", "C'est jusqu'au 15 décembre."),
    "it": ('"E la revisione, fino a quando vale?" – "Devo guardare, le mando un messaggio."',
           "E non mi ha più detto la data della revisione.", "È fino al 15 dicembre."),
    "pt": ('"E a inspeção, até quando é?" – "Tenho de ver no sistema, envio-lhe uma mensagem."',
           "E não chegou a dizer-me a data da inspeção.", "É até dia 15 de dezembro."),
    "nl": ('"En de apk, tot wanneer geldt die?" – "Dat moet ik nakijken, ik stuur u een bericht."',
           "En u heeft me niet gezegd tot wanneer de apk geldt.", "Tot 15 december."),
}  # fmt: skip
LOOKED = {
    "en": ('"sure i\'ll check the brakes and message you the price"',
           "you never told me about the brakes", "oh sorry they're fine i had a look"),
    "de": ('"klar ich schau die bremsen an und schreib ihnen den preis"',
           "sie haben nie was wegen der bremsen gesagt", "oh tut mir leid die sind gut ich hab geschaut"),
    "es": ('"claro miro los frenos y le mando el precio"',
           "no me dijo nada de los frenos", "perdone están bien los miré"),
    "fr": ('"je vérifie les freins et je vous envoie le prix"',
           "vous ne m'avez rien dit pour les freins", "pardon ils sont bons j'ai regardé"),
    "it": ('"certo controllo i freni e le mando il prezzo"',
           "non mi ha più detto niente dei freni", "scusi sono a posto li ho guardati"),
    "pt": ('"claro vejo os travões e mando-lhe o preço"',
           "não me disse nada dos travões", "desculpe estão bons já vi"),
    "nl": ('"tuurlijk ik kijk de remmen na en stuur u de prijs"',
           "u heeft niks gezegd over de remmen", "o sorry die zijn goed ik heb gekeken"),
}  # fmt: skip


def _closed(call: Call, language: str, promised: str, asked: str, reply: str, around: str = "") -> bool:
    known = EarlierThread(1, "promise", "agent", promised, around=around or promised)
    changes = thread_changes(call(f"u: {asked}\na: {reply}\nu: –"), language, BERLIN, open_before=(known,))
    is_owed_anew = any(one.kind in ("promise", "request") for one in changes.opened)
    return changes.closes == (1,) and not is_owed_anew


@pytest.mark.parametrize("language", READY)
def test_what_was_to_be_told_is_told_to_who_asks(call: Call, language: str) -> None:
    promised, asked, reply = READY[language]

    assert _closed(call, language, promised, asked, reply)
    assert not _closed(call, language, promised, asked, ALMOST[language])


@pytest.mark.parametrize("language", PROMISED_ONCE_MORE)
def test_a_promise_that_is_only_confirmed_is_still_owed(call: Call, language: str) -> None:
    assert not _closed(call, language, READY[language][0], *PROMISED_ONCE_MORE[language])


@pytest.mark.parametrize("language", DUE)
def test_the_day_that_was_asked_for_is_an_answer(call: Call, language: str) -> None:
    assert _closed(call, language, *DUE[language])


def test_another_day_is_none(call: Call) -> None:
    promised, asked, _ = DUE["en"]

    assert not _closed(call, "en", promised, asked, "We're closed until Thursday, sorry.")
    assert not _closed(call, "en", READY["en"][0], "You never told me about the suit.", "It's for Thursday.")


@pytest.mark.parametrize("language", LOOKED)
def test_who_has_looked_owes_no_word_of_it(call: Call, language: str) -> None:
    assert _closed(call, language, *LOOKED[language])


@pytest.mark.parametrize(
    "reply",
    ["Sorry, I haven't looked yet.", "I've looked but I can't tell.", "yeah i think so", "He's on holiday."],
)
def test_who_cannot_say_still_owes_it(call: Call, reply: str) -> None:
    assert not _closed(call, "en", '"I\'ll ask the owner about the cat."', "so is the cat okay", reply)


@pytest.mark.parametrize("reply", ["yeah the owner's fine with it", "Yes, he doesn't mind."])
def test_the_yes_of_a_third_party_is_the_answer(call: Call, reply: str) -> None:
    assert _closed(call, "en", '"I\'ll ask the owner about the cat."', "so is the cat okay", reply)


def test_who_was_just_about_to_ring_says_it_now(call: Call) -> None:
    promised, around = '"I\'ll give you a bell when they arrive."', "The frames take a week."
    asked = "And my frames?"

    assert _closed(
        call, "en", promised, asked, "They came this morning, I was just about to ring you.", around
    )
    assert not _closed(call, "en", promised, asked, "I was going to ring you tomorrow.", around)


def test_what_is_looked_at_is_not_another_thing(call: Call) -> None:
    assert not _closed(
        call, "en", '"I\'ll text you the prices."', "Did you find my scarf?", "I had a look, it's here."
    )


def test_another_thing_of_the_same_place_is_looked_at_for_itself(call: Call) -> None:
    promised = '"I\'ll ask the owner about the cat in the flat."'
    looked = "a: I've looked at your contract for the flat, it's fine.\nu: Good."
    known = EarlierThread(1, "promise", "agent", promised, around=promised)

    assert thread_changes(call(looked), "en", BERLIN, open_before=(known,)).closes == ()


@pytest.mark.parametrize(
    ("language", "offered", "asked", "so", "not_yet"),
    [
        (
            "en",
            '"Shall I ask about the cat?" – "Yes please."',
            "Is the cat okay?",
            "Yes, he's fine.",
            "Not yet.",
        ),
        (
            "nl",
            '"dat moet ik aan de eigenaar vragen" – "oké"',
            "mag die kat nou",
            "ja hoor",
            "nog niks gehoord",
        ),
    ],
)
def test_who_was_to_ask_has_asked(
    call: Call, language: str, offered: str, asked: str, so: str, not_yet: str
) -> None:
    known = EarlierThread(1, "request", "user", offered, around=f"een kat mag dat {offered}")

    def closed(reply: str) -> bool:
        said = call(f"u: {asked}\na: {reply}\nu: –")
        return thread_changes(said, language, BERLIN, open_before=(known,)).closes == (1,)

    assert closed(so)
    assert not closed(not_yet)


@pytest.mark.parametrize(
    ("language", "promised", "asked", "reply"),
    [
        ("en", "I'll ring you when the suit is ready.", "Is it about the suit?", "Yes, there's a stain."),
        ("de", "Ich rufe an, sobald der Anzug fertig ist.", "Geht es um den Anzug?", "Ja, da ist ein Fleck."),
        ("nl", "Ik bel u als het pak klaar is.", "Gaat het over het pak?", "Ja, er zit een vlek in."),
    ],
)
def test_what_a_call_is_about_is_no_word_of_it(
    call: Callable[[str], list[Message]], language: str, promised: str, asked: str, reply: str
) -> None:
    thread = EarlierThread(1, "promise", "agent", f'"{promised}"')
    said = call(f"a: Hello.\nu: {asked}\na: {reply}")

    assert thread_changes(said, language, ZoneInfo("Europe/Berlin"), open_before=(thread,)).closes == ()


LOOKED_INTO = {
    "en": (
        "And about the boiler grant, I haven't got round to that. I'll check it by Monday.",
        "I checked on the boiler grant: you can get three hundred pounds if the boiler is old.",
        "I looked at the washing machine, it's the filter.",
    ),
    "de": (
        "Der Zuschuss für den Kessel, dazu bin ich noch nicht gekommen. Das prüfe ich bis Montag.",
        "Ich habe wegen dem Zuschuss für den Kessel nachgesehen: den gibt es, wenn der Kessel alt ist.",
        "Ich hab nach der Waschmaschine geschaut, es ist das Sieb.",
    ),
    "es": (
        "Lo de la ayuda para la caldera, no he podido verlo. Lo miro antes del lunes.",
        "He mirado lo de la ayuda para la caldera: se la dan si la caldera es vieja.",
        "He mirado la lavadora, es el filtro.",
    ),
    "fr": (
        "Pour l'aide à la chaudière, je n'ai pas eu le temps. Je le vérifie d'ici lundi.",
        "J'ai regardé pour l'aide à la chaudière : vous l'avez si la chaudière est vieille.",
        "J'ai regardé la machine à laver, c'est le filtre.",
    ),
    "it": (
        "Per il contributo della caldaia, non ho avuto tempo. Lo controllo entro lunedì.",
        "Ho guardato per il contributo della caldaia: lo danno se la caldaia è vecchia.",
        "Ho guardato la lavatrice, è il filtro.",
    ),
    "nl": (
        "De subsidie voor de ketel, daar ben ik nog niet aan toegekomen. Dat controleer ik voor maandag.",
        "Ik heb gekeken naar de subsidie voor de ketel: die krijgt u als de ketel oud is.",
        "Ik heb naar de wasmachine gekeken, het is het filter.",
    ),
    "pt": (
        "A ajuda para a caldeira, ainda não tive tempo. Verifico isso até segunda.",
        "Verifiquei a ajuda para a caldeira: dão-na se a caldeira for velha.",
        "Vi a máquina de lavar, é o filtro.",
    ),
}


@pytest.mark.parametrize("language", LOOKED_INTO)
def test_who_tells_what_they_looked_into_has_checked_it(is_over: Callable[..., bool], language: str) -> None:
    promised, told, of_another = LOOKED_INTO[language]

    assert is_over(language, promised, f"a: {told}", said_by="agent")
    assert not is_over(language, promised, f"a: {of_another}", said_by="agent")


def test_what_was_looked_at_is_still_to_be_sent(is_over: Callable[..., bool]) -> None:
    promised = "The boiler contract? I'll post the boiler contract on Monday."

    assert not is_over("en", promised, "a: I looked at the boiler contract, it runs on.", said_by="agent")


RINGS_ON_MONDAY = {
    "en": (
        "I'll ring you on Monday.",
        "You didn't ring me, is it ready?",
        "It'll be ready tomorrow.",
    ),
    "de": (
        "Ich rufe Sie am Montag an.",
        "Sie haben nicht angerufen.",
        "Es ist morgen fertig.",
    ),
    "nl": ("Ik bel u maandag.", "U heeft niet gebeld, is hij klaar?", "Hij is morgen om elf uur klaar."),
    "es": ("Le llamo el lunes.", "No me han llamado, ¿ya está?", "Estará listo mañana a las once."),
    "fr": (
        "Je vous rappelle lundi.",
        "Vous ne m'avez pas appelé, elle est prête ?",
        "Elle sera prête demain.",
    ),
    "it": ("La chiamo lunedì.", "Non mi avete chiamato, è pronta?", "Sarà pronta domani alle undici."),
    "pt": ("Ligo-lhe na segunda.", "Não me ligaram, já está?", "Fica pronto amanhã às onze."),
}


@pytest.mark.parametrize("language", RINGS_ON_MONDAY)
def test_a_day_told_to_who_was_not_rung_takes_the_place_of_the_call(closed: Closed, language: str) -> None:
    promised, missed, told = RINGS_ON_MONDAY[language]
    overdue = EarlierThread(1, "promise", "agent", f'"{promised}"', date(2026, 11, 16))
    ahead = EarlierThread(1, "promise", "agent", f'"{promised}"', date(2026, 11, 23))

    assert closed(f"u: {missed}\na: {told}", overdue, language=language) == (1,)
    assert closed(f"u: {missed}\na: {told}", ahead, language=language) == ()
    assert closed(f"u: –\na: {told}", overdue, language=language) == ()


def test_of_two_calls_it_is_that_of_the_later_day(closed: Closed) -> None:
    promised, missed, told = RINGS_ON_MONDAY["en"]
    first = EarlierThread(1, "promise", "agent", '"I\'ll ring you tomorrow."', date(2026, 11, 11))
    last = EarlierThread(2, "promise", "agent", f'"{promised}"', date(2026, 11, 16))

    assert closed(f"u: {missed}\na: {told}", first, last) == (2,)


ASKED_FOR = {
    "en": ("Do they allow dogs?", "I'll ask the owner and let you know.",
           "What did the owner say about the dog?", "No dogs, I'm afraid.", "She hasn't rung back."),
    "de": ("Darf man einen Hund halten?", "Ich frag die Besitzerin und sag Ihnen Bescheid.",
           "Was hat die Besitzerin zum Hund gesagt?", "Kein Problem, wenn er klein ist.", "Noch nichts."),
    "es": ("¿Dejan tener perro?", "Se lo pregunto a la dueña y te digo.",
           "¿Qué te dijo la dueña de lo del perro?", "Que sin problema.", "Todavía no me ha contestado."),
    "fr": ("Les chiens sont acceptés ?", "Je demande à la propriétaire et je vous dis.",
           "Qu'est-ce qu'elle a dit pour le chien ?", "Pas de problème s'il est petit.", "Rien encore."),
    "it": ("Si può tenere un cane?", "Chiedo alla proprietaria e le dico.",
           "Cosa ha detto la proprietaria del cane?", "Nessun problema, se è piccolo.", "Non ancora."),
    "nl": ("Mag je er een hond houden?", "Ik vraag het de eigenaar en laat het u weten.",
           "Wat zei de eigenaar over de hond?", "Geen probleem, als hij klein is.", "Nog niets."),
    "pt": ("Aceitam um cão?", "Pergunto à dona e digo-lhe.",
           "O que disse a dona sobre o cão?", "Sem problema, sendo pequeno.", "Ainda nada."),
}  # fmt: skip


def owed_word(language: str) -> EarlierThread:
    asked, promised, *_ = ASKED_FOR[language]
    return EarlierThread(1, "promise", "agent", f'"{asked}" – "{promised}"', None, f"{asked} {promised}")


@pytest.mark.parametrize("language", ASKED_FOR)
def test_who_asks_what_somebody_said_is_told(closed: Closed, language: str) -> None:
    asked, told = ASKED_FOR[language][2:4]

    assert closed(f"a: .\nu: {asked}\na: {told}", owed_word(language), language=language) == (1,)


@pytest.mark.parametrize("language", ASKED_FOR)
def test_while_nobody_has_answered_it_is_owed(closed: Closed, language: str) -> None:
    asked, _, waits = ASKED_FOR[language][2:]

    assert closed(f"a: .\nu: {asked}\na: {waits}", owed_word(language), language=language) == ()


@pytest.mark.parametrize(
    ("language", "promised", "missed", "told"),
    [
        ("en", "I'll have the bill checked, you'll hear from us.",
         "I still haven't heard about the bill.",
         "It's been checked, you're getting eighty-four pounds back."),
        ("de", "Ich lasse die Rechnung prüfen, Sie hören von uns.",
         "Ich hab nichts gehört wegen der Rechnung.",
         "Ich sehe, das ist geprüft: Sie bekommen 84 Euro zurück."),
        ("it", "Faccio controllare la bolletta, le faccio sapere.",
         "Non ho ancora saputo niente della bolletta.",
         "Vedo che è stato controllato: le rimborsiamo 84 euro."),
    ],
)  # fmt: skip
def test_what_was_checked_is_told_though_money_is_still_to_come(
    closed: Closed, language: str, promised: str, missed: str, told: str
) -> None:
    thread = EarlierThread(1, "promise", "agent", f'"{promised}"', None, promised)

    assert closed(f"a: .\nu: {missed}\na: {told}", thread, language=language) == (1,)


@pytest.mark.parametrize(
    ("asked", "told"),
    [
        ("What did the owner say about the dog?", "Oh no, it slipped my mind, I'm so sorry."),
        ("Any news from the owner?", "No news I'm afraid, he's very hard to get hold of."),
        ("What does the owner think of the new mayor?", "Oh, he can't stand him."),
        ("What did the owner say about the dog?", "He's thinking about it."),
        ("What did the owner say about the dog?", "He's not made up his mind."),
    ],
)
def test_no_word_or_word_of_another_matter_answers_nothing(closed: Closed, asked: str, told: str) -> None:
    assert closed(f"a: .\nu: {asked}\na: {told}", owed_word("en")) == ()
