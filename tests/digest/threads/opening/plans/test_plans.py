"""What the user says of a day to come is a plan where it is certain, and says what it is."""

from collections.abc import Callable
from datetime import date

import pytest

from voice_server.context.sections.quotes import undated
from voice_server.domain.digest import OpenThread

Opened = Callable[..., tuple[OpenThread, ...]]


def test_a_journey_of_some_days_is_over_when_its_last_day_is(opened: Opened) -> None:
    (thread,) = opened("u: We're visiting my sister in Leeds from the 3rd to the 5th of December.")

    assert thread.due == date(2026, 12, 5)
    assert "5th of December (3 to 5 December 2026)" in thread.text


@pytest.mark.parametrize(
    ("language", "said"),
    [
        ("en", "Yes, I'm at the doctor's on Friday at ten."),
        ("en", "I have a doctor's appointment on Friday at ten."),
        ("de", "Am Freitag um zehn habe ich Krankengymnastik."),
        ("de", "ich hab am freitag um zehn den augenarzt"),
        ("de", "Ja, am Freitag um zehn muss ich zum Arzt."),
        ("es", "Sí, el viernes a las diez voy al médico."),
        ("fr", "j'ai l'ophtalmo vendredi à dix heures"),
        ("fr", "Oui, vendredi à dix heures je vais chez le médecin."),
        ("it", "ho l'oculista venerdì alle dieci"),
        ("pt", "tenho o oculista na sexta às dez"),
        ("nl", "vrijdag om tien uur moet ik naar de fysio"),
        ("nl", "ik heb vrijdag om tien uur de oogarts"),
    ],
)
def test_what_somebody_has_on_at_an_hour_is_a_plan(opened: Opened, language: str, said: str) -> None:
    (thread,) = opened(f"u: {said}", language)

    assert (thread.kind, thread.text, thread.due) == ("plan", f'"{said}"', date(2026, 11, 20))


@pytest.mark.parametrize(
    ("language", "asked", "said"),
    [
        ("en", "When's your physio?", "friday at ten"),
        ("de", "Wann müssen Sie zum Arzt?", "am freitag um zehn"),
        ("es", "¿Cuándo es la fisio?", "el viernes a las diez"),
        ("it", "Quando è la fisioterapia?", "venerdì alle dieci"),
    ],
)
def test_an_hour_that_answers_when_is_told_with_the_question(
    opened: Opened, language: str, asked: str, said: str
) -> None:
    (thread,) = opened(f"a: Hm.\nu: Hm.\na: {asked}\nu: {said}", language)

    assert (thread.text, thread.due) == (f'"{asked}" – "{said}"', date(2026, 11, 20))


def test_what_is_on_this_week_may_be_told_in_few_words(opened: Opened) -> None:
    (thread,) = opened("a: Hello.\nu: Hi.\na: Anything else this week?\nu: physio on Friday at ten")

    assert (thread.kind, thread.due) == ("plan", date(2026, 11, 20))


@pytest.mark.parametrize(
    ("language", "asked", "said"),
    [
        ("en", "When was it?", "Friday at ten, on the ring road."),
        ("de", "Wann haben Sie es zuletzt gesehen?", "Am Bahnhof, Freitag um zehn."),
        ("es", "¿Cuándo fue?", "En el autobús, el viernes a las diez."),
        ("nl", "Wanneer was dat?", "Bij het station, vrijdag om tien uur."),
        ("pt", "Quando foi?", "No autocarro, sexta às dez."),
    ],
)
def test_an_hour_that_answers_when_it_was_is_no_plan(
    opened: Opened, language: str, asked: str, said: str
) -> None:
    assert opened(f"a: Hm.\nu: Hm.\na: {asked}\nu: {said}", language) == ()


@pytest.mark.parametrize(
    ("language", "said"),
    [
        ("en", "I am still angry about Friday at ten."),
        ("de", "Ich habe einen verpassten Anruf von Freitag um zehn."),
        ("it", "Ho un vostro messaggio di venerdì alle dieci."),
        ("nl", "Ik heb een gemiste oproep van vrijdag tien uur."),
        ("pt", "Tenho uma chamada perdida de sexta às dez."),
    ],
)
def test_what_is_of_an_hour_is_not_on_then(opened: Opened, language: str, said: str) -> None:
    assert opened(f"u: {said}", language) == ()


@pytest.mark.parametrize(
    ("language", "wish", "refusal"),
    [
        ("en", "a table for four on saturday at seven", "I'm sorry, we're full."),
        ("de", "einen tisch für vier am samstag um sieben", "Da sind wir leider voll."),
        ("fr", "une table pour quatre samedi à vingt heures", "Désolé, c'est complet."),
    ],
)
def test_what_is_wished_for_and_refused_is_no_plan(
    opened: Opened, language: str, wish: str, refusal: str
) -> None:
    assert opened(f"a: Hello, how can I help?\nu: {wish}\na: {refusal}", language) == ()


@pytest.mark.parametrize(
    ("language", "said"),
    [
        ("en", "on friday at ten my neighbour knocked on the door and i fell"),
        ("en", "friday at ten i was still waiting"),
        ("en", "every friday at ten i have physio"),
        ("en", "friday at ten doesn't work for me"),
        ("de", "am freitag um zehn ist die heizung ausgegangen"),
        ("es", "el viernes a las diez llamé y no contestó nadie"),
        ("fr", "vendredi à dix heures j'ai appelé et personne n'a répondu"),
        ("it", "venerdì alle dieci ho chiamato e non rispondeva nessuno"),
        ("nl", "vrijdag om tien uur belde ik en er nam niemand op"),
        ("pt", "na sexta às dez liguei e ninguém atendeu"),
    ],
)
def test_an_hour_of_which_something_is_told_is_no_plan(opened: Opened, language: str, said: str) -> None:
    assert opened(f"u: {said}", language) == ()


@pytest.mark.parametrize(
    ("language", "said"),
    [
        ("en", "My operation is in six weeks."),
        ("de", "Meine Operation ist in sechs Wochen."),
        ("es", "La operación es en seis semanas."),
        ("fr", "Mon opération est dans six semaines."),
        ("it", "La mia operazione è tra sei settimane."),
        ("pt", "A minha operação é daqui a seis semanas."),
        ("nl", "Mijn operatie is over zes weken."),
    ],
)
def test_what_is_certain_to_come_is_a_plan_however_briefly_it_is_said(
    opened: Opened, language: str, said: str
) -> None:
    (thread,) = opened(f"u: {said}", language)

    assert (thread.kind, thread.text, thread.due) == ("plan", f'"{said}"', date(2026, 12, 29))


@pytest.mark.parametrize(
    "said", ["My operation may be in six weeks.", "I'm free in six weeks.", "It was six weeks ago."]
)
def test_what_is_not_certain_to_come_is_no_plan(opened: Opened, said: str) -> None:
    assert opened(f"u: {said}") == ()


@pytest.mark.parametrize(
    ("language", "said"),
    [
        ("en", "She's in San Antonio at her sister's until Wednesday."),
        ("de", "Die ist noch bis Mittwoch bei ihrer Schwester in Köln."),
        ("es", "Está en Sevilla en casa de su hermana hasta el miércoles."),
        ("fr", "Elle est chez sa sœur à Lyon jusqu'à mercredi."),
        ("it", "È a Torino da sua sorella fino a mercoledì."),
        ("pt", "Está no Porto em casa da irmã até quarta."),
        ("nl", "Die is tot woensdag bij haar zus in Breda."),
    ],
)
def test_how_long_another_stays_somewhere_is_no_plan(opened: Opened, language: str, said: str) -> None:
    assert opened(f"a: Hello.\nu: {said}", language) == ()


def test_a_plan_with_a_certain_day_is_kept_in_mind(opened: Opened) -> None:
    (thread,) = opened("a: What is new?\nu: I'm flying to Lisbon tomorrow to see my sister.\na: Nice!")

    assert (thread.kind, thread.due) == ("plan", date(2026, 11, 18))
    assert thread.text == '"I\'m flying to Lisbon tomorrow to see my sister."'


@pytest.mark.parametrize(
    "said",
    [
        "I can't make it tomorrow.",
        "Maybe I'm flying to Lisbon tomorrow.",
        "I'm free tomorrow afternoon, as ever.",
    ],
)
def test_a_day_alone_makes_no_plan(opened: Opened, said: str) -> None:
    assert opened(f"a: What is new?\nu: {said}\na: I see.") == ()


def test_what_is_done_for_a_journey_leaves_it_ahead(opened: Opened) -> None:
    (thread,) = opened("a: Hi.\nu: I'm flying to Lisbon tomorrow with Dora. I bought the tickets to Lisbon.")

    assert thread.due == date(2026, 11, 18)


@pytest.mark.parametrize("excuse", ["Tuesday I have my feet done.", "I teach on Tuesday evenings."])
def test_why_somebody_cannot_come_then_is_no_plan(opened: Opened, excuse: str) -> None:
    said = f"a: Could you come next Tuesday at two?\nu: {excuse}\na: I see."

    assert opened(said) == ()


def test_what_was_done_on_a_day_is_not_to_come(opened: Opened) -> None:
    assert opened("a: And the form?\nu: I signed it and posted it on Monday.") == ()


def test_an_answer_that_only_dates_is_told_with_its_question(opened: Opened) -> None:
    (thread,) = opened("a: When is your driving test?\nu: It's on the twelfth of December.")

    assert (thread.kind, thread.due) == ("plan", date(2026, 12, 12))
    assert undated(thread.text) == '"When is your driving test?" – "It\'s on the twelfth of December."'


def test_what_has_to_be_done_on_a_day_is_a_plan(opened: Opened) -> None:
    (thread,) = opened("a: Is Noor free then?\nu: I haven't asked her, I must ring her tonight.")

    assert (thread.kind, thread.due) == ("plan", date(2026, 11, 17))
    assert thread.text == '"Is Noor free then?" – "I haven\'t asked her, I must ring her tonight."'


def test_of_a_long_turn_a_plan_is_what_is_said_around_its_day(opened: Opened) -> None:
    (thread,) = opened(
        "a: How did it go?\nu: oh it went fine they did my blood and they said i'm fit as a flea"
        " they've give me a date it's the twelfth of january for the operation"
    )

    assert (thread.kind, thread.due) == ("plan", date(2027, 1, 12))
    assert "twelfth of january for the operation" in thread.text


@pytest.mark.parametrize(
    ("language", "said"),
    [
        ("en", "Alvin didn't come on Sunday, he's coming this Saturday."),
        ("de", "Alvin ist am Sonntag nicht gekommen, er kommt diesen Samstag."),
        ("fr", "Alvin n'est pas venu dimanche, il vient ce samedi."),
        ("es", "Alonso no vino el domingo, viene este sábado."),
        ("it", "Aldo non è venuto domenica, viene questo sabato."),
        ("nl", "Alwin is zondag niet gekomen, hij komt deze zaterdag."),
        ("pt", "O Alberto não veio no domingo, vem este sábado."),
    ],
)
def test_what_comes_instead_of_a_visit_that_did_not_happen_is_a_plan(
    opened: Opened, language: str, said: str
) -> None:
    (thread,) = opened(f"a: Hello.\nu: {said}", language)

    assert (thread.kind, thread.text, thread.due) == ("plan", f'"{said}"', date(2026, 11, 21))


@pytest.mark.parametrize(
    ("asked", "said", "told"),
    [
        (
            "How was it?",
            "Alvin never turned up. He's coming on Saturday now.",
            '"Alvin never turned up. He\'s coming on Saturday now."',
        ),
        (
            "Did Alvin come on Sunday?",
            "No, he was ill. He's coming this Saturday.",
            '"Did Alvin come on Sunday?" – "He\'s coming this Saturday."',
        ),
    ],
)
def test_a_bare_day_instead_is_told_with_what_did_not_happen(
    opened: Opened, asked: str, said: str, told: str
) -> None:
    (thread,) = opened(f"a: {asked}\nu: {said}")

    assert (thread.text, thread.due) == (told, date(2026, 11, 21))


@pytest.mark.parametrize(
    ("language", "said"), [("de", "Morgen, Roswitha Kniep."), ("nl", "Morgen, Wouter Smit.")]
)
def test_a_greeting_is_not_tomorrow(opened: Opened, language: str, said: str) -> None:
    assert opened(f"a: Praxis Dr. Ahlers.\nu: {said}", language) == ()


def test_a_date_alone_is_of_what_was_said_just_before(opened: Opened) -> None:
    (thread,) = opened("a: And the hip?\nu: The doctor wants an X-ray. December the fourth.")

    assert thread.text == '"And the hip?" – "The doctor wants an X-ray. December the fourth."'
    assert thread.due == date(2026, 12, 4)


@pytest.mark.parametrize(
    ("language", "said"),
    [
        ("en", "I must ring my daughter on Sunday for her birthday"),
        ("de", "ich muss am Sonntag meine Tochter anrufen zum Geburtstag"),
        ("fr", "je dois appeler ma fille dimanche pour son anniversaire"),
    ],
)
def test_what_one_must_do_for_a_birthday_is_planned(opened: Opened, language: str, said: str) -> None:
    assert [one.due for one in opened(f"a: .\nu: {said}", language=language)] == [date(2026, 11, 22)]


def test_when_one_is_at_home_at_the_earliest_is_no_plan(opened: Opened) -> None:
    assert opened("a: Hallo.\nu: Morgen bin ich erst ab elf da.", language="de") == ()


@pytest.mark.parametrize(
    ("language", "said"),
    [
        ("en", "my daughter rang she's not coming Saturday but Sunday"),
        ("de", "meine Tochter kommt nicht am Samstag sondern am Sonntag"),
        ("es", "mi hija no viene el sábado sino el domingo"),
        ("fr", "ma fille ne vient pas samedi mais dimanche"),
        ("it", "mia figlia non viene sabato ma domenica"),
        ("pt", "a minha filha não vem no sábado mas no domingo"),
        ("nl", "mijn dochter heeft gebeld ze komt niet zaterdag maar zondag"),
    ],
)
def test_of_not_this_day_but_that_the_other_is_due(opened: Opened, language: str, said: str) -> None:
    assert [one.due for one in opened(f"a: .\nu: {said}", language=language)] == [date(2026, 11, 22)]


@pytest.mark.parametrize(
    ("language", "said"),
    [
        ("en", "I've got an appointment on Thursday at half eleven"),
        ("de", "ich hab am Donnerstag um halb zwölf einen Termin"),
        ("es", "tengo cita el jueves a las once y media"),
        ("fr", "j'ai rendez-vous jeudi à onze heures et demie"),
        ("it", "ho appuntamento giovedì alle undici e mezza"),
        ("pt", "tenho consulta na quinta às onze e meia"),
        ("nl", "ik heb donderdag om half twaalf een afspraak"),
    ],
)
def test_an_appointment_that_names_nothing_else_is_planned(opened: Opened, language: str, said: str) -> None:
    assert [one.due for one in opened(f"a: .\nu: {said}", language=language)] == [date(2026, 11, 19)]


def test_a_plan_is_told_with_the_brief_question_that_it_answers(opened: Opened) -> None:
    (thread,) = opened("a: ¿Y su nieta?\nu: se casa en junio en Cádiz", language="es")

    assert undated(thread.text).startswith('"¿Y su nieta?" – "se casa en junio')


@pytest.mark.parametrize(
    ("language", "said"),
    [
        ("en", "we've a tournament on Sunday"),
        ("en", "sunday ive got a match"),
        ("de", "Sonntag haben wir Besuch"),
        ("de", "am Sonntag bin ich bei meinem Neffen"),
        ("fr", "dimanche j'ai un match"),
        ("it", "domenica ho la partita"),
        ("pt", "no domingo temos um casamento"),
    ],
)
def test_an_event_that_one_has_is_planned(opened: Opened, language: str, said: str) -> None:
    assert [one.due for one in opened(f"a: .\nu: {said}", language=language)] == [date(2026, 11, 22)]


@pytest.mark.parametrize(
    ("language", "said"),
    [
        ("fr", "dimanche j'ai eu un malaise"),
        ("it", "domenica ho avuto la febbre"),
        ("de", "Sonntag hab ich meine Schwester gesehen"),
        ("de", "am Sonntag bin ich zum Arzt gegangen"),
        ("en", "I've had a cold since Sunday"),
    ],
)
def test_what_one_has_had_is_no_plan(opened: Opened, language: str, said: str) -> None:
    assert opened(f"a: .\nu: {said}", language=language) == ()


@pytest.mark.parametrize(
    ("language", "said", "due"),
    [
        ("en", "yes but he couldn't fix it he's coming back on Friday", 20),
        ("es", "sí pero no pudo arreglarlo vuelve el viernes", 20),
        ("pt", "já fui mas os correios estavam fechados vou sexta", 20),
        ("nl", "hij kon niet komen hij is ziek vrijdag proberen we het weer", 20),
    ],
)
def test_what_comes_after_something_failed_is_planned(
    opened: Opened, language: str, said: str, due: int
) -> None:
    assert [one.due for one in opened(f"a: .\nu: {said}", language=language)] == [date(2026, 11, due)]


@pytest.mark.parametrize(
    ("language", "said"),
    [
        ("de", "am fünften dezember das ist ein samstag wir sind achtzehn"),
        ("de", "Wir feiern am 5. Dezember, das ist ein Samstag, und sind achtzehn."),
        ("pt", "é no dia cinco de dezembro num sábado somos dezoito"),
        ("en", "the party's on saturday the fifth of december"),
    ],
)
def test_a_weekday_beside_its_date_is_of_that_date(opened: Opened, language: str, said: str) -> None:
    assert [one.due for one in opened(f"u: {said}", language)] == [date(2026, 12, 5)]


def test_a_weekday_beside_the_date_asked_for_is_of_that_date(opened: Opened) -> None:
    (thread,) = opened(
        "u: devo organizzare la cena\na: Quando è?\nu: il cinque dicembre di sabato siamo in diciotto", "it"
    )

    assert thread.due == date(2026, 12, 5)


@pytest.mark.parametrize(
    ("language", "text"),
    [
        ("en", "u: And the deposit went through on Tuesday?\na: It did, thanks."),
        ("en", "u: You got my email on Tuesday?\na: Yes, I did."),
        ("es", "u: ¿El pago llegó el martes?\na: Sí, llegó."),
        ("es", "u: ¿Lo enviaron el lunes?\na: Sí, el lunes."),
        ("it", "u: L'avete spedito lunedì?\na: Sì, lunedì."),
        ("pt", "u: O pagamento chegou na terça?\na: Sim, chegou."),
        ("nl", "u: Heeft u het maandag verstuurd?\na: Ja, maandag."),
        ("en", "a: from the first of january by three percent\nu: okay good to know"),
        ("de", "a: zum ersten januar um drei prozent\nu: okay dann weiß ich bescheid"),
        ("fr", "a: au premier janvier de trois pour cent\nu: d'accord c'est noté"),
        ("nl", "a: per één januari met drie procent\nu: oké dan weet ik dat"),
        ("it", "u: siete aperti domenica\na: No."),
        ("pt", "u: abrem ao domingo\na: Não."),
        ("fr", "u: vous êtes ouverts dimanche\na: Non."),
        ("it", "u: Ho cambiato numero, ora è il tre tre otto.\na: Grazie, segnato."),
        ("pt", "u: mudei de telemóvel agora é o nove um dois\na: Obrigada, está registado."),
        ("it", "u: Porto un pacemaker, quindi niente elettroterapia."),
        ("it", "u: Porto gli occhiali da quando ero bambina."),
        ("pt", "u: Levo insulina."),
    ],
)
def test_what_was_what_costs_and_what_one_wears_opens_nothing(
    opened: Opened, language: str, text: str
) -> None:
    assert opened(text, language) == ()


@pytest.mark.parametrize(
    ("language", "text"),
    [
        ("en", "u: We said Friday, didn't we?\na: Yes, Friday."),
        ("de", "u: Hatten wir Freitag gesagt?\na: Ja, Freitag."),
        ("nl", "u: Had u vrijdag gezegd?\na: Ja, vrijdag."),
        ("es", "u: ¿Me apuntaron para el viernes?\na: Sí, el viernes."),
        ("es", "u: ¿La cita era el viernes?\na: Sí, el viernes."),
        ("de", "u: Der Termin war doch am Freitag?\na: Ja, am Freitag um zehn."),
        ("en", "u: I'd like Friday at ten.\na: Monday I'm away.\nu: That's fine.\na: You're booked in."),
        ("it", "u: Porto gli occhiali da riparare venerdì."),
        ("pt", "u: Levo a insulina na sexta."),
    ],
)
def test_a_day_agreed_on_before_and_what_is_brought_then_stay_ahead(
    opened: Opened, language: str, text: str
) -> None:
    (thread,) = opened(text, language)

    assert thread.due == date(2026, 11, 20)


@pytest.mark.parametrize(
    ("language", "text"),
    [
        ("es", "Oye, que esta tarde no voy a poder, se me ha puesto malo el niño."),
        ("de", "und die blutabnahme am montag die schaffen wir nicht am montag fahren wir zum bahnhof"),
        (
            "nl",
            "en het bloedprikken maandag dat redden we niet maandag brengen we de kinderen naar het station",
        ),
    ],
)
def test_what_will_not_be_is_no_plan(opened: Opened, language: str, text: str) -> None:
    assert opened(f"u: {text}\na: –", language) == ()


@pytest.mark.parametrize(
    ("language", "said"),
    [
        ("en", "I've got my blood test on Friday."),
        ("de", "Am Freitag habe ich Zahnarzt."),
        ("de", "am freitag habe ich blutabnahme"),
        ("es", "El viernes me sacan sangre."),
        ("fr", "Vendredi j'ai une IRM."),
        ("fr", "vendredi j'ai ma prise de sang"),
        ("it", "Venerdì ho gli esami del sangue."),
        ("it", "venerdì ho una risonanza"),
        ("pt", "Na sexta tenho análises."),
        ("nl", "Vrijdag heb ik bloedprikken."),
    ],
)
def test_an_examination_of_the_speaker_is_ahead(opened: Opened, language: str, said: str) -> None:
    assert [(one.kind, one.due) for one in opened(f"u: {said}", language)] == [("plan", date(2026, 11, 20))]


@pytest.mark.parametrize(
    ("language", "said"),
    [
        ("en", "I've got my blood test results on Friday's letter."),
        ("de", "Ich habe die Operation vom Montag gut überstanden."),
        ("de", "Ich habe am Montag ein MRT gehabt."),
        ("fr", "J'ai passé une IRM lundi."),
        ("it", "Ho gli esami di lunedì qui davanti."),
        ("pt", "Tenho aqui as análises de segunda."),
        ("nl", "Ik heb de scan van maandag hier."),
    ],
)
def test_an_examination_that_was_is_no_plan(opened: Opened, language: str, said: str) -> None:
    assert opened(f"u: {said}", language) == ()


@pytest.mark.parametrize(
    ("language", "said"),
    [
        ("en", "Next Wednesday I've got my blood test."),
        ("de", "Nächsten Mittwoch habe ich Zahnarzt."),
        ("fr", "Mercredi prochain j'ai le dentiste."),
        ("it", "Mercoledì prossimo ho il dentista."),
        ("pt", "Na próxima quarta tenho dentista."),
        ("nl", "Volgende woensdag heb ik tandarts."),
    ],
)
def test_tomorrow_is_not_called_next_wednesday(opened: Opened, language: str, said: str) -> None:
    assert [one.due for one in opened(f"u: {said}", language)] == [date(2026, 11, 25)]


@pytest.mark.parametrize(
    ("language", "text"),
    [
        ("en", "I'd like to switch from Tuesday to Monday."),
        ("de", "Ich würde gern von Dienstag auf Montag wechseln."),
        ("es", "Me gustaría cambiar del martes al lunes."),
        ("fr", "Je voudrais passer du mardi au lundi."),
        ("it", "Vorrei passare da martedì a lunedì."),
        ("pt", "Queria passar de terça para segunda."),
        ("nl", "Ik wil graag van de dinsdag naar de maandag."),
    ],
)
def test_a_wish_for_another_weekday_is_no_plan(opened: Opened, language: str, text: str) -> None:
    assert opened(f"u: {text}\na: –", language) == ()


@pytest.mark.parametrize(
    ("language", "asked", "said"),
    [
        ("en", "Did it come?", "yes on wednesday already looks nice"),
        ("de", "Ist es angekommen?", "ja am mittwoch schon sieht gut aus"),
        ("es", "¿Ha llegado?", "sí ya el miércoles tiene buena pinta"),
        ("fr", "Tu as reçu la recette ?", "Oui, dès mercredi."),
        ("it", "È arrivato?", "sì già mercoledì sembra bello"),
        ("pt", "Chegou?", "sim já na quarta tem bom aspeto"),
        ("nl", "Is het aangekomen?", "ja woensdag al ziet er mooi uit"),
    ],
)
def test_what_came_on_a_day_already_is_no_plan(opened: Opened, language: str, asked: str, said: str) -> None:
    assert opened(f"a: {asked}\nu: {said}", language) == ()


PUT_RIGHT_AT_ONCE = {
    "en": (
        "I want to book the hall.",
        "Which date?",
        "Friday the fourth, no wait, Saturday the fifth of December.",
    ),
    "de": (
        "Ich möchte den Saal mieten.",
        "Für welchen Tag?",
        "Freitag den vierten, nein, Samstag den fünften Dezember.",
    ),
    "es": (
        "Quería reservar la sala.",
        "¿Para qué día?",
        "El viernes cuatro, no, espere, el sábado cinco de diciembre.",
    ),
    "fr": (
        "Je voudrais réserver la salle.",
        "Pour quelle date ?",
        "Vendredi quatre, non attendez, samedi cinq décembre.",
    ),
    "it": (
        "Vorrei prenotare la sala.",
        "Per che giorno?",
        "Venerdì quattro, anzi no, sabato cinque dicembre.",
    ),
    "nl": (
        "Ik wil de zaal huren.",
        "Voor welke dag?",
        "Vrijdag de vierde, nee wacht, zaterdag vijf december.",
    ),
    "pt": (
        "Queria reservar a sala.",
        "Para que dia?",
        "Sexta, dia quatro, não, espere, sábado, dia cinco de dezembro.",
    ),
}


@pytest.mark.parametrize("language", PUT_RIGHT_AT_ONCE)
def test_a_day_put_right_at_once_is_that_of_what_was_wished_for(opened: Opened, language: str) -> None:
    wish, asked, day = PUT_RIGHT_AT_ONCE[language]
    (thread,) = opened(f"u: {wish}\na: {asked}\nu: {day}\na: –\nu: –", language)

    assert (thread.kind, thread.due) == ("plan", date(2026, 12, 5))
    assert thread.text == f'"{wish} {day}"'


@pytest.mark.parametrize(
    "said",
    [
        "u: i want to book the hall on friday the fourth no sorry saturday the fifth of december",
        "u: I want to book the hall.\na: Which date?\nu: On Friday the fourth. No, Saturday the fifth.",
    ],
)
def test_the_day_thought_better_of_is_no_plan(opened: Opened, said: str) -> None:
    assert [one.due for one in opened(f"{said}\na: That's free.\nu: Great.")] == [date(2026, 12, 5)]


@pytest.mark.parametrize(
    "said",
    [
        "Tuesday, no hang on, Wednesday, I've got the dentist Tuesday.",
        "Friday, no, I'm busy, Saturday.",
        "I was there on Friday, no, Saturday.",
    ],
)
def test_a_second_thought_that_says_why_or_what_was_is_no_plan(opened: Opened, said: str) -> None:
    assert opened(f"u: {said}\na: Okay.\nu: Great.") == ()


@pytest.mark.parametrize(
    ("language", "wish", "asked", "day"),
    [
        ("en", "I'd like to book the hall.", "Which Sunday?", "The thirteenth of December."),
        ("de", "Ich möchte den Saal mieten.", "Welcher Sonntag?", "Der dreizehnte Dezember."),
        ("es", "Quería reservar la sala.", "¿Qué domingo?", "El trece de diciembre."),
        ("fr", "Je voudrais réserver la salle.", "Quel dimanche ?", "Le treize décembre."),
        ("it", "Vorrei prenotare la sala.", "Quale domenica?", "Il tredici dicembre."),
        ("nl", "Ik wil de zaal huren.", "Welke zondag?", "De dertiende december."),
        ("pt", "Queria reservar a sala.", "Que domingo?", "O dia treze de dezembro."),
    ],
)
def test_a_mere_date_is_that_of_what_was_wished_for(
    opened: Opened, language: str, wish: str, asked: str, day: str
) -> None:
    threads = opened(f"u: {wish}\na: {asked}\nu: {day}\na: –\nu: –", language)

    assert [(one.kind, one.due) for one in threads] == [("plan", date(2026, 12, 13))]


def test_a_mere_date_that_is_refused_is_no_plan(opened: Opened) -> None:
    said = "u: I'd like to book the hall.\na: Which Sunday?\nu: The thirteenth of December."

    assert opened(f"{said}\na: Sorry, we're full then.\nu: Oh.") == ()


@pytest.mark.parametrize(
    ("language", "told", "asked", "answer"),
    [
        (
            "en",
            "I got the letter from the eye clinic.",
            "When do they want you?",
            "The fourteenth of December, at eleven.",
        ),
        ("en", "I've got a hospital appointment.", "When?", "The fourteenth of December."),
        ("de", "Ich muss in die Augenklinik.", "Wann denn?", "Am vierzehnten Dezember, um elf."),
        ("es", "Tengo cita con el cardiólogo.", "¿Cuándo es?", "El catorce de diciembre, a las once."),
        (
            "fr",
            "J'ai rendez-vous chez le cardiologue.",
            "C'est quand ?",
            "Le quatorze décembre, à onze heures.",
        ),
        ("it", "Ho una visita dal cardiologo.", "Quand'è?", "Il quattordici dicembre, alle undici."),
        ("pt", "Tenho consulta no cardiologista.", "Quando é?", "A catorze de dezembro, às onze."),
        ("nl", "Ik moet naar de cardioloog.", "Wanneer is dat?", "Veertien december, om elf uur."),
    ],
)
def test_when_it_is_is_told_with_what_it_is(
    opened: Opened, language: str, told: str, asked: str, answer: str
) -> None:
    (thread,) = opened(f"a: Hello.\nu: {told}\na: {asked}\nu: {answer}\na: –", language)

    assert thread.due == date(2026, 12, 14)
    assert undated(thread.text) == f'"{told}" – "{asked}" – "{answer}"'


@pytest.mark.parametrize(
    "lines",
    [
        "u: I saw the doctor.\na: When?\nu: The fourteenth.",
        "u: I was in Rome.\na: When was that?\nu: On the third of May.",
        "u: I do the bins.\na: When?\nu: On Mondays.",
        "u: I've got a leaking tap.\na: When can we come?\nu: Tuesday.\na: We're full on Tuesday.",
    ],
)
def test_when_something_was_or_is_wished_is_no_plan(opened: Opened, lines: str) -> None:
    assert opened(f"a: Hello.\n{lines}") == ()


@pytest.mark.parametrize(
    ("language", "lines"),
    [
        ("en", "u: My tap leaks.\na: When can you be in?\nu: Thursday.\na: I'll check and call you back."),
        ("en", "u: My tap leaks.\na: When?\nu: On Thursday.\na: On Thursday our plumber is away."),
        ("de", "u: Der Boiler tropft.\na: Wann passt es Ihnen?\nu: Donnerstag, der 26.\na: Ich frage nach."),
        ("fr", "u: La chaudière fuit.\na: Quel jour voulez-vous ?\nu: Jeudi 26.\na: On n'a que lundi."),
        ("nl", "u: De ketel lekt.\na: Welke dag wilt u?\nu: Donderdag.\na: We hebben alleen maandag."),
        ("en", "u: My husband's dead.\na: When?\nu: The fourteenth of December.\na: Oh."),
        ("es", "u: Mi marido ha muerto.\na: ¿Cuándo ha sido eso?\nu: El catorce de diciembre.\na: Vaya."),
        ("fr", "u: Mon mari est mort.\na: Quand ça ?\nu: Le quatorze décembre.\na: Oh."),
        ("nl", "u: Mijn man is overleden.\na: Wanneer is dat gebeurd?\nu: Veertien december.\na: Och."),
        ("en", "u: I've got a voucher.\na: Until when?\nu: The fourteenth of December.\na: Fine."),
    ],
)
def test_a_day_one_wishes_for_or_on_which_it_happened_is_no_plan(
    opened: Opened, language: str, lines: str
) -> None:
    assert not [one for one in opened(f"a: Hello.\n{lines}", language) if one.kind == "plan"]


def test_what_is_agreed_on_instead_is_told_with_what_it_is_for(opened: Opened) -> None:
    said = "u: My roof is leaking.\na: What day would you like?\nu: Thursday the 26th.\n"
    (thread,) = opened(f"a: .\n{said}a: That's tricky. How about Friday the 27th?\nu: Fine.\na: Bye.")

    assert (thread.text.split(" – ")[0], thread.due) == ('"My roof is leaking."', date(2026, 11, 27))


@pytest.mark.parametrize(
    ("language", "asked", "said"),
    [
        ("en", "When will you pick it up?", "I can't this week. On Saturday the fifth."),
        ("de", "Wann holen Sie's ab?", "Diese Woche schaff ich's nicht. Am Samstag, dem fünften."),
        ("es", "¿Cuándo lo recoge?", "Esta semana no puedo. El sábado 5."),
        ("fr", "Vous passez le chercher quand ?", "Cette semaine je ne peux pas. Samedi cinq."),
        ("it", "Quando lo ritira?", "Questa settimana non riesco. Sabato cinque."),
        ("nl", "Wanneer haalt u het op?", "Deze week lukt niet. Zaterdag de vijfde."),
        ("pt", "Quando o vem buscar?", "Esta semana não consigo. No sábado dia cinco."),
    ],
)
def test_a_day_behind_one_that_will_not_do_answers_when(
    opened: Opened, language: str, asked: str, said: str
) -> None:
    found = opened(f"a: {asked}\nu: {said}\na: .", language)

    assert [(one.kind, one.due) for one in found] == [("plan", date(2026, 12, 5))]


def test_what_is_ordered_for_a_birthday_has_its_day(opened: Opened) -> None:
    said = "I want to send flowers on the fourteenth of December, it's our anniversary."

    assert [one.due for one in opened(f"a: .\nu: {said}\na: What name?")] == [date(2026, 12, 14)]


def test_another_day_that_is_asked_for_is_not_that_of_the_wish(opened: Opened) -> None:
    said = """
        u: I need a trial. My sister's getting married.
        a: When's the big day?
        u: Saturday the twelfth of December.
        a: Tuesday the first of December for the trial? Say five thirty?
        u: Yep, that works.
    """

    assert {one.text: one.due for one in opened(said)} == {
        '"I need a trial." – "When\'s the big day?" – "Saturday the twelfth of December."': date(
            2026, 12, 12
        ),
        '"Tuesday the first of December for the trial? Say five thirty?" – "Yep, that works."': date(
            2026, 12, 1
        ),
    }


@pytest.mark.parametrize(
    ("language", "said"),
    [
        ("en", "They've scheduled my operation. It's on the 3rd of December."),
        ("de", "Sie haben mir die Operation schon angesetzt. Am 3. Dezember ist es."),
        ("fr", "Ils m'ont déjà fixé l'opération. C'est le 3 décembre."),
        ("es", "Ya me han puesto fecha para la operación. Es el 3 de diciembre."),
        ("it", "Mi hanno già fissato l'operazione. È il 3 dicembre."),
        ("nl", "Ze hebben mijn operatie al ingepland. Het is op 3 december."),
        ("pt", "Já me marcaram a operação. É no dia 3 de dezembro."),
    ],
)
def test_what_is_fixed_is_told_with_its_day_in_the_next_sentence(
    opened: Opened, language: str, said: str
) -> None:
    found = opened(f"u: {said}\na: .", language)

    assert [(one.text, one.due) for one in found] == [(f'"{said}"', date(2026, 12, 3))]


@pytest.mark.parametrize(
    ("language", "said"),
    [
        ("en", "I'm having my knee done on Friday, I won't be able to drive for a month."),
        ("en", "my exam's on friday and i've not done any work"),
        ("de", "Wir fliegen am Freitag nach Malta und ich hab noch nicht gepackt."),
        ("es", "Nos vamos a Malta el viernes y no he hecho la maleta."),
        ("fr", "On part à Malte vendredi et je n'ai pas encore fait les valises."),
        ("it", "Partiamo per Malta venerdì e non ho ancora fatto le valigie."),
        ("nl", "We vliegen vrijdag naar Malta en ik heb nog niet ingepakt."),
        ("pt", "Vamos para Malta na sexta e ainda não fiz as malas."),
    ],
)
def test_what_is_not_so_beside_a_plan_leaves_it(opened: Opened, language: str, said: str) -> None:
    (thread,) = opened(f"a: Hello.\nu: {said}\na: –", language)

    assert (thread.kind, thread.text, thread.due) == ("plan", f'"{said}"', date(2026, 11, 20))


@pytest.mark.parametrize(
    ("language", "said"),
    [
        ("en", "We were flying to Malta on Friday, but the airline went bust."),
        ("en", "I'm seeing Jo on Friday, well, I don't think we will."),
        ("en", "If the weather's good on Friday we'll go out, but I haven't asked Ken."),
        ("en", "I wanted to come on Friday but I couldn't find your number."),
        ("de", "Ich wollte am Freitag kommen, aber ich finde die Adresse nicht."),
        ("es", "Iba a ir el viernes pero no tengo coche."),
        ("fr", "Je devais venir vendredi mais je n'ai pas de voiture."),
        ("it", "Dovevo venire venerdì ma non ho la macchina."),
        ("nl", "Ik zou vrijdag komen maar ik heb geen auto."),
        ("pt", "Era para ir na sexta mas não tenho carro."),
    ],
)
def test_what_came_to_nothing_is_no_plan(opened: Opened, language: str, said: str) -> None:
    assert opened(f"a: Hello.\nu: {said}\na: –", language) == ()


@pytest.mark.parametrize(
    ("language", "said"),
    [
        ("it", "Gli occhiali li ho presi lunedì, tutto a posto, anzi, finalmente leggo il menù."),
        ("fr", "Les lunettes je les ai prises lundi, enfin je lis le menu."),
        ("es", "Las gafas las recogí el lunes, por fin leo la carta."),
        ("nl", "De bril heb ik maandag opgehaald, eindelijk lees ik het menu."),
        ("de", "Die Brille hab ich Montag abgeholt, endlich les ich die Karte."),
        ("pt", "Os óculos levantei-os na segunda, finalmente leio o menu."),
        ("en", "The glasses I picked up Monday, at last I'm reading the menu."),
    ],
)
def test_what_was_done_on_a_day_is_no_plan_beside_what_is_so_now(
    opened: Opened, language: str, said: str
) -> None:
    assert opened(f"a: –\nu: {said}", language) == ()


@pytest.mark.parametrize(
    ("language", "said"),
    [
        ("nl", "a: Dinsdag één december, om één uur?\nu: Ja, prima."),
        ("en", "a: Could you come on a Tuesday in January?\nu: Yes, perfect."),
        ("de", "a: Können Sie an einem Dienstag im Dezember?\nu: Ja, gern."),
    ],
)
def test_a_weekday_of_another_month_is_not_the_coming_one(opened: Opened, language: str, said: str) -> None:
    (thread,) = opened(said, language)

    assert thread.due is None or thread.due.month != 11


@pytest.mark.parametrize(
    ("language", "said"),
    [
        ("en", "a: I'll ring you on Thursday about the January bill.\nu: Thanks."),
        ("en", "u: I'm seeing the dentist Thursday with June.\na: Right."),
        ("de", "a: Sie haben den Termin am Donnerstag bei Doktor Mai.\nu: Danke."),
    ],
)
def test_a_month_of_something_else_leaves_the_weekday(opened: Opened, language: str, said: str) -> None:
    (thread,) = opened(said, language)

    assert thread.due == date(2026, 11, 19)


@pytest.mark.parametrize(
    ("language", "said"),
    [
        ("fr", "Jeanne m'a invitée dimanche, on mange ensemble."),
        ("it", "Mi hanno messa domenica per la visita, ci vado alle dieci."),
    ],
)
def test_what_was_arranged_for_a_day_is_a_plan(opened: Opened, language: str, said: str) -> None:
    (thread,) = opened(f"u: {said}", language)

    assert thread.due == date(2026, 11, 22)
