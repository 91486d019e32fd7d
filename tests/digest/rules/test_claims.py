"""What of a conversation is worth knowing in months, in the words in which it was said."""

from collections.abc import Callable
from datetime import timedelta
from zoneinfo import ZoneInfo

import pytest
from digest.conftest import TUESDAY_MORNING

from voice_server.digest.extractive import digest
from voice_server.digest.facts import reconcile
from voice_server.digest.facts.reconcile import ConversationClaims
from voice_server.digest.language.manner import manner
from voice_server.digest.rules.topics import topic_of
from voice_server.domain.conversation import Message
from voice_server.domain.digest import Digest

Call = Callable[[str], list[Message]]
Understood = Callable[[str], Digest]


def test_one_statement_is_one_claim_with_the_message_it_came_from(understood: Understood) -> None:
    made = understood("u: I'm diabetic. And I live in Hamburg.")

    assert [(one.about, one.text, one.positions) for one in made.claims] == [
        ("user", '"I\'m diabetic."', (0,)),
        ("user", '"And I live in Hamburg."', (0,)),
    ]


def test_what_the_agent_says_of_its_own_doing_is_a_claim_of_its_own(understood: Understood) -> None:
    made = understood("u: My parcel never came to the shop.\na: I've sent the courier to Lime Street again.")

    assert [one.about for one in made.claims] == ["user", "agent"]


def test_a_question_alone_is_no_claim(understood: Understood) -> None:
    assert understood("u: Do you open on Saturdays at the harbour?").claims == ()


def test_a_conversation_has_a_bounded_number_of_claims(understood: Understood) -> None:
    talk = "\n".join(f"u: My cousin number {n} lives in town {n}." for n in range(30))

    assert len(understood(talk).claims) == 8


def test_a_claim_is_less_certain_than_a_models(understood: Understood) -> None:
    assert [one.certainty < 0.9 for one in understood("u: I keep bees.").claims] == [True]


def test_what_surely_comes_has_its_day(understood: Understood) -> None:
    [claim] = understood("u: I'm flying to Lisbon tomorrow.").claims

    assert claim.due is not None
    assert (claim.due - claim.said_on).days == 1


@pytest.mark.parametrize(
    ("language", "said", "topic"),
    [
        ("en", "we moved to Bristol last week", "home"),
        ("en", "my address is 12 Oak Avenue", "address"),
        ("de", "Ich wohne jetzt in Fulda.", "home"),
        ("fr", "J'habite à Lyon maintenant.", "home"),
        ("es", "Ahora vivo en Vigo.", "home"),
        ("it", "Adesso abito a Trieste.", "home"),
        ("pt", "Agora moro em Faro.", "home"),
        ("nl", "Ik woon nu in Gouda.", "home"),
        ("en", "We've moved.", "home"),
        ("en", "I live at 12 Mill Lane", "home"),
        ("en", "where do you live", "home"),
        ("en", "I've changed jobs", "job"),
        ("en", "What do you do?", "job"),
        ("en", "whats your address", "address"),
        ("en", "I have a new address", "address"),
        ("en", "What number can we reach you on?", "phone"),
        ("en", "my number has changed", "phone"),
        ("en", "I've got a new email", "email"),
        ("en", "Your address?", "address"),
        ("en", "And could I have a mobile number?", "phone"),
        ("en", "Do you have a mobile number for the plumber?", ""),
        ("de", "Haben Sie eine Handynummer?", "phone"),
        ("de", "Haben Sie eine Handynummer von ihm?", ""),
        ("es", "¿Me da un teléfono de contacto?", "phone"),
        ("fr", "Vous avez un numéro de téléphone ?", "phone"),
        ("it", "Mi lascia un numero?", "phone"),
        ("pt", "Tem um telefone?", "phone"),
        ("nl", "Heeft u een telefoonnummer?", "phone"),
        ("de", "wir sind letzte Woche umgezogen", "home"),
        ("de", "Jetzt wohne ich in Bremen.", "home"),
        ("de", "Was machen Sie beruflich?", "job"),
        ("de", "Wie ist die Adresse?", "address"),
        ("de", "An welche Adresse denn?", "address"),
        ("de", "Unter welcher Nummer?", "phone"),
        ("de", "ich habe eine neue Nummer", "phone"),
        ("fr", "On vient de déménager.", "home"),
        ("fr", "Où habitez-vous ?", "home"),
        ("fr", "J'ai changé de travail.", "job"),
        ("fr", "À quelle adresse ?", "address"),
        ("fr", "j'ai une nouvelle adresse", "address"),
        ("fr", "À quel numéro ?", "phone"),
        ("fr", "J'ai changé de numéro.", "phone"),
        ("fr", "j'ai changé d'adresse mail", "email"),
        ("es", "Nos hemos cambiado de casa.", "home"),
        ("es", "he cambiado de trabajo", "job"),
        ("es", "¿A qué dirección?", "address"),
        ("es", "tenemos nueva dirección", "address"),
        ("es", "¿A qué número?", "phone"),
        ("es", "He cambiado de número.", "phone"),
        ("it", "abbiamo cambiato casa", "home"),
        ("it", "A che indirizzo?", "address"),
        ("it", "abbiamo un nuovo indirizzo", "address"),
        ("it", "A che numero?", "phone"),
        ("it", "Ho cambiato numero.", "phone"),
        ("pt", "Mudámos de casa.", "home"),
        ("pt", "mudei de emprego", "job"),
        ("pt", "Em que morada?", "address"),
        ("pt", "temos um novo endereço", "address"),
        ("pt", "Para que número?", "phone"),
        ("pt", "Mudei de número.", "phone"),
        ("nl", "We zijn vorige week verhuisd.", "home"),
        ("nl", "Waar woont u?", "home"),
        ("nl", "ik heb een nieuwe baan", "job"),
        ("nl", "Op welk adres?", "address"),
        ("nl", "Op welk nummer?", "phone"),
        ("nl", "ik heb een nieuw nummer", "phone"),
        ("en", "I love the sea.", ""),
        ("en", "We've moved the table to the window.", ""),
        ("en", "My sister has a new number.", ""),
        ("en", "What do you do on Sundays?", ""),
        ("de", "Meine Schwester hat eine neue Nummer.", ""),
        ("fr", "Ma soeur a changé de numéro.", ""),
        ("es", "Mi hermana tiene un número nuevo.", ""),
        ("it", "Mia sorella ha cambiato numero.", ""),
        ("pt", "A minha irmã mudou de número.", ""),
        ("nl", "Mijn zus heeft een nieuw nummer.", ""),
        ("ja", "東京に住んでいます。", ""),
    ],
)
def test_what_there_is_one_of_has_its_topic(language: str, said: str, topic: str) -> None:
    assert topic_of(said, manner(language)) == topic


def holding(understood: Understood, *calls: str) -> list[str]:
    """The facts that hold after these calls, a day apart."""
    told = [
        ConversationClaims(
            number, TUESDAY_MORNING + timedelta(days=number), str(number), understood(call).claims
        )
        for number, call in enumerate(calls)
    ]
    return [fact.text for fact in reconcile.facts(told) if not fact.superseded_by]


def test_a_newer_value_takes_the_place_of_the_one_before(understood: Understood) -> None:
    assert holding(understood, "u: I live in Berlin.", "u: I moved to Hamburg.") == ['"I moved to Hamburg."']


@pytest.mark.parametrize(
    ("language", "before", "moved", "which"),
    [
        ("en", "a: Whats your address?\nu: 12 Mill Lane.", "We've moved.", "Where to?"),
        ("en", "a: What's your number?\nu: 01632 960112.", "I've changed my number.", "What's the new one?"),
        ("de", "a: An welche Adresse?\nu: Mühlweg 12.", "Wir sind umgezogen.", "Wohin denn?"),
        ("fr", "a: À quelle adresse ?\nu: 12 rue du Moulin.", "On vient de déménager. Eh oui.", "Où ça ?"),
        ("es", "a: ¿A qué número?\nu: 612 960 112.", "He cambiado de número.", "¿Cuál es el nuevo?"),
        ("it", "a: A che numero?\nu: 333 960 112.", "Ho cambiato numero.", "Qual è quello nuovo?"),
        ("pt", "a: Em que morada?\nu: Rua do Moinho 12.", "Mudámos de casa.", "Para onde?"),
        ("nl", "a: Op welk nummer?\nu: 06 12960112.", "Ik heb een nieuw nummer.", "Wat is het?"),
    ],
)
def test_what_is_said_to_a_question_for_the_new_one_takes_the_place_of_the_old(
    call: Call, language: str, before: str, moved: str, which: str
) -> None:
    facts = holding(understood_in(call, language), before, f"u: {moved}\na: {which}\nu: Hafen 40 960 445.")

    assert not [one for one in facts if "12" in one]
    assert [one for one in facts if "445" in one]


def test_what_is_asked_of_a_home_besides_is_not_where_it_is(call: Call) -> None:
    facts = holding(
        understood_in(call, "en"),
        "a: What's your address?\nu: 12 Mill Lane.",
        "u: We've moved to Hull.\na: Any pets?\nu: Two cats.",
    )

    assert '"What\'s your address?" – "12 Mill Lane."' in facts


def test_what_is_so_no_more_takes_the_place_of_what_was(understood: Understood) -> None:
    facts = holding(understood, "u: I take ramipril every day.", "u: I don't take ramipril any more.")

    assert facts == ['"I don\'t take ramipril any more."']


def test_what_says_more_than_what_changed_stays(understood: Understood) -> None:
    facts = holding(
        understood,
        "u: I take ramipril in the morning, a statin at night and vitamins at noon.",
        "u: I don't take ramipril any more.",
    )

    assert len(facts) == 2


@pytest.mark.parametrize(
    "said",
    [
        "u: I work at night most of the time.",
        "u: I started at nine this morning with the painting of my fence.",
        "u: If I moved to Lisbon I would miss my garden.",
        "a: Is this your phone number?\nu: Yes.",
    ],
)
def test_what_gives_no_value_has_no_topic(understood: Understood, said: str) -> None:
    """Or it would take the place of what the caller does, where they live, by which number they are
    reached."""
    assert [one.topic for one in understood(said).claims] == [""]


@pytest.mark.parametrize(
    ("language", "asked", "said"),
    [
        ("en", "What's the address?", "You know that, love."),
        ("en", "Where do you live?", "Same house as always."),
        ("en", "What's your number?", "You've got it on file."),
        ("de", "Wie ist die Adresse?", "Die gleiche wie immer."),
        ("de", "Wo wohnen Sie?", "Das haben Sie doch schon."),
        ("fr", "À quelle adresse ?", "La même que d'habitude."),
        ("fr", "Où habitez-vous ?", "Comme toujours, rien n'a pas changé."),
        ("es", "¿A qué dirección?", "A la de siempre."),
        ("es", "¿Dónde vive?", "En el mismo sitio."),
        ("it", "A che indirizzo?", "Al solito."),
        ("it", "Dove abita?", "Nello stesso posto."),
        ("pt", "Em que morada?", "Na mesma de sempre."),
        ("pt", "Onde mora?", "No mesmo sítio."),
        ("nl", "Op welk adres?", "Hetzelfde als vorige keer."),
        ("nl", "Waar woont u?", "Zoals altijd, het is niet veranderd."),
    ],
)
def test_what_is_as_it_was_takes_the_place_of_nothing(
    call: Call, language: str, asked: str, said: str
) -> None:
    claims = understood_in(call, language)(f"a: {asked}\nu: {said}").claims

    assert {one.topic for one in claims} <= {""}


def test_a_new_value_beside_what_stays_the_same_is_one(call: Call) -> None:
    said = "u: We've moved.\na: Where to?\nu: 19 Harbour Row. Same town."

    assert [one.topic for one in understood_in(call, "en")(said).claims] == ["home", "address"]


def understood_in(call: Call, language: str) -> Understood:
    return lambda text: digest(call(text), timezone=ZoneInfo("Europe/Berlin"), language=language)


@pytest.mark.parametrize(
    ("language", "said", "moved", "left"),
    [
        (
            "es",
            "Vivo solo en Ponce, con una gata que se llama Canela.",
            "Me mudé a Mayagüez.",
            "… con una gata que se llama Canela.",
        ),
        (
            "en",
            "I live in Bristol and I look after my old father.",
            "I moved to Leeds.",
            "… and I look after my old father.",
        ),
        ("en", "I live in Bristol with my two boys.", "I moved to Leeds.", "… with my two boys."),
        (
            "de",
            "Ich habe zwei Katzen und ich wohne in Fulda.",
            "Ich bin nach Kassel umgezogen.",
            "Ich habe zwei Katzen …",
        ),
        (
            "fr",
            "J'habite à Lyon avec ma fille Zoé, qui est allergique aux noix.",
            "J'ai déménagé à Lille.",
            "… avec ma fille Zoé, qui est allergique aux noix.",
        ),
        (
            "it",
            "Abito a Bari, e ho due cani grandi.",
            "Mi sono trasferita a Lecce.",
            "… e ho due cani grandi.",
        ),
        ("pt", "Moro em Faro com a minha mãe doente.", "Mudei-me para Braga.", "… com a minha mãe doente."),
        (
            "nl",
            "Ik woon in Gouda, met mijn zieke moeder.",
            "Ik ben verhuisd naar Breda.",
            "… met mijn zieke moeder.",
        ),
    ],
)
def test_a_move_leaves_what_was_said_beside_the_place(
    call: Call, language: str, said: str, moved: str, left: str
) -> None:
    facts = holding(understood_in(call, language), f"u: {said}", f"u: {moved}")

    assert sorted(facts) == sorted([f'"{left}"', f'"{moved}"'])


@pytest.mark.parametrize(
    ("said", "moved"),
    [
        ("u: I live in Bristol, near Oak Avenue.", "u: I moved to Leeds."),
        ("u: I live in Bristol, in Clifton.", "u: I moved to Leeds."),
        (
            "u: My address is 12 Oak Avenue, second floor, Bristol BS1 4DJ.",
            "u: My address is 7 Elm Road, Leeds.",
        ),
    ],
)
def test_a_value_is_one_whatever_belongs_to_it(understood: Understood, said: str, moved: str) -> None:
    assert len(holding(understood, said, moved)) == 1


def test_an_answer_keeps_its_question_with_the_value(call: Call) -> None:
    made = understood_in(call, "de")("a: Wo wohnen Sie?\nu: In Fulda, mit einer Katze, die Minka heißt.")

    assert [(one.text, one.topic) for one in made.claims] == [
        ('"Wo wohnen Sie?" – "In Fulda …"', "home"),
        ('"… mit einer Katze, die Minka heißt."', ""),
    ]


def test_what_is_quoted_and_what_is_claimed_are_the_same_words(call: Call) -> None:
    made = understood_in(call, "es")("u: Vivo solo en Ponce, con una gata que se llama Canela.")

    assert [one.text for one in made.key_moments] == [one.text for one in made.claims]


@pytest.mark.parametrize(
    ("language", "told", "asked"),
    [
        ("en", "I'm allergic to sulfa", "you've got that written down, haven't you?"),
        ("en", "My wife's in a wheelchair", "is there a ramp?"),
        ("de", "Ich bin allergisch gegen Penicillin", "das wissen Sie doch, oder?"),
        ("es", "Soy alérgica a la penicilina", "¿lo tienen apuntado?"),
        ("fr", "Je suis allergique à la pénicilline", "vous l'avez noté, n'est-ce pas ?"),
        ("it", "Mia moglie è in sedia a rotelle", "c'è una rampa?"),
        ("pt", "A minha mulher anda de cadeira de rodas", "há rampa?"),
        ("nl", "Ik ben allergisch voor penicilline", "dat weet u toch?"),
    ],
)
def test_what_lasts_before_a_question_is_the_callers_own(
    call: Call, language: str, told: str, asked: str
) -> None:
    made = digest(call(f"u: {told}, {asked}\na: OK."), timezone=ZoneInfo("UTC"), language=language)

    assert (made.claims[0].about, made.claims[0].text) == ("user", f'"{told}"')


@pytest.mark.parametrize(
    "asked",
    [
        "My name's on the list, right?",
        "If I'm diabetic, can I still give blood?",
        "Can I bring my dog, Max, on Friday?",
        "My appointment is on Friday, is that right?",
        "I'm calling about my appointment, is it still on?",
        "I prefer tea, not coffee, right?",
    ],
)
def test_what_is_only_asked_is_no_claim_of_the_callers(understood: Understood, asked: str) -> None:
    assert [one.about for one in understood(f"u: {asked}\na: Yes, on the ground floor.").claims] == ["agent"]


@pytest.mark.parametrize(
    ("language", "said"),
    [
        ("en", "I live at Flat 4, 12 Station Road, Hove now."),
        ("fr", "J'habite au 5, rue des Lilas, à Annecy."),
        ("it", "Ora abito al 5, via dei Lillà, Parma."),
    ],
)
def test_an_address_is_not_cut_behind_its_number(call: Call, language: str, said: str) -> None:
    made = digest(call(f"u: {said}"), timezone=ZoneInfo("UTC"), language=language)

    assert [one.text for one in made.claims] == [f'"{said}"']


def test_an_address_holds_whatever_day_is_named_beside_it(understood: Understood) -> None:
    made = understood(
        "a: What's the address?\nu: Eleven Tanner's Yard. It's been out since six this morning."
    )

    assert [(one.topic, one.due) for one in made.claims] == [("address", None)]
