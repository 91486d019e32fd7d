import pytest

from voice_server.digest.language.languages import is_english, spoken_language

GERMAN = [
    "Praxis Lindner, guten Tag.",
    "Ja guten Tag, ich bräuchte ein Rezept für meine Tabletten.",
    "Das liegt ab morgen für Sie bereit.",
    "Kann das mein Sohn abholen? Und dann hätte ich noch gern einen Termin.",
]
ENGLISH = ["I am here and you are there, and we will see what they have for us when it is done."]


@pytest.mark.parametrize("given", ["en", "en-US", "EN-gb", "en_GB"])
def test_every_english_is_english(given: str) -> None:
    assert is_english(spoken_language(["Guten Tag"], given))


@pytest.mark.parametrize("given", ["de", "de-AT", "ja", "enm"])
def test_a_given_language_is_believed(given: str) -> None:
    assert spoken_language(["I am here and you are there"], given) == given
    assert not is_english(given)


@pytest.mark.parametrize(("said", "given", "spoken"), [(GERMAN, "en-US", "de"), (ENGLISH, "de", "en")])
def test_a_talk_that_clearly_is_in_another_language_is_believed_more(
    said: list[str], given: str, spoken: str
) -> None:
    assert spoken_language(said, given) == spoken


def test_a_talk_in_two_languages_is_in_the_one_that_is_given() -> None:
    assert spoken_language(GERMAN + ENGLISH, "en") == "en"
    assert spoken_language(GERMAN + ENGLISH, "de") == "de"


@pytest.mark.parametrize("given", ["nl-NL", "af", "lb", "eng"])
def test_what_cannot_be_told_from_the_words_is_believed(given: str) -> None:
    """Afrikaans looks like Dutch, whose words are known."""
    said = ["Hallo, dit is Pieter, ek wil my afspraak skuif want ek moet Donderdag werk en kan nie kom nie."]
    assert spoken_language(said * 3, given) == given


@pytest.mark.parametrize("given", ["", "und", "mul", "?"])
def test_english_is_recognised_by_its_function_words(given: str) -> None:
    assert spoken_language(["I can't make it on Friday, I have to work."], given) == "en"
    assert spoken_language(["It snowed."], given) == "en"


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("Ich kann am Freitag leider nicht kommen, was machen wir nun?", "de"),
        ("nee da arbeite ich mittwoch wäre besser", "de"),
        ("Ik kan vrijdag niet komen, we moeten het in de week daarna doen.", "nl"),
        ("No puedo ir el viernes, me gustaría cambiar la cita.", "es"),
        ("bonjour c'est madame Lefèvre je voudrais changer mon rendez-vous", "fr"),
        ("buongiorno sono Chiara Bruni volevo spostare l'appuntamento di giovedì", "it"),
        ("olá bom dia aqui é a Joana queria mudar a consulta para sexta", "pt"),
    ],
)
def test_a_language_whose_common_words_are_known_is_recognised(text: str, language: str) -> None:
    assert spoken_language([text]) == language


@pytest.mark.parametrize(
    "text",
    [
        "金曜日の予約を月曜日に変更したいです。",
        "hej det er Mette jeg ringer fordi min bil ikke vil starte igen den skal på værksted i morgen",
        "bună ziua sunt Andreea aș vrea să fac o programare pentru fiica mea că o doare în gât de luni",
        "bon dia sóc la Núria volia canviar l'hora de dijous perquè tinc una reunió a la feina",
        "ola bos días son a Uxía quería cambiar a cita do xoves porque teño que traballar",
        "dzień dobry chciałam przełożyć wizytę na piątek bo w czwartek nie mogę przyjść",
        "Lisbon. BL-77120.",
        "",
    ],
)
def test_another_one_stays_unknown(text: str) -> None:
    assert spoken_language([text]) == ""
