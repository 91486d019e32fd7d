"""What a wish is about that names it only in passing: earlier in the call, or in an earlier one."""

from collections.abc import Callable
from datetime import timedelta

import pytest
from msgspec.structs import replace

from voice_server.digest.privacy import consent
from voice_server.digest.privacy.forgotten import ForgetFilter
from voice_server.domain.conversation import Message
from voice_server.domain.memory import ForgottenTopic

Call = Callable[[str], list[Message]]


def left(call: Call, talk: str) -> list[str]:
    return [one.content for one in consent.kept(call(talk)) if one.role == "user"]


@pytest.mark.parametrize(
    ("told", "wish"),
    [
        ("My brother was locked up for burglary.", "About my brother, that's strictly between us."),
        ("Mein Bruder sitzt im Gefängnis.", "Ach, das mit meinem Bruder, das bleibt unter uns."),
        ("Mon frère est en prison.", "Et pour mon frère, ça reste entre nous."),
        ("Mi hermano está en la cárcel.", "Y lo de mi hermano, que quede entre nosotros."),
        ("Mio fratello è in galera.", "E di mio fratello, resti tra noi."),
        ("O meu irmão está preso.", "E do meu irmão, isto fica entre nós."),
        ("Mijn broer zit vast.", "En dat van mijn broer, dat blijft onder ons."),
    ],
)
def test_what_has_the_words_of_the_wish_is_withheld_and_not_the_turn_before(
    call: Call, told: str, wish: str
) -> None:
    talk = f"u: {told}\na: Oh.\nu: The 12 volt lamp.\na: Fine.\nu: Hull 7.\na: Fine.\nu: {wish}\na: Yes."

    assert left(call, talk) == ["The 12 volt lamp.", "Hull 7."]


def test_an_answer_to_what_the_agent_asked_with_the_words_is_withheld(call: Call) -> None:
    talk = """
        a: And how is your brother?
        u: Locked up since March.
        a: Oh dear.
        u: I need two lamps.
        a: Fine.
        u: About my brother, that's strictly between us.
    """

    assert left(call, talk) == ["I need two lamps."]


def test_a_word_that_the_whole_call_is_about_says_nothing(call: Call) -> None:
    talk = """
        u: My van is old.
        a: Yes?
        u: The van has no lamps.
        a: Fine.
        u: The van is blue.
        a: Fine.
        u: I hit a cyclist.
        a: Oh.
        u: With the van, strictly between us.
    """

    assert left(call, talk) == ["My van is old.", "The van has no lamps.", "The van is blue."]


def hidden_by(call: Call, talk: str, *earlier: str) -> list[bool]:
    """Tell of each text whether the wishes of a later talk hide it."""
    later = call(talk)
    wishes = [ForgottenTopic(later[0].said_at + timedelta(days=1), one) for one in consent.topics(later)]
    hidden = ForgetFilter(wishes)
    return [hidden.at(later[0].said_at, text) for text in earlier]


@pytest.mark.parametrize(
    ("wish", "told", "other"),
    [
        (
            "That thing about Leeds I told you last time. Delete that, please.",
            "I was in Leeds.",
            "I need lamps.",
        ),
        ("Das von Köln, was ich neulich erzählt hab ... vergessen Sie das.", "In Köln.", "Zwei Lampen."),
        ("L'histoire de Lille, l'autre fois... oubliez ça.", "J'étais à Lille.", "Deux lampes."),
        ("Aquello de Alemania que te conté... bórralo.", "Estuve en Alemania.", "Dos lámparas."),
        ("Quella faccenda di Torino, l'altra volta... lo dimentichi.", "Ero a Torino.", "Due lampade."),
        ("Aquele assunto da minha sogra... esquece isso.", "Foi minha sogra.", "Duas lâmpadas."),
        ("Dat van Gent, de vorige keer... vergeet dat.", "Ik was in Gent.", "Twee lampen."),
    ],
)
def test_what_was_told_another_time_is_hidden_there(call: Call, wish: str, told: str, other: str) -> None:
    assert hidden_by(call, f"u: {wish}\na: Fine.", told, other) == [True, False]


def test_the_turn_before_may_say_what_it_is_about(call: Call) -> None:
    talk = """
        u: hallo ich hab dir neulich was erzählt von dem anderen mann
        a: ja
        u: das sollst du nicht behalten
    """

    assert hidden_by(call, talk, "das war nicht mein mann", "linsen mit spätzle") == [True, False]


def test_a_wish_that_points_to_no_other_time_hides_nothing_there(call: Call) -> None:
    assert consent.topics(call("u: My PIN for Leeds is 4711, don't write this down.")) == {}


def test_the_answer_to_a_hidden_question_is_hidden(call: Call) -> None:
    talk = call("a: et comment c'est arrivé\nu: je me suis fait tabasser\na: désolée\nu: mardi")
    [wish] = consent.topics(
        call("u: comment c'est arrivé, ce que j'ai dit l'autre fois, oubliez ça s'il vous plaît")
    )
    later = ForgottenTopic(talk[0].said_at + timedelta(days=1), wish)

    assert [one.content for one in ForgetFilter([later]).kept(talk)] == ["désolée", "mardi"]


def test_who_follows_a_hidden_statement_is_heard(call: Call) -> None:
    talk = [replace(one) for one in call("a: You were in Leeds.\nu: I need two lamps.")]
    [wish] = consent.topics(call("u: That thing about Leeds I told you last time. Delete that, please."))
    later = ForgottenTopic(talk[0].said_at + timedelta(days=1), wish)

    assert [one.content for one in ForgetFilter([later]).kept(talk)] == ["I need two lamps."]


@pytest.mark.parametrize(
    "wish",
    [
        "And that matter I spoke of earlier, delete that, please.",
        "Ach so, und das von vorhin mit der Sache, vergessen Sie das bitte.",
        "Et la raison pour laquelle je pars, oubliez ça.",
        "Oye, y el motivo por el que me voy, eso quítalo.",
        "E il motivo per cui vado via, di prima, lo dimentichi.",
        "E o motivo de há pouco, esquece isso.",
        "En de reden van daarnet, vergeet dat maar.",
    ],
)
def test_what_a_wish_points_to_in_words_that_nobody_said_is_the_longest_turn_before(
    call: Call, wish: str
) -> None:
    secret = "We have to go, my Ned lost all of it at cards, the bailiffs come on Friday."
    talk = f"u: Ann Lee here.\na: Yes?\nu: {secret}\na: Oh.\nu: Two vans.\na: Fine.\nu: Blue.\nu: {wish}"

    assert secret not in left(call, talk)
    assert left(call, talk)[:2] == ["Ann Lee here.", "Two vans."]


@pytest.mark.parametrize(
    "wish",
    [
        "All that about the money last time, can you bin it?",
        "Das mit dem Geld neulich, vergessen Sie das bitte.",
        "L'affaire d'argent de la dernière fois, oubliez ça.",
        "Lo del dinero de la otra vez, olvídalo.",
        "Quella cosa dei soldi dell'altra volta, la dimentichi.",
        "Aquilo do dinheiro da outra vez, esquece isso.",
        "Dat van het geld de vorige keer, vergeet dat.",
        "It was last week. I was upset. Please forget what I told you.",
        "Es war letzte Woche. Da ging es mir schlecht. Vergessen Sie bitte, was ich erzählt habe.",
        "Fue la semana pasada. Estaba mal. Olvide lo que le conté, por favor.",
        "C'était la semaine dernière. J'étais mal. Oubliez ce que je vous ai dit.",
        "Era la settimana scorsa. Stavo male. Dimentichi quello che le ho detto.",
        "Foi na semana passada. Estava mal. Esqueça o que lhe contei.",
        "Het was vorige week. Ik was overstuur. Vergeet wat ik verteld heb.",
    ],
)
def test_what_no_earlier_conversation_speaks_of_is_the_longest_turn_of_the_latest(
    call: Call, wish: str
) -> None:
    secret = "I have blown eleven grand on the roulette since Christmas, all of it on the cards."
    latest = call(f"u: Hi.\na: Hello.\nu: {secret}\na: Oh dear.\nu: Fishing.")
    asking = call(f"u: {wish}\na: Done.")
    wishes = [
        ForgottenTopic(asking[0].said_at + timedelta(days=1), one) for one in consent.topics(asking, [latest])
    ]

    assert consent.asks_of_earlier(asking)
    assert [one.content for one in ForgetFilter(wishes).kept(latest)] == [
        "Hi.",
        "Hello.",
        "Oh dear.",
        "Fishing.",
    ]


def test_what_an_earlier_conversation_speaks_of_is_that_alone(call: Call) -> None:
    latest = call("u: Hi.\na: Hello.\nu: The money is gone.\na: Oh.\nu: A pike of nine pounds in the canal.")
    topics = consent.topics(
        call("u: All that about the money last time, can you bin it?\na: Done."), [latest]
    )

    hidden = ForgetFilter([ForgottenTopic(latest[0].said_at + timedelta(days=1), one) for one in topics])

    assert [one.content for one in hidden.kept(latest)][-1] == "A pike of nine pounds in the canal."


@pytest.mark.parametrize(
    ("wish", "told"),
    [
        (
            "What I told you the other week about my brother. I'd sooner you forgot that.",
            "My brother drinks.",
        ),
        ("zeg wat ik zei over mijn zus vorige week laat dat maar verdwijnen", "mijn zus drinkt"),
    ],
)
def test_the_words_behind_about_say_what_it_is(call: Call, wish: str, told: str) -> None:
    assert hidden_by(call, f"u: {wish}\na: Fine.", told, "I'd sooner have tea.") == [True, False]


@pytest.mark.parametrize(
    "said", ["Forget the onions, last time they were raw.", "Don't forget what I told you last time."]
)
def test_what_waives_something_is_no_wish_about_earlier_conversations(call: Call, said: str) -> None:
    latest = call("u: Hi.\na: Hello.\nu: I have blown eleven grand on the roulette since Christmas.")

    assert consent.topics(call(f"u: {said}\na: Fine."), [latest]) == {}
    assert not consent.asks_of_earlier(call(f"u: {said}\na: Fine."))


def test_news_of_last_month_before_a_wish_is_not_what_it_means(call: Call) -> None:
    """A wish that tells its secret itself is of nothing that was told another time."""
    said = call(
        "u: I moved to Lisbon last month, with my sister Maria.\na: How nice.\n"
        "u: Please don't remember this, but my kingfisher bit the old postman last week.\na: Of course."
    )

    assert consent.withheld(said) == {2, 3}
    assert consent.topics(said) == {}


@pytest.mark.parametrize(
    "wish",
    [
        "The old address I gave you, scrub that.",
        "die alte adresse von vorhin die kannst du wieder streichen",
        "L'ancienne adresse que je t'ai donnée, raye-la.",
        "la dirección vieja que te di táchala",
        "il vecchio indirizzo che ti ho dato toglilo",
        "A morada antiga que te dei, risca-a.",
        "dat oude adres van net gooi dat maar weg",
    ],
)
def test_what_was_given_is_withheld_though_the_wish_has_other_words(call: Call, wish: str) -> None:
    secret = "I used to live at 14 Mill Lane, when I was married."
    talk = f"u: Ann Lee here.\na: Yes?\nu: {secret}\na: Oh.\nu: Two vans.\na: Fine.\nu: {wish}\na: Fine."

    assert secret not in left(call, talk)
    assert left(call, talk)[0] == "Ann Lee here."


@pytest.mark.parametrize(
    "wish",
    [
        "And the bit about the pills, I'd like that gone.",
        "Und das mit den Tabletten, das soll bitte weg.",
        "Et le truc des cachets, je voudrais que ça disparaisse.",
        "Y lo de las pastillas, quiero que desaparezca.",
        "E la faccenda delle pastiglie, vorrei che sparisse.",
        "E aquilo dos comprimidos, queria que desaparecesse.",
        "En dat over die pillen, dat wil ik graag weg hebben.",
    ],
)
def test_a_short_turn_shortly_before_may_be_what_words_that_nobody_said_mean(call: Call, wish: str) -> None:
    talk = f"""
        u: Ann Lee here, about my lamp.
        a: Yes?
        u: It is the big one.
        a: Fine.
        u: I take antidepressants since March.
        a: I see.
        u: My neighbour Wilma bakes a plum cake on Sunday afternoon.
        a: Lovely.
        u: {wish}
    """

    assert left(call, talk) == ["Ann Lee here, about my lamp.", "It is the big one."]
