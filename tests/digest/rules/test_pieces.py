"""What was said, in pieces that can be quoted, with or without capitals and punctuation."""

from collections.abc import Callable

import pytest

from voice_server.digest.language.manner import LANGUAGES, manner
from voice_server.digest.rules.pieces import Piece, pieces
from voice_server.domain.conversation import Message

Call = Callable[[str], list[Message]]


def told(messages: list[Message], language: str = "en") -> list[str]:
    return [_told(one) for one in pieces(messages, manner(language))]


def _told(piece: Piece) -> str:
    return f"{piece.question} | {piece.text}" if piece.question else piece.text


def test_a_short_answer_keeps_its_question(call: Call) -> None:
    assert told(call("a: Do you have any allergies?\nu: Just latex.")) == [
        "Do you have any allergies? | Just latex."
    ]


def test_a_yes_stays_before_what_is_said_after_it(call: Call) -> None:
    said = pieces(call("u: Does the tram stop there?\na: Exactly. The ticket costs two euros."), manner("en"))

    assert [(one.question, one.text) for one in said] == [
        ("Does the tram stop there?", "Exactly. The ticket costs two euros.")
    ]


def test_a_yes_goes_with_the_name_or_number_that_fills_it_in(call: Call) -> None:
    said = pieces(call("a: Do you have the order number?\nu: Yes, one moment. QX 40 18."), manner("en"))

    assert [(one.question, one.text) for one in said] == [
        ("Do you have the order number?", "Yes, one moment. QX 40 18.")
    ]


def test_morning_and_night_say_when(call: Call) -> None:
    assert told(call("a: Any medicine?\nu: Insulin. Morning and night.")) == [
        "Any medicine? | Insulin. Morning and night."
    ]


@pytest.mark.parametrize(
    ("language", "asked", "said", "kept"),
    [
        (
            "en",
            "Is it still Quay Lane?",
            "Oh, no, I live in Plymouth these days with my father.",
            "Oh, no, I live",
        ),
        (
            "en",
            "Do you still smoke?",
            "No, I smoked for twenty years before my heart attack.",
            "No, I smoked",
        ),
        ("de", "Rauchen Sie noch?", "Nein, ich habe vor zwanzig Jahren mit Mühe aufgehört.", "Nein, ich"),
        ("es", "¿Sigue fumando?", "No, yo fumaba hace veinte años antes del infarto grave.", "No, yo"),
        (
            "fr",
            "Vous fumez encore ?",
            "Non, je fumais beaucoup avant mon infarctus de juin dernier.",
            "Non, je",
        ),
        ("it", "Fuma ancora?", "No, io fumavo vent'anni fa prima del mio infarto grave.", "No, io"),
        ("nl", "Rookt u nog?", "Nee, ik rookte twintig jaar geleden voor mijn zware hartaanval.", "Nee, ik"),
        ("pt", "Ainda fuma?", "Não, eu fumava há vinte anos antes do enfarte grave.", "Não, eu"),
    ],
)
def test_what_is_said_to_a_question_keeps_its_no(
    call: Call, language: str, asked: str, said: str, kept: str
) -> None:
    assert told(call(f"a: {asked}\nu: {said}"), language)[-1].rpartition(" | ")[2].startswith(kept)


def test_elsewhere_a_no_that_only_starts_is_left_out(call: Call) -> None:
    assert told(call("u: No, I live in Plymouth these days with my father.")) == [
        "I live in Plymouth these days with my father."
    ]


def test_of_a_longer_turn_the_no_goes_with_the_question(call: Call) -> None:
    assert told(
        call("a: Shall I book you a flight, then?\nu: No, trains only. I'm terrified of flying.")
    ) == [
        "Shall I book you a flight, then? | No, trains only.",
        "I'm terrified of flying.",
    ]


def test_a_name_or_number_stays_with_its_sentence(call: Call) -> None:
    assert told(call("u: I live in Plymouth now. 19 Hoe Road.")) == ["I live in Plymouth now. 19 Hoe Road."]


def test_what_the_other_is_called_by_is_nothing_said(call: Call) -> None:
    assert told(call("u: Grazie, dottoressa."), "it") == []


@pytest.mark.parametrize("said", ["Oh, penicillin.", "Okay, PL1.", "Well, metformin."])
def test_an_answer_of_one_word_is_told(call: Call, said: str) -> None:
    assert told(call(f"a: Tell me what it is.\nu: {said}"))[-1] == said.split(", ")[1]


@pytest.mark.parametrize(
    ("language", "asked", "answer"),
    [
        ("en", "okay and may i take paracetamol", "yes you may"),
        ("de", "okay und darf ich paracetamol nehmen", "ja das dürfen sie"),
        ("nl", "oke en mag ik paracetamol nemen", "ja dat mag"),
        ("fr", "d'accord et je peux prendre du doliprane", "oui vous pouvez"),
        ("fr", "et est-ce que je peux prendre du doliprane", "oui vous pouvez"),
        ("fr", "qu'est-ce que je dois apporter", "la carte vitale"),
        ("fr", "comment je peux payer", "par carte"),
        ("es", "vale y puedo tomar paracetamol", "sí puede"),
        ("it", "allora posso prendere la tachipirina", "sì può"),
        ("pt", "então posso tomar paracetamol", "sim pode"),
        ("de", "wie kann ich ihnen die karte schicken", "per post"),
        ("nl", "hoe kan ik u bereiken", "op mijn werk"),
    ],
)
def test_without_marks_a_callers_question_stands_with_its_answer(
    call: Call, language: str, asked: str, answer: str
) -> None:
    said = call(f"u: es ist noch etwas\na: hm\nu: {asked}\na: {answer}")

    assert f"{asked} | {answer}" in told(said, language)


@pytest.mark.parametrize(
    ("language", "asked", "answer"),
    [
        ("en", "I just wanted to know if you'd got my photos.", "Yes, we've got them."),
        ("en", "I'm ringing to see whether the coat's ready.", "Not quite."),
        ("de", "Ich wollte nur mal fragen, ob die Fotos da sind.", "Ja, die sind da."),
        ("es", "Quería saber si han llegado mis fotos.", "Sí, las tenemos."),
        ("fr", "C'était pour savoir si vous aviez bien reçu mes photos.", "Oui, on les a bien reçues."),
        ("it", "Volevo sapere se sono arrivate le foto.", "Sì, ci sono."),
        ("nl", "Ik wou even vragen of de foto's er zijn.", "Ja, die zijn er."),
        ("pt", "Era só para saber se receberam as fotos.", "Sim, recebemos."),
    ],
)
def test_who_wants_to_know_asks(call: Call, language: str, asked: str, answer: str) -> None:
    assert told(call(f"a: hm\nu: {asked}\na: {answer}"), language) == [f"{asked} | {answer}"]


@pytest.mark.parametrize(
    ("language", "said"),
    [
        ("de", "Ich wollte immer wissen, wer mein Vater war, und er wohnt in Köln."),
        ("de", "Ich möchte gar nicht wissen, was mein Sohn in Berlin treibt."),
        ("nl", "Ik wil echt niet weten wat mijn dochter in Utrecht uitspookt."),
        ("fr", "Je voulais savoir si mon mari me trompait et il me trompe avec Sophie."),
        ("es", "Quería saber cómo era mi padre y lo encontré en Sevilla."),
        ("en", "I was wondering how Peter would take it, but he was very kind about it."),
    ],
)
def test_who_tells_what_they_found_out_asks_nothing(call: Call, language: str, said: str) -> None:
    assert all(not one.asks for one in pieces(call(f"u: {said}"), manner(language)))


def test_what_somebody_may_do_answers_what_was_asked(call: Call) -> None:
    said = call("a: ¿Cuándo puede venir?\nu: puedo el jueves\na: sí perfecto")

    assert told(said, "es") == ["¿Cuándo puede venir? | puedo el jueves"]


def test_go_ahead_is_no_question(call: Call) -> None:
    said = pieces(call("a: I'll find out.\nu: please do i want forty rose bushes"), manner("en"))

    assert not said[-1].asks


@pytest.mark.parametrize(
    ("language", "asked", "said", "answer"),
    [
        ("en", "Which milk?", "Oat milk, because I can't have any other since the operation.", "Oat milk"),
        ("en", "Who is it for?", "Bertram Ogilvy. He's a bit deaf, so he'd sooner I rang you.", "Bertram"),
        ("de", "Welche Milch?", "Hafermilch, weil ich seit der Operation keine andere vertrage.", "Hafer"),
        ("es", "¿Qué leche?", "De avena. No puedo tomar ninguna otra desde mi operación.", "De avena"),
        ("fr", "Quel lait ?", "D'avoine, parce que je ne supporte rien d'autre depuis l'opération.", "D'"),
        ("it", "Che latte?", "Di avena. Non sopporto più nessun altro latte dopo la mia operazione.", "Di"),
        ("nl", "Welke melk?", "Havermelk, want ik verdraag sinds mijn operatie geen andere meer.", "Haver"),
        ("pt", "Que leite?", "De aveia. Não posso beber mais nenhum desde a minha operação.", "De aveia"),
    ],
)
def test_an_answer_that_goes_on_stands_with_its_question(
    call: Call, language: str, asked: str, said: str, answer: str
) -> None:
    assert told(call(f"a: {asked}\nu: {said}"), language)[0].startswith(f"{asked} | {answer}")


def test_an_answer_that_says_all_needs_no_question(call: Call) -> None:
    said = "My brakes are making a horrible squeaking noise when I drive downhill to the old harbour."

    assert said in told(call(f"a: What's the trouble with it?\nu: {said}"))


def test_a_question_is_known_by_its_first_word_where_nothing_is_punctuated(call: Call) -> None:
    assert told(call("a: what is your phone number\nu: nine one two")) == [
        "what is your phone number | nine one two"
    ]


def test_what_is_so_no_more_asks_nothing_though_its_first_word_may(call: Call) -> None:
    said = pieces(call("u: já não trabalho na biblioteca\na: anotado para a próxima"), manner("pt"))

    assert (said[0].text, said[0].asks) == ("já não trabalho na biblioteca", False)


@pytest.mark.parametrize(
    ("language", "said"),
    [
        ("en", "lovely anything else"),
        ("en", "Was there anything else on your mind?"),
        ("de", "gern sonst noch etwas"),
        ("fr", "très bien autre chose pour aujourd'hui"),
        ("es", "muy bien algo más"),
        ("it", "va bene le serve altro"),
        ("pt", "está bem mais alguma coisa"),
        ("nl", "prima anders nog iets"),
    ],
)
def test_an_offer_of_more_says_nothing_also_behind_a_courtesy(call: Call, language: str, said: str) -> None:
    assert told(call(f"u: my boiler is broken\na: {said}"), language) == ["my boiler is broken"]


@pytest.mark.parametrize(
    ("language", "said"),
    [
        ("en", "anything else hurts when I walk"),
        ("de", "sonst noch was hat mich geärgert"),
        ("fr", "autre chose ma chaudière est en panne"),
        ("es", "algo más me preocupa"),
        ("it", "altro problema la caldaia non parte"),
        ("pt", "mais alguma coisa se partiu"),
        ("nl", "nog iets ik ben verhuisd"),
    ],
)
def test_another_matter_that_begins_like_an_offer_is_told(call: Call, language: str, said: str) -> None:
    assert told(call(f"u: {said}"), language) == [said]


def test_what_is_dictated_bit_by_bit_is_one_piece(call: Call) -> None:
    talk = "u: my account ends in seven one\na: okay\nu: one three nine\nu: zero eight"

    assert told(call(talk)) == ["my account ends in seven one one three nine zero eight"]


@pytest.mark.parametrize(
    ("language", "said"),
    [
        ("en", "On the 3rd of May. No wait, the 13th."),
        ("de", "Lieber Mittwoch. Nee, Moment, Donnerstag."),
        ("es", "Somos dos. No, perdón, tres."),
        ("fr", "Elle a six ans. Euh non, sept !"),
        ("nl", "Tulpstraat 18. Nee, sorry, 81."),
        ("en", "It's parcel AB 3 0. No, hang on, AB 0 3."),
        ("en", "I cried all night. No, no, I slept well."),
        ("es", "A las diez. Ay, no, a las doce."),
    ],
)
def test_a_correction_stays_with_what_it_corrects(call: Call, language: str, said: str) -> None:
    [piece] = told(call(f"u: {said}"), language)

    assert piece == said.replace("Euh non", "Non")


def test_a_number_that_is_put_right_stays_with_what_was_wrong(call: Call) -> None:
    talk = "u: My reference is K7 4 9 2.\na: K7492, thank you.\nu: Sorry, K7 4 9 8."

    assert told(call(talk))[0] == "My reference is K7 4 9 2. … Sorry, K7 4 9 8."


@pytest.mark.parametrize(
    ("language", "said", "asked", "answer", "corrected"),
    [
        ("en", "A cake for twelve people.", "Which filling?", "Plums.", "Oh, and for twenty, not twelve."),
        ("de", "Einen Kuchen für zwölf Personen.", "Welche Füllung?", "Obst.", "Doch achtzehn, nicht zwölf."),
        ("es", "Una tarta para doce personas.", "¿Qué relleno?", "Fruta.", "Que sean veinte, no doce."),
        (
            "fr",
            "Un gâteau pour douze personnes.",
            "Quelle garniture ?",
            "Prunes.",
            "Mettez vingt, pas douze.",
        ),
        ("it", "Una torta per dodici persone.", "Che ripieno?", "Prugne.", "Facciamo venti, non dodici."),
        (
            "nl",
            "Een taart voor twaalf personen.",
            "Welke vulling?",
            "Pruimen.",
            "Toch achttien, niet twaalf.",
        ),
        ("pt", "Um bolo para doze pessoas.", "Que recheio?", "Ameixa.", "Afinal são vinte, não doze."),
    ],
)
def test_what_takes_back_a_value_stands_with_it_also_after_another_answer(
    call: Call, language: str, said: str, asked: str, answer: str, corrected: str
) -> None:
    talk = f"u: {said}\na: {asked}\nu: {answer} {corrected}"

    assert told(call(talk), language) == [f"{said} … {corrected}", f"{asked} | {answer}"]


@pytest.mark.parametrize(
    ("language", "said", "repeated", "corrected"),
    [
        ("en", "I take a size forty.", "Right, forty.", "Actually, forty-two."),
        ("de", "Ich habe Größe vierzig.", "Gut, vierzig.", "Doch lieber zweiundvierzig."),
        ("es", "Uso la talla cuarenta.", "Muy bien, la cuarenta.", "Mejor la cuarenta y dos."),
        ("fr", "Je fais du quarante.", "Très bien, quarante.", "Plutôt quarante-deux."),
        ("it", "Porto la taglia quaranta.", "Bene, quaranta.", "Anzi quarantadue."),
        ("nl", "Ik heb maat veertig.", "Goed, veertig.", "Doe maar tweeënveertig."),
        ("pt", "Eu visto o quarenta.", "Muito bem, o quarenta.", "Aliás, quarenta e dois."),
    ],
)
def test_a_second_thought_stands_with_what_was_only_repeated(
    call: Call, language: str, said: str, repeated: str, corrected: str
) -> None:
    talk = f"u: {said}\na: {repeated}\nu: {corrected}"

    assert told(call(talk), language) == [f"{said} … {corrected}"]


@pytest.mark.parametrize(
    ("language", "said", "more"),
    [
        ("en", "I live in Leeds.", "I'm not in Leeds on Friday."),
        ("en", "I love the garden.", "It's not the garden, it's the rain that bothers me."),
        ("es", "Vivo en Valencia.", "El viernes no estoy en Valencia."),
        ("it", "Abito a Bologna.", "Venerdì non sono a Bologna."),
        ("de", "Meine Schwester hat zwei Katzen.", "Ich mag Hunde, nicht wirklich Katzen."),
    ],
)
def test_what_is_only_denied_takes_nothing_back(call: Call, language: str, said: str, more: str) -> None:
    talk = f"u: {said}\na: The weather turns cold at the weekend.\nu: {more}"

    assert [said, more] == [one for one in told(call(talk), language) if "weather" not in one]


@pytest.mark.parametrize(
    ("language", "said", "repeated", "more"),
    [
        ("en", "I live in Leeds with my son.", "Leeds, with your son.", "Happy birthday Tom."),
        ("en", "We moved in May.", "Right, in May.", "Hot month."),
        ("en", "I have an appointment on Monday.", "Monday, right.", "With Doctor Hale."),
        ("en", "I want a table for four.", "A table for four.", "At seven."),
        ("de", "Ich habe am Montag einen Termin.", "Am Montag, gut.", "Bei Doktor Hahn."),
        ("es", "Tengo cita el lunes.", "El lunes, muy bien.", "Con la doctora Ruiz."),
        ("fr", "J'ai rendez-vous lundi.", "Lundi, très bien.", "Avec le docteur Petit."),
        ("it", "Ho un appuntamento lunedì.", "Lunedì, bene.", "Con il dottor Conti."),
        ("nl", "Ik heb maandag een afspraak.", "Maandag, goed.", "Bij dokter Visser."),
        ("pt", "Tenho consulta na segunda.", "Na segunda, muito bem.", "Com o doutor Matos."),
    ],
)
def test_what_goes_on_behind_a_repetition_corrects_nothing(
    call: Call, language: str, said: str, repeated: str, more: str
) -> None:
    assert [one for one in told(call(f"u: {said}\na: {repeated}\nu: {more}"), language) if "…" in one] == []


@pytest.mark.parametrize("more", ["No, on Friday.", "On Friday.", "Actually, Friday."])
def test_another_day_behind_a_repetition_takes_the_place_of_the_first(call: Call, more: str) -> None:
    talk = f"u: I have an appointment on Monday.\na: Right, on Monday.\nu: {more}"

    assert told(call(talk))[0].startswith("I have an appointment on Monday. … ")


@pytest.mark.parametrize(
    ("language", "said", "echo", "right"),
    [
        ("en", "It's the sixth of June, at the mill.", "The sixth of June, lovely.", "No, not the sixth."),
        ("de", "Wir sind acht Leute am Samstag.", "Acht Leute am Samstag, gut.", "Nein, neun."),
        (
            "es",
            "Quería una mesa para seis el sábado.",
            "Mesa para seis el sábado, muy bien.",
            "No, perdón, siete.",
        ),
    ],
)
def test_what_an_agent_only_said_again_goes_where_something_is_put_right_later(
    call: Call, language: str, said: str, echo: str, right: str
) -> None:
    more = "\n".join(f"u: We built the shed {number} ourselves.\na: Did you?" for number in range(3))

    heard = told(call(f"u: {said}\na: {echo}\n{more}\nu: {right}"), language)

    assert not any(echo in one for one in heard)
    assert any(said in one for one in heard)


@pytest.mark.parametrize(
    ("said", "answer"),
    [
        ("There is parking behind the house.", "There is no parking behind the house."),
        ("I take five milligrams.", "Five milligrams is the usual dose."),
        ("My son Tom eats nuts.\na: Yes?\nu: And Mia is allergic.", "So Tom is allergic."),
    ],
)
def test_what_an_agent_adds_or_denies_is_kept(call: Call, said: str, answer: str) -> None:
    talk = f"u: {said}\na: {answer}\nu: We built the shed ourselves.\nu: No, not the shed, the fence."

    assert any(answer in one for one in told(call(talk)))


def test_what_denies_a_word_of_another_matter_corrects_nothing(call: Call) -> None:
    talk = "u: The car is at the garage.\na: Oh dear, poor you.\nu: So I come by bus, not car."

    assert [one for one in told(call(talk)) if "…" in one] == []


def test_a_value_said_long_before_is_not_the_one_put_right(call: Call) -> None:
    between = "\n".join(f"u: I also have a {animal} at home." for animal in ("cat", "dog", "bird", "horse"))
    talk = f"u: A cake for twelve people.\n{between}\nu: My daughter has eighteen lessons, not twelve."

    assert [one for one in told(call(talk)) if "…" in one] == []


def test_what_is_put_right_has_the_positions_of_both_messages(call: Call) -> None:
    talk = "u: I take a size forty.\na: Right, forty.\nu: Actually, forty-two."

    [one] = pieces(call(talk), manner("en"))

    assert (one.position, one.also) == (0, (2,))


def test_what_was_built_on_a_wrong_value_stands_before_its_correction(call: Call) -> None:
    talk = "u: I take five milligrams.\na: Five milligrams is the usual dose.\nu: Ten, not five."

    assert told(call(talk)) == [
        "I take five milligrams.",
        "Five milligrams is the usual dose.",
        "Ten, not five.",
    ]


def test_a_fragment_stays_with_the_words_before(call: Call) -> None:
    assert told(call("u: I paint. Watercolours.")) == ["I paint. Watercolours."]


def test_what_only_starts_a_sentence_is_left_out(call: Call) -> None:
    assert told(call("u: Oh, well, um, I keep bees.")) == ["I keep bees."]


@pytest.mark.parametrize(
    ("said", "once", "language"),
    [
        ("I went to to the the pool", "I went to the pool", "en"),
        ("long time no see I keep um bees", "I keep bees", "en"),
        ("ich wohne in in Kiel", "ich wohne in Kiel", "de"),
        ("nous nous voyons dans le le jardin", "nous nous voyons dans le jardin", "fr"),
        ("it is five five one one two", "it is five five one one two", "en"),
        ("do you know the way to Kiel", "do you know the way to Kiel", "en"),
        ("il numero è tre sei sei otto uno uno", "il numero è tre sei sei otto uno uno", "it"),
        ("è il sei, sei, tre, zero, uno uno", "è il sei, sei, tre, zero, uno uno", "it"),
        ("zéro six un un douze vingt deux", "zéro six un un douze vingt deux", "fr"),
        ("o meu é nove um um três sete um um", "o meu é nove um um três sete um um", "pt"),
        ("nul zes een een twee vier een een", "nul zes een een twee vier een een", "nl"),
        ("sei sei anni più vecchia di me", "sei anni più vecchia di me", "it"),
        ("je voudrais un un rendez-vous", "je voudrais un rendez-vous", "fr"),
        ("queria um um orçamento por três dias", "queria um orçamento por três dias", "pt"),
        ("om twee uur heb ik een een afspraak", "om twee uur heb ik een afspraak", "nl"),
    ],
)
def test_what_a_speaker_stumbles_over_is_told_once(call: Call, said: str, once: str, language: str) -> None:
    assert told(call(f"u: {said}"), language) == [once]


@pytest.mark.parametrize(
    ("language", "said", "left"),
    [
        ("en", "I keep, you know, bees.", "I keep, bees."),
        ("en", "It's, er, the red one.", "It's, the red one."),
        ("de", "Das ist, äh, mein Bruder.", "Das ist, mein Bruder."),
        ("es", "Este, quiero pedir una cita.", "quiero pedir una cita."),
        ("es", "Quiero, este, pedir una cita.", "Quiero, pedir una cita."),
        ("es", "Quiero, esteee, pedir una cita.", "Quiero, pedir una cita."),
        ("fr", "Ben, je voudrais une table.", "je voudrais une table."),
        ("it", "Cioè, vorrei un tavolo.", "vorrei un tavolo."),
    ],
)
def test_what_only_fills_a_pause_is_left_out(call: Call, language: str, said: str, left: str) -> None:
    assert told(call(f"u: {said}"), language) == [left]


WORD_FOR_WORD = {
    "en": "I like the kind of bread you bake well.|My mother is in the ER again."
    "|i took him to the er on friday|She is a woman you know already.|I guess what matters is the garden."
    "|I hope you're well enough for the walk.|I asked Ada how's it going with Tom.|My right knee hurts."
    "|I keep bees, like my father did.",
    "de": "Der Zug hält also in Kiel.|Das Auto kommt zum Halt am Tor.|Ich habe halt zwei Katzen.",
    "es": "Mi hija me dio este número.|Este jueves voy a Ponce.|Vivo al este de la ciudad.|Es un médico bueno"
    " y barato.|Quiero esto pues me gusta.|Necesito un tornillo de 10 mm para la puerta.",
    "fr": "Mon fils Ben a trois ans.|Je ne sais pas quoi faire de mon chien.|C'est un bon médecin de Lyon.",
    "it": "Vengo dopodomani, cioè giovedì.|Mi serve una vite da 10 mm per la porta.|Abitavo allora a Bari.",
    "pt": "É um tipo de pão sem glúten.|Eu morava então em Braga.|Meu pai mora em Faro, pois gosta do mar.",
    "nl": "Ik ben ziek, dus ik kom dinsdag.|Mijn dochter woont dus in Breda.",
}


@pytest.mark.parametrize("language", WORD_FOR_WORD)
def test_a_word_that_may_mean_something_stays_in_a_quote(call: Call, language: str) -> None:
    said = WORD_FOR_WORD[language].split("|")

    assert [told(call(f"u: {one}"), language) for one in said] == [[one] for one in said]


def test_a_date_is_not_cut(call: Call) -> None:
    assert told(call("u: Sie hat am 3. Mai Geburtstag."), "de") == ["Sie hat am 3. Mai Geburtstag."]


def test_how_the_agent_takes_the_call_says_nothing(call: Call) -> None:
    assert told(call("a: Corner Garage, hi there.\nu: My brakes squeak badly.")) == [
        "My brakes squeak badly."
    ]
    assert told(call("a: old mill garage tom here\nu: My brakes squeak badly.")) == [
        "My brakes squeak badly."
    ]


COURTESIES = {
    "en": "Thanks for calling, how can I help you today?|You're welcome.|Okay, great, thanks!"
    "|Have a nice day.",
    "de": "Guten Tag, was kann ich für Sie tun?|Vielen Dank.|Alles klar, tschüss."
    "|Kann ich sonst noch etwas für Sie tun?",
    "es": "Hola, buenos días, ¿en qué le puedo ayudar?|Muchas gracias.|Vale, hasta luego.|¿Algo más?",
    "fr": "Bonjour, que puis-je faire pour vous ?|Merci beaucoup.|Bonne journée !|D'accord, au revoir.",
    "it": "Buongiorno, come posso aiutarla?|Grazie mille.|Va bene, arrivederci.|Buona giornata!",
    "pt": "Bom dia, em que posso ajudar?|Muito obrigada.|Está bem, até logo.|Mais alguma coisa?",
    "nl": "Goedemorgen, waarmee kan ik u helpen?|Dank u wel.|Oké, tot ziens.|Fijne dag nog!",
}
NEWS = {
    "en": "How can I help my daughter with her anxiety?|I'm 84, you know.|Thank you for the plum cake."
    "|ten o'clock|My name is Good.",
    "de": "Ich bin Witwer.|Um zehn Uhr.|Danke für den Kuchen.",
    "es": "Soy celíaca.|A las cinco.|Gracias por el pastel.",
    "fr": "Je suis veuf.|À vingt heures.|Merci pour le gâteau.",
    "it": "Sono vegana.|Alle cinque.|Grazie per la torta.",
    "pt": "Sou viúva.|Às seis horas.|Obrigado pelo bolo.",
    "nl": "Ik ben weduwnaar.|Om tien uur.|Bedankt voor de taart.",
}


@pytest.mark.parametrize("language", LANGUAGES)
def test_courtesies_say_nothing(call: Call, language: str) -> None:
    said = [one for one in COURTESIES[language].split("|") if told(call(f"u: {one}"), language)]

    assert said == []


@pytest.mark.parametrize("language", LANGUAGES)
def test_short_news_say_something(call: Call, language: str) -> None:
    unheard = [one for one in NEWS[language].split("|") if not told(call(f"u: {one}"), language)]

    assert unheard == []


PASSING = {
    "en": "I'm so tired.|I'm at the supermarket.|It's raining.",
    "de": "Ich bin total müde.|Ich bin gerade im Zug.",
    "es": "Estoy muy cansada.|Tengo hambre.",
    "fr": "Je suis fatigué.|Il pleut.",
    "it": "Sono stanco.|Ho fretta.",
    "pt": "Estou cansada.|Está a chover.",
    "nl": "Ik ben zo moe.|Het regent.",
}
LASTING = {
    "en": "I'm diabetic.|I've been married for ten years.",
    "de": "Ich bin Diabetiker.|Ich bin verheiratet.",
    "es": "Soy diabética.|Estoy casada.",
    "fr": "Je suis diabétique.|Je suis marié.",
    "it": "Sono allergico alle noci.|Sono sposata.",
    "pt": "Sou diabético.|Estou grávida.",
    "nl": "Ik ben diabeet.|Ik ben getrouwd.",
}


@pytest.mark.parametrize("language", LANGUAGES)
def test_what_only_holds_for_the_day_is_told_apart(language: str) -> None:
    passing = manner(language).passing

    assert [one for one in PASSING[language].split("|") if not passing.search(one)] == []
    assert [one for one in LASTING[language].split("|") if passing.search(one)] == []


CHANGED = {
    "en": "I don't work there any more.|They've moved it.|I stopped taking it.|Tuesdays from now on.|"
    "I'm not allergic after all.|I take three a day now.|Now I drive a Yaris.",
    "de": "Ich arbeite nicht mehr dort.|Der Termin ist verschoben.|Ab jetzt dienstags.|"
    "Ich bin doch nicht allergisch.|Ich nehme jetzt drei am Tag.",
    "es": "Ya no trabajo allí.|Han cambiado la hora, la han cancelado.|"
    "Los martes a partir de ahora.|Antes tomaba café.|"
    "Resulta que no soy alérgica.|Ahora tomo tres al día.",
    "fr": "Je ne travaille plus là.|C'est annulé.|Le mardi désormais.|"
    "En fait je ne suis pas allergique.|Je prends trois comprimés maintenant.",
    "it": "Non lavoro più lì.|È stato spostato.|D'ora in poi il martedì.|Non più il martedì.|"
    "È venuto fuori che non sono allergica.|Adesso prendo tre pastiglie.",
    "pt": "Já não trabalho lá.|Foi cancelada.|Às terças a partir de agora.|"
    "Afinal não sou alérgica.|Agora tomo três por dia.|Mudámo-nos.",
    "nl": "Ik werk daar niet meer.|Het is verplaatst.|Voortaan op dinsdag.|"
    "Ik ben toch niet allergisch.|Ik neem nu drie per dag.",
}
UNCHANGED = {
    "en": "I'm at work now.|Now I see.",
    "de": "Ich bin jetzt im Park.",
    "es": "Ahora estoy en el parque.|Llámeme antes de las cinco.",
    "fr": "Maintenant je dors.",
    "it": "Adesso sono al parco.|A che ora?|Dura un'ora.|Non vede l'ora di venire.",
    "pt": "Agora estou no parque.",
    "nl": "Ik ben nu in het park.",
}


@pytest.mark.parametrize("language", LANGUAGES)
def test_what_is_so_no_more_is_heard(language: str) -> None:
    changes = manner(language).changes

    assert [one for one in CHANGED[language].split("|") if not changes.search(one)] == []
    assert [one for one in UNCHANGED[language].split("|") if changes.search(one)] == []


def test_sentences_written_without_spaces_are_pieces_of_their_own(call: Call) -> None:
    assert told(call("u: 我住在上海。我有两只猫。我的妻子是医生。"), "zh") == [
        "我住在上海。",
        "我有两只猫。",
        "我的妻子是医生。",
    ]


def test_fragments_without_end_make_many_pieces(call: Call) -> None:
    assert max(map(len, told(call("u: " + "Xy. " * 1000)))) <= 310


@pytest.mark.parametrize(
    ("language", "said"),
    [
        ("en", "Just a quick question."),
        ("en", "That's good to hear."),
        ("de", "Nur kurze Frage."),
        ("es", "Una pregunta rápida."),
        ("fr", "Juste une petite question."),
        ("it", "Solo una domanda veloce."),
        ("nl", "Nog een korte vraag."),
        ("pt", "Só uma pergunta rápida."),
    ],
)
def test_what_only_leads_to_something_is_no_piece(call: Call, language: str, said: str) -> None:
    assert told(call(f"u: {said}\nu: Saffron 17 Kiwi."), language) == ["Saffron 17 Kiwi."]


def test_a_question_that_says_what_it_is_about_is_a_piece(call: Call) -> None:
    assert told(call("u: Quick question about the boiler.")) == ["Quick question about the boiler."]


@pytest.mark.parametrize(
    ("language", "said"),
    [
        ("en", "Good to hear!"),
        ("de", "Das tut mir leid."),
        ("es", "Lo siento mucho."),
        ("fr", "Bon à savoir."),
        ("it", "Mi dispiace."),
        ("pt", "Sinto muito."),
        ("nl", "Wat vervelend."),
    ],
)
def test_sympathy_says_nothing(call: Call, language: str, said: str) -> None:
    assert told(call(f"u: 12 kilo zinc.\na: {said}"), language) == ["12 kilo zinc."]


def test_a_question_waits_for_its_answer_behind_one_more_sentence(call: Call) -> None:
    said = "u: Can my husband come in, too? He hears better than me.\na: Of course, no problem."

    assert told(call(said)) == [
        "He hears better than me.",
        "Can my husband come in, too? | Of course, no problem.",
    ]


def test_without_marks_the_last_sentence_alone_is_answered(call: Call) -> None:
    said = (
        "a: and what time would you like to come in\na: i'm sorry what day would you like first\nu: tuesday"
    )

    assert ("and what time would you like to come in | tuesday") not in told(call(said))


def test_what_an_agent_asks_and_nobody_answers_tells_nothing(call: Call) -> None:
    said = call(
        "a: What's the noise? Is it raining?\nu: My kitten Bramble came from my aunt in Leeds yesterday."
    )

    assert [one.text for one in pieces(said, manner("en")) if one.said_by == "agent"] == []


def test_what_follows_on_a_part_that_is_missing_answers_no_earlier_question(call: Call) -> None:
    said = call("a: How was work?\nu: My boss was drunk.\na: Forgotten.\nu: Thank you. I started a course.")
    kept = [one for one in said if one.position in (0, 3)]

    assert all(not piece.question for piece in pieces(kept, manner("en")))


def test_a_letter_that_a_name_has_twice_is_said_twice(call: Call) -> None:
    assert told(call("a: How is it spelt?\nu: No, two. A D D O.")) == ["How is it spelt? | No, two. A D D O."]


@pytest.mark.parametrize(
    ("language", "asked", "said"),
    [
        ("en", "Is your daughter coming, too?", "Anja? She's with her husband in Spain."),
        ("de", "Kommt Ihre Tochter auch?", "Die Anja? Die ist mit ihrem Mann in Spanien."),
        ("es", "¿Viene también su hija?", "¿Anja? Está con su marido en España."),
        ("fr", "Votre fille vient aussi ?", "Anja ? Elle est en Espagne avec son mari."),
        ("it", "Viene anche sua figlia?", "Anja? È in Spagna con il marito."),
        ("pt", "A sua filha também vem?", "A Anja? Está em Espanha com o marido."),
        ("nl", "Komt uw dochter ook nog?", "Anja? Die zit met haar man in Spanje."),
    ],
)
def test_who_only_says_again_of_whom_is_asked_answers(
    call: Call, language: str, asked: str, said: str
) -> None:
    assert told(call(f"a: {asked}\nu: {said}\na: OK."), language) == [f"{asked} | {said}"]


def test_an_echo_of_what_was_said_is_answered_by_nothing(call: Call) -> None:
    said = told(call("a: Learn ten sentences.\nu: Ten? All right then.\na: And watch a film on Sunday."))

    assert said[-1] == "And watch a film on Sunday."


def test_a_brief_question_of_ones_own_is_answered(call: Call) -> None:
    said = told(call("a: We'll come by.\nu: When? I have been waiting for weeks.\na: On Friday at nine."))

    assert "When? | On Friday at nine." in said


@pytest.mark.parametrize(
    ("language", "asked", "said"),
    [
        ("en", "Any thought of another dog?", "No, I'm too old to start again with a pup now."),
        (
            "de",
            "Wollen Sie wieder einen Hund?",
            "Nein, ich bin zu alt, um noch mal mit einem Welpen anzufangen.",
        ),
        ("es", "¿Tendrá otro perro?", "No, ya soy muy mayor para empezar de nuevo con un cachorro."),
        ("fr", "Un autre chien ?", "Non, je suis trop vieux pour recommencer avec un chiot."),
        ("it", "Un altro cane?", "No, sono troppo vecchio per ricominciare con un cucciolo."),
        ("pt", "Outro cão?", "Não, já sou velho demais para recomeçar com um cachorro."),
        ("nl", "Weer een hond?", "Nee, ik ben te oud om nog eens met een pup te beginnen."),
    ],
)
def test_a_yes_or_no_that_goes_on_stands_with_its_question(
    call: Call, language: str, asked: str, said: str
) -> None:
    assert told(call(f"a: {asked}\nu: {said}"), language) == [f"{asked} | {said}"]


@pytest.mark.parametrize(
    ("language", "said", "says_nothing"),
    [
        ("en", "Your parcel is in.", "I'm in."),
        ("de", "Ihr Paket ist da.", "Ich bin da."),
        ("nl", "Uw pakket is binnen.", "Ik ben er."),
        ("es", "Ha llegado su paquete.", "Estoy aquí."),
        ("fr", "Votre colis est arrivé.", "Je suis là."),
        ("it", "È arrivato il suo pacco.", "Sono qui."),
        ("pt", "Já chegou a sua encomenda.", "Estou aqui."),
    ],
    ids=["en", "de", "nl", "es", "fr", "it", "pt"],
)
def test_that_something_is_there_is_told_in_few_words(
    call: Call, language: str, said: str, says_nothing: str
) -> None:
    assert told(call(f"a: .\nu: Alba.\na: {said}"), language) == ["Alba.", said]
    assert told(call(f"a: .\nu: Alba.\na: {says_nothing}"), language) == ["Alba."]


@pytest.mark.parametrize(
    ("language", "opening", "news"),
    [
        ("en", "Hello Mrs Hill, it's Elm Road.", "Your results are in, kidneys are fine."),
        ("de", "Guten Tag, Frau Thal.", "Ihre Werte sind da, die Nieren sind in Ordnung."),
        ("es", "Buenos días, señora Ruiz.", "Ya están los resultados, los riñones están bien."),
        ("fr", "Bonjour, Madame Morel.", "Vos résultats sont là, les reins vont bien."),
    ],
)
def test_news_with_which_an_agent_rings_is_told(call: Call, language: str, opening: str, news: str) -> None:
    said = pieces(call(f"a: {opening} {news}\nu: Thank the Lord."), manner(language))

    assert news in [one.text for one in said if not one.thin]


@pytest.mark.parametrize(
    ("language", "opening"),
    [
        ("en", "Good morning, Castle Mutual. You're through to claims, what can I do for you?"),
        ("fr", "Bonjour. Vous êtes bien au cabinet du docteur Morel."),
        ("it", "Buongiorno. Parla con Giulia del centro estetico."),
        ("de", "Guten Tag. Sie sprechen mit der Zentrale der Stadtwerke."),
        ("es", "Buenos días. Le atiende la operadora del taller grande."),
        ("nl", "Goedemorgen. U spreekt met de meldkamer van de gemeente."),
        ("pt", "Bom dia. Fala a rececionista da clínica nova."),
    ],
)
def test_who_takes_a_call_tells_no_news(call: Call, language: str, opening: str) -> None:
    said = pieces(call(f"a: {opening}\nu: 77 Green Lane."), manner(language))

    assert [one.text for one in said if not one.thin] == ["77 Green Lane."]
