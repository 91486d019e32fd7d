"""What a user asked to have forgotten by its name is told no more, whichever call said it."""

from datetime import UTC, datetime, timedelta

import pytest
from msgspec.structs import replace
from pretend.memories import call, follow_up, memory, served, thread

from voice_server.digest.privacy import consent
from voice_server.digest.privacy.forgotten import ForgetFilter, hashed, without_forgotten
from voice_server.domain.conversation import Message
from voice_server.domain.digest import KeyMoment
from voice_server.domain.memory import ForgottenTopic
from voice_server.domain.thought import Thought

NOW = datetime(2026, 11, 17, 12, tzinfo=UTC)
EARLIER = NOW - timedelta(days=30)


def topic(*stems: str) -> tuple[str, ...]:
    return tuple(map(hashed, stems))


def told(*wishes: ForgottenTopic) -> str:
    said = KeyMoment(EARLIER, '"To 77 Marsh Lane, Hull."', 1, "user")
    other = KeyMoment(EARLIER, '"I want a sea view."', 2, "user")
    heard = replace(call(1, EARLIER, ""), key_moments=(said, other), is_quoted=True)
    return served(without_forgotten(replace(memory(heard), forgotten=wishes)))


def test_what_is_to_be_forgotten_is_told_no_more() -> None:
    wish = ForgottenTopic(NOW - timedelta(days=1), topic("address", "lane", "marsh"))

    assert "Marsh" not in told(wish)
    assert "sea view" in told(wish)


@pytest.mark.parametrize(("street", "is_told"), [("Marsh Lane", False), ("Quay Road", True)])
def test_a_thread_is_told_without_what_was_said_of_it_since(street: str, *, is_told: bool) -> None:
    sending = '"I\'ll send the lamp."'
    since = follow_up(sending, f'"Send the lamp to 77 {street}."', EARLIER.date())
    known = memory(threads=(replace(thread(1, sending), follow_up=since),))
    wish = ForgottenTopic(NOW, topic("address", "lane", "marsh"))

    text = served(without_forgotten(replace(known, forgotten=(wish,))))

    assert "I'll send the lamp." in text
    assert (street in text) == is_told


def test_no_thought_tells_it() -> None:
    thoughts = (Thought(1, "Ask how Marsh Lane is.", EARLIER, NOW + timedelta(days=9)),)
    wish = ForgottenTopic(NOW, topic("address", "lane", "marsh"))

    assert without_forgotten(replace(memory(), thoughts=thoughts, forgotten=(wish,))).thoughts == ()


def test_what_is_said_after_the_wish_is_told() -> None:
    assert "Marsh" in told(ForgottenTopic(EARLIER - timedelta(days=1), topic("address", "lane", "marsh")))


def asked(wish: str) -> ForgottenTopic:
    [stems] = consent.topics([Message(0, "user", wish, NOW)])
    return ForgottenTopic(NOW, stems)


@pytest.mark.parametrize(
    ("wish", "hidden", "stays"),
    [
        ("Would you wipe the work number, please?", "At work, it's 01632 960118.", "I start work at nine."),
        ("Please erase my number.", "It's 07700 900123.", "The order is 30617."),
        ("Please delete my son's number.", "My son is on 07700 900118.", "I am on 07700 900123."),
        ("Could you take Ben's number off?", "Ben's on 07700 900118.", "Ann's on 07700 900123."),
        ("My ex has moved out. Delete his number.", "My ex has 07700 900118.", "He has 07700 900123."),
        ("Löschen Sie die Nummer von meinem Sohn.", "Mein Sohn: 0171 7654321.", "Meine ist 0171 1234567."),
        ("Streichen Sie bitte die Nummer vom Büro.", "Im Büro 030 1234567.", "Zu Hause 030 7654321."),
        ("Borre el número de la oficina.", "En la oficina, 910 555 123.", "Trabajo en la oficina."),
        ("Apaga o número do Renato daí.", "Põe o Renato, 98877 1204.", "A Ana é 99145 3380."),
        ("Borra el número de Renato de ahí.", "Renato: 612 345 678.", "Renato viene de 2024-2025."),
        ("Lösch die Nummer von Renato da raus.", "Renato: 0171 7654321.", "Ich bin 0171 1234567."),
        ("Efface le numéro de Renato de là.", "Renato, 06 12 34 56 78.", "Renato viendra."),
        ("Cancella il numero di Renato da lì.", "Renato: 333 1234567.", "Io sono 333 7654321."),
        ("Haal het nummer van Renato er maar uit.", "Renato: 06 12345678.", "Ik ben 06 87654321."),
    ],
)
def test_a_number_to_be_erased_is_told_no_more_and_nothing_else(wish: str, hidden: str, stays: str) -> None:
    filtered = ForgetFilter([asked(wish)])

    assert filtered.at(EARLIER, hidden)
    assert not filtered.at(EARLIER, stays)


@pytest.mark.parametrize(
    ("wish", "told"),
    [
        ("My mum's doctor has retired. Please delete his number.", "My mum is on 07700 900118."),
        ("My sister told the salesman, please delete her number.", "My sister is on 07700 900118."),
        ("Please delete Dr Hale's number.", "Dr Lowe is on 07700 900118."),
        ("Please forget my son's number.", "The order number is 30617."),
        ("You won't forget my number?", "It's 07700 900123."),
        ("Oh, forget my number, take my husband's.", "It's 07700 900123."),
        ("Borre el número de ayer.", "Ayer me llamó Ana, 612 345 678."),
        ("Effacez le numéro de commande.", "La commande, appelez Ana au 06 12 34 56 78."),
        ("Delete Renato's number from there.", "Renato pays 1000-1500 euros for it."),
    ],
)
def test_a_number_that_nobody_wants_to_be_erased_is_told(wish: str, told: str) -> None:
    topics = consent.topics([Message(0, "user", wish, NOW)])
    filtered = ForgetFilter([ForgottenTopic(NOW, stems) for stems in topics])

    assert filtered.told_at(EARLIER, told) == told


@pytest.mark.parametrize(
    "said",
    ["It's 07700 900123, that's 0770, 0900, 123.", "It's 07700 900123, so 900123 at the end."],
)
def test_a_number_that_is_said_again_in_another_way_goes_with_all_that_is_said(said: str) -> None:
    assert ForgetFilter([asked("Please erase my number.")]).told_at(EARLIER, said) == ""


def test_what_is_said_beside_a_number_to_be_erased_is_told() -> None:
    said = "Her dad's on 07700 900118. And mind, she's allergic to nuts."
    filtered = ForgetFilter([asked("Please delete her dad's number.")])

    [kept] = filtered.kept([Message(3, "user", said, EARLIER)])
    assert kept.content == "Her dad's on [number deleted]. And mind, she's allergic to nuts."
    assert filtered.told_on(EARLIER.date(), "Write to a@b.example.") == "Write to a@b.example."


def test_a_word_of_addresses_hides_nothing_else() -> None:
    filtered = ForgetFilter([asked("Please erase my number.")])

    told = filtered.told_at(EARLIER, "I'm at home, on 07700 900123, and up to a point I can walk.")
    assert told == "I'm at home, on [number deleted], and up to a point I can walk."


def test_an_address_that_is_spelled_out_again_goes_with_all_that_is_said() -> None:
    filtered = ForgetFilter([asked("Please delete my email address.")])

    assert filtered.told_at(EARLIER, "It's anna@b.example, that's anna at b dot example.") == ""
    assert (
        filtered.told_at(EARLIER, "It's anna@b.example, I'm at home.")
        == "It's [address deleted], I'm at home."
    )


def test_another_topic_is_told() -> None:
    assert "Marsh" in told(ForgottenTopic(NOW, topic("phone", "number")))


@pytest.mark.parametrize(
    "wish",
    [
        "Could you delete my ex's number, 07700 900118?",
        "Please delete the number 07700 900118.",
        "Could you take 07700 900118 off my file?",
        "Können Sie die Nummer von meinem Ex löschen, die 07700 900118?",
        "¿Podéis borrar el teléfono de mi ex, el 07700 900118?",
        "Vous pouvez effacer le numéro de mon ex, le 07700 900118 ?",
        "Può cancellare il numero del mio ex, il 07700 900118?",
        "Kunt u het nummer 07700 900118 wissen?",
        "Pode apagar o número do meu ex, o 07700 900118?",
    ],
)
def test_a_number_named_by_its_digits_is_told_no_more_whosever_it_was(wish: str) -> None:
    talk = [Message(0, "user", wish, NOW), Message(1, "agent", "07700 900118, done.", NOW)]
    filtered = ForgetFilter([ForgottenTopic(NOW, stems) for stems in consent.topics(talk)])

    assert filtered.told_at(EARLIER, "My husband's is 07700 900118.") == "My husband's is [number deleted]."
    assert filtered.told_at(EARLIER, "It's +44 7700 900118.") == "It's [number deleted]."
    assert filtered.told_at(EARLIER, "It's oh double seven double oh, nine double oh, one one eight.") == ""
    assert filtered.told_at(EARLIER, "Mine is 07700 900123.") == "Mine is 07700 900123."
    assert consent.kept(talk) == ()


@pytest.mark.parametrize(
    "said",
    [
        "Forget the onions, and call me on 07700 900118.",
        "Please note my number, 07700 900118, and delete my ex's.",
    ],
)
def test_a_number_given_beside_a_wish_for_another_is_kept(said: str) -> None:
    assert consent.kept([Message(0, "user", said, NOW)]) != ()


@pytest.mark.parametrize(
    ("began", "goes_on", "wish", "hidden"),
    [
        ("What I told you about Ben and the money...", "Yes?", "Forget it.", "Ben owes me money."),
        (
            "Was ich von Ben und dem Geld erzählt hab...",
            "Ja?",
            "Vergessen Sie das.",
            "Ben schuldet mir Geld.",
        ),
        ("Oiga, lo que le conté de Ben y el dinero...", "¿Sí?", "Olvídelo.", "Ben me debe dinero."),
        ("ce que je vous ai dit pour didier", "Oui ?", "oubliez ça hein", "didier me doit trois mille euros"),
        ("Senta, quello che le ho detto di Ben...", "Sì?", "Lo dimentichi.", "Ben mi deve dei soldi."),
        ("Zeg, wat ik u vertelde over Dirk...", "Ja?", "Vergeet dat maar.", "Dirk is me geld schuldig."),
        ("Olhe, o que lhe disse do Ben...", "Sim?", "Esqueça isso.", "O Ben deve-me dinheiro."),
    ],
)
def test_a_wish_may_begin_in_the_turn_before(began: str, goes_on: str, wish: str, hidden: str) -> None:
    talk = [
        Message(0, "user", began, NOW),
        Message(1, "agent", goes_on, NOW),
        Message(2, "user", wish, NOW),
        Message(3, "agent", ".", NOW),
    ]
    filtered = ForgetFilter([ForgottenTopic(NOW, stems) for stems in consent.topics(talk)])

    assert filtered.told_at(EARLIER, hidden) == ""
    assert filtered.told_at(EARLIER, "I want a sea view.") != ""


def test_what_was_said_before_a_wish_of_its_own_begins_none() -> None:
    talk = [
        Message(0, "user", "I told my sister about the party.", NOW),
        Message(1, "agent", "Yes?", NOW),
        Message(2, "user", "She'll bring the cake.", NOW),
    ]

    assert consent.topics(talk) == {}
    assert len(consent.kept(talk)) == len(talk)


@pytest.mark.parametrize("wish", ["Forget that, make it Saturday.", "She'll bring the cake."])
def test_who_changes_a_plan_wishes_nothing_forgotten(wish: str) -> None:
    talk = [
        Message(0, "user", "What I said about the party...", NOW),
        Message(1, "agent", "Yes?", NOW),
        Message(2, "user", wish, NOW),
    ]

    assert consent.topics(talk) == {}
