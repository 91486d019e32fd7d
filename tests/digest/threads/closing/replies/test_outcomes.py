"""Who tells how a promised thing is now, tells that the promise was kept; few words leave it open."""

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


def closes(call: Call, promised: str, said: str, language: str = "en") -> bool:
    thread = EarlierThread(1, "promise", "agent", f'"{promised}"')
    changes = thread_changes(call(f"a: Hello.\nu: {said}"), language, BERLIN, open_before=(thread,))
    return changes.closes == (1,)


@pytest.mark.parametrize(
    ("language", "promised", "said"),
    [
        ("en", "I'll put a new zip in the dress.", "The dress is hanging on the back of the door."),
        ("en", "I'll send the boy with the cylinder.", "Your boy fitted the cylinder that very night."),
        ("de", "Ich schicke Ihnen den Bezug für das Sofa.", "Der Bezug sitzt wie angegossen auf dem Sofa."),
        ("fr", "Je vous pose l'étagère.", "L'étagère est au mur avec mes livres."),
        ("es", "Le mando la funda del sofá.", "La funda ya está puesta en el sofá."),
        ("it", "Le spedisco la cornice.", "La cornice fa un figurone in salotto."),
        ("nl", "Ik stuur u het gordijn.", "Het gordijn hangt al in de slaapkamer."),
        ("pt", "Envio-lhe a moldura.", "A moldura está na parede da sala."),
    ],
)
def test_a_thing_that_is_told_as_it_is_has_come(call: Call, language: str, promised: str, said: str) -> None:
    assert closes(call, promised, said, language)


@pytest.mark.parametrize(
    ("language", "said"),
    [
        ("en", "The dress is still too long for me."),
        ("en", "I'm ringing about the dress for Saturday."),
        ("en", "Here's a photo of the dress and the shoes."),
        ("en", "Is the dress hanging at your place?"),
        ("en", "I could do with the dress on Friday."),
        ("de", "Das Kleid hängt noch bei Ihnen im Laden."),
        ("fr", "C'est pour la robe de mariée de ma fille."),
        ("es", "Necesito el vestido para la boda del sábado."),
        ("it", "Mi serve il vestito per la festa di sabato."),
        ("nl", "Ik bel over de jurk voor mijn dochter."),
        ("pt", "Precisava do vestido para a festa de sábado."),
    ],
)
def test_a_thing_that_is_asked_for_or_wanted_has_not(call: Call, language: str, said: str) -> None:
    promised = {
        "en": "I'll mend the dress.",
        "de": "Ich ändere das Kleid für Sie.",
        "fr": "Je vous retouche la robe.",
        "es": "Le arreglo el vestido.",
        "it": "Le sistemo il vestito.",
        "nl": "Ik maak de jurk voor u.",
        "pt": "Arranjo-lhe o vestido.",
    }[language]

    assert not closes(call, promised, said, language)


def test_how_a_thing_is_answers_nothing_that_was_to_be_asked(call: Call) -> None:
    assert not closes(call, "I'll ask the doctor about your tablets.", "The tablets worked well for me.")


@pytest.mark.parametrize(
    ("language", "text", "asked", "told", "not_yet"),
    [
        (
            "en",
            "Remind me of Theo's birthday.",
            "How was the birthday?",
            "Oh, he was so funny.",
            "It's on Friday.",
        ),
        ("de", "Ich gehe zum Konzert.", "Wie war das Konzert?", "Wunderschön.", "Das ist erst am Freitag."),
        ("es", "Voy al concierto.", "¿Cómo estuvo el concierto?", "Precioso.", "Todavía no fue."),
        ("fr", "J'ai l'examen.", "Comment s'est passé l'examen ?", "Très bien.", "Ce n'est que vendredi."),
        ("it", "Ho l'esame.", "Com'è andato l'esame?", "Benissimo.", "È venerdì, non ancora."),
        ("pt", "Tenho a prova.", "Como correu a prova?", "Muito bem.", "É na sexta, ainda não foi."),
        ("nl", "Ik heb examen.", "Hoe ging het examen?", "Heel goed.", "Dat is pas vrijdag."),
    ],
)
def test_what_it_was_like_is_told_of_what_is_over(
    call: Call, language: str, text: str, asked: str, told: str, not_yet: str
) -> None:
    known = EarlierThread(1, "plan", "user", f'"{text}"')

    def closed(answer: str) -> tuple[int, ...]:
        said = call(f"a: {asked}\nu: {answer}")
        return thread_changes(said, language, BERLIN, open_before=[known]).closes

    assert closed(told) == (1,)
    assert closed(not_yet) == ()


@pytest.mark.parametrize("due", [None, date(2026, 12, 2)], ids=["every week", "still ahead"])
def test_how_it_was_ends_nothing_that_comes_again_or_is_ahead(call: Call, due: date | None) -> None:
    known = EarlierThread(1, "plan", "user", '"I swim every Tuesday."' if due is None else '"I swim."', due)
    said = call("a: How was the swim?\nu: Lovely.")

    assert thread_changes(said, "en", BERLIN, open_before=[known]).closes == ()


def test_a_spanish_yes_is_no_if(call: Call) -> None:
    known = EarlierThread(1, "promise", "user", '"te traigo la receta de las migas la próxima vez"')
    told = call("a: ¿Y la receta de las migas?\nu: ay sí apunta pan de pueblo ajo y uvas")
    later = call("a: ¿Y la receta de las migas?\nu: sí si la encuentro la receta te la traigo")
    assert thread_changes(told, "es", BERLIN, open_before=[known]).closes == (1,)
    assert thread_changes(later, "es", BERLIN, open_before=[known]).closes == ()


YESTERDAY, NEXT_WEEK = date(2026, 11, 16), date(2026, 11, 24)
FETCHED = {
    "en": ("I'll pick up the bouquet on Monday.", "The bouquet was gorgeous, my mother cried."),
    "de": ("Ich hole den Strauß am Montag ab.", "Der Strauß war wirklich wunderschön."),
    "fr": ("Je passe prendre le bouquet lundi.", "Le bouquet était magnifique."),
    "es": ("Recojo el ramo el lunes.", "A mi madre le encantó el ramo."),
    "it": ("Passo a prendere il mazzo lunedì.", "Il mazzo era bellissimo."),
    "nl": ("Ik haal het boeket maandag op.", "Het boeket was schitterend."),
    "pt": ("Vou buscar o ramo na segunda.", "O ramo estava lindo."),
}


@pytest.mark.parametrize("language", FETCHED)
def test_a_thing_that_was_lovely_has_been_fetched(call: Call, language: str) -> None:
    promised, said = FETCHED[language]
    spoken = call(f"a: .\nu: {said}")

    def closed(due: date | None) -> bool:
        known = EarlierThread(1, "plan", "user", f'"{promised}"', due)
        return thread_changes(spoken, language, BERLIN, open_before=[known]).closes == (1,)

    assert closed(YESTERDAY)
    assert not closed(NEXT_WEEK)
    assert not closed(None)


@pytest.mark.parametrize("others", [0, 1])
def test_what_led_to_it_names_the_thing_where_one_alone_is_meant(call: Call, others: int) -> None:
    known = [
        EarlierThread(n, "promise", "user", '"I\'ll get it on Monday."', YESTERDAY, "A bouquet, please.")
        for n in range(1, 2 + others)
    ]
    said = call("a: .\nu: The bouquet was lovely.")

    assert thread_changes(said, "en", BERLIN, open_before=known).closes == (() if others else (1,))


@pytest.mark.parametrize(
    "said",
    ["Was the bouquet lovely?", "The bouquet was lovely but I want another.", "The vase was lovely."],
)
def test_a_thing_that_is_asked_about_wanted_or_not_named_is_not_over(call: Call, said: str) -> None:
    known = EarlierThread(1, "promise", "user", '"I\'ll pick up the bouquet on Monday."', YESTERDAY)

    assert thread_changes(call(f"a: .\nu: {said}"), "en", BERLIN, open_before=[known]).closes == ()


@pytest.mark.parametrize(
    ("language", "text", "asked", "told"),
    [
        ("en", "They're all coming on Monday.", "Was it nice yesterday?", "Very, the cake all went."),
        ("de", "Am Montag kommen alle.", "War es schön gestern?", "Sehr, der Kuchen ist alle."),
        ("fr", "Ils viennent tous lundi.", "C'était bien hier ?", "Très bien, on a ri."),
        ("es", "Vienen todos el lunes.", "¿Estuvo bien ayer?", "Muy bien, nos reímos."),
        ("it", "Vengono tutti lunedì.", "È stato bello ieri?", "Molto, abbiamo riso."),
        ("nl", "Maandag komen ze allemaal.", "Was het gezellig gisteren?", "Heel gezellig, we lachten."),
        ("pt", "Vêm todos na segunda.", "Foi bom ontem?", "Muito bom, rimos muito."),
    ],
)
def test_what_is_asked_of_a_day_is_the_one_plan_of_that_day(
    call: Call, language: str, text: str, asked: str, told: str
) -> None:
    spoken = call(f"a: {asked}\nu: {told}")

    def closed(*days: date) -> tuple[int, ...]:
        known = [EarlierThread(n, "plan", "user", f'"{text}"', day) for n, day in enumerate(days, 1)]
        return thread_changes(spoken, language, BERLIN, open_before=known).closes

    assert closed(YESTERDAY) == (1,)
    assert closed(YESTERDAY, YESTERDAY) == ()
    assert closed(NEXT_WEEK) == ()


LEAVES = {
    "en": ("The owner's coming on Monday at eleven.", "The owner has just left, all good."),
    "de": ("Am Montag um elf kommt der Chef.", "Der Chef ist gerade gegangen, alles gut."),
    "es": ("El lunes a las once viene el dueño.", "Se acaba de ir el dueño, todo bien."),
    "fr": ("Le patron vient lundi à onze heures.", "Le patron vient de partir, tout va bien."),
    "it": ("lunedì alle undici viene il titolare", "è appena andato via il titolare tutto bene"),
    "nl": ("Maandag om elf uur komt de baas.", "De baas is net weg, alles goed."),
    "pt": ("O chefe vem na segunda às onze.", "O chefe acabou de sair, correu tudo bem."),
}


def leaves(call: Call, language: str, said: str, due: date) -> bool:
    visit = EarlierThread(1, "plan", "agent", f'"{LEAVES[language][0]}" – "…"', due)
    return thread_changes(call(f"u: {said}"), language, BERLIN, open_before=(visit,)).closes == (1,)


@pytest.mark.parametrize("language", LEAVES)
def test_a_visit_is_over_when_the_visitor_has_just_left(call: Call, language: str) -> None:
    assert leaves(call, language, LEAVES[language][1], date(2026, 11, 17))


@pytest.mark.parametrize("language", LEAVES)
def test_a_visitor_who_has_just_left_comes_on_the_day_ahead_nonetheless(call: Call, language: str) -> None:
    assert not leaves(call, language, LEAVES[language][1], date(2026, 11, 20))


@pytest.mark.parametrize(
    ("language", "said"),
    [
        ("en", "The owner has not left yet."),
        ("en", "The bus has just left."),
        ("de", "Der Bus ist gerade weg."),
        ("es", "El dueño todavía no se ha ido."),
        ("fr", "Le voisin vient de partir."),
        ("it", "è appena andato via il vicino"),
        ("nl", "De buurman is net weg."),
        ("pt", "O vizinho acabou de sair."),
    ],
)
def test_who_is_still_there_or_somebody_else_who_left_leaves_it_open(
    call: Call, language: str, said: str
) -> None:
    assert not leaves(call, language, said, date(2026, 11, 17))


@pytest.mark.parametrize(
    ("language", "plan", "asked", "told"),
    [
        ("de", "Am Samstag spielen wir Skat.", "Wie war der Skatabend?", "Ich hab verloren."),
        ("de", "Am Samstag ist Chorprobe.", "Wie war die Probe?", "Sehr schön."),
        ("nl", "Zaterdag ga ik kaarten met Wim.", "Hoe was de kaartavond?", "Ik heb verloren."),
    ],
)
def test_how_it_was_is_asked_of_a_part_of_its_name(
    closed: Callable[..., tuple[int, ...]], language: str, plan: str, asked: str, told: str
) -> None:
    due = date(2026, 11, 14)
    known = EarlierThread(1, "plan", "user", f'"{plan}"', due)
    other = EarlierThread(1, "plan", "user", '"Samstag, zaterdag: zoo"', due)

    assert closed(f"a: {asked}\nu: {told}", known, language=language) == (1,)
    assert closed(f"a: {asked}\nu: {told}", other, language=language) == ()


def test_what_only_begins_with_the_name_asked_for_is_something_else(
    closed: Callable[..., tuple[int, ...]],
) -> None:
    known = EarlierThread(1, "plan", "user", '"Am Samstag muss der Urlaubsantrag weg."', date(2026, 11, 14))

    assert closed("a: Wie war der Urlaub?\nu: Sehr schön.", known, language="de") == ()


ASKED_AFTER = {
    "en": (
        "I have to see the doctor on Monday.",
        "And the doctor?",
        "I went this morning.",
        "I'm ill.",
    ),
    "de": ("Montag muss ich zum Arzt.", "Und der Arzt?", "Da war ich heute Morgen.", "Ich bin krank."),
    "nl": ("Ik moet maandag naar de dokter.", "En de dokter?", "Daar ben ik geweest.", "Ik ben nog ziek."),
    "es": ("Tengo que ir al médico el lunes.", "¿Y el médico?", "He ido esta mañana.", "Sigo enferma."),
    "fr": (
        "Je dois aller chez le médecin lundi.",
        "Et le médecin ?",
        "J'y suis allée ce matin.",
        "J'ai mal.",
    ),
    "it": (
        "Devo andare dal medico lunedì.",
        "E il medico?",
        "Ci sono andata stamattina.",
        "Sto ancora male.",
    ),
    "pt": ("Tenho de ir ao médico na segunda.", "E o médico?", "Fui lá esta manhã.", "Estou doente."),
}


@pytest.mark.parametrize("language", ASKED_AFTER)
def test_what_the_agent_asks_after_is_over_where_the_past_is_told(closed: Closed, language: str) -> None:
    plan, asked, went, _ = ASKED_AFTER[language]
    known = EarlierThread(1, "plan", "user", f'"{plan}"', date(2026, 11, 17))

    assert closed(f"u: Ok.\na: {asked}\nu: {went}", known, language=language) == (1,)


@pytest.mark.parametrize("language", ASKED_AFTER)
def test_what_the_agent_asks_after_stays_where_no_past_is_told(closed: Closed, language: str) -> None:
    plan, asked, _, otherwise = ASKED_AFTER[language]
    known = EarlierThread(1, "plan", "user", f'"{plan}"', date(2026, 11, 17))

    assert closed(f"u: Ok.\na: {asked}\nu: {otherwise}", known, language=language) == ()


@pytest.mark.parametrize(
    ("language", "promised", "asked", "answer"),
    [
        ("en", "I'll send the letter tomorrow.", "Has the letter come?", "I'm on the bus, I'll look later."),
        ("de", "Ich schicke den Brief morgen.", "Ist der Brief da?", "Ich schaue nachher nach."),
        ("nl", "Ik stuur de brief morgen.", "Is de brief aangekomen?", "Ik zit in de trein."),
    ],
)
def test_who_tells_only_where_they_are_has_no_letter_yet(
    closed: Closed, language: str, promised: str, asked: str, answer: str
) -> None:
    known = EarlierThread(1, "promise", "agent", f'"{promised}"', date(2026, 11, 17))

    assert closed(f"u: .\na: {asked}\nu: {answer}", known, language=language) == ()
