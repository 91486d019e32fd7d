"""What somebody takes on is open, in whatever words, and told with what it is about."""

from collections.abc import Callable
from datetime import date

import pytest

from voice_server.context.sections.quotes import undated
from voice_server.domain.digest import OpenThread

ANOTHERS_PLANS = [
    ("en", "My brother is going to call tomorrow."),
    ("en", "my sister will bring the key round tomorrow"),
    ("de", "Mein Bruder ruft morgen an."),
    ("de", "meine eltern werden sie morgen anrufen"),
    ("es", "Mi hermano le llamará mañana."),
    ("es", "mañana mi hermana me va a llamar"),
    ("fr", "Mon frère va vous appeler demain."),
    ("fr", "ma mère vous rappelle demain"),
    ("it", "Mio marito la chiama domani."),
    ("it", "domani mia sorella passerà a prenderlo"),
    ("pt", "O meu irmão liga amanhã."),
    ("pt", "amanhã a minha mãe vai ligar"),
    ("nl", "Mijn zus komt morgen bij u langs."),
    ("nl", "mijn zoon belt morgen uit canada"),
]

Opened = Callable[..., tuple[OpenThread, ...]]
THURSDAY, FRIDAY, WEDNESDAY = date(2026, 11, 19), date(2026, 11, 20), date(2026, 11, 18)


@pytest.mark.parametrize(
    ("language", "text", "due"),
    [
        ("de", "u: Welchen Zug nehm ich?\na: Das sage ich Ihnen am Freitag.", FRIDAY),
        ("de", "u: Ich brauche Flüge.\na: Ich suche Ihnen welche raus und schicke sie morgen.", WEDNESDAY),
        ("de", "u: der nachbar macht lärm\na: ich rede mit ihm", None),
        ("de", "u: der techniker ist nie gekommen\na: ich kümmere mich sofort darum", None),
        ("es", "u: el técnico no vino\na: lo siento me ocupo ahora mismo", None),
        ("fr", "u: le technicien n'est pas venu\na: je m'en occupe tout de suite", None),
        ("it", "u: il tecnico non è venuto\na: ci penso io subito", None),
        ("en", "u: the engineer never turned up\na: oh no i'll get on to them straight away", None),
        ("en", "u: where's my new card\na: it comes within five working days", None),
        ("en", "u: I drove a milk float.\na: I'll look up a song from those days for next time.", None),
        ("es", "u: ¿Cuánto cuesta?\na: El jueves le digo.", THURSDAY),
        ("es", "u: ¿Dónde compro un bastón?\na: Mañana le digo dónde.", WEDNESDAY),
        ("es", "u: ¿Cuánto cuesta?\na: El viernes le cuento.", FRIDAY),
        ("fr", "u: Combien ça coûte ?\na: Je vous dis ça vendredi.", FRIDAY),
        ("fr", "u: Combien ça coûte ?\na: Je vous le dis jeudi.", THURSDAY),
        ("fr", "u: ma femme est allergique aux noix\na: je préviens la cuisine", None),
        ("it", "u: Che treno prendo?\na: Glielo trovo per venerdì.", FRIDAY),
        ("it", "u: mia moglie è allergica ai crostacei\na: lo dico in cucina", None),
        ("es", "u: ¿pueden mirar también las ruedas?\na: sí lo hacemos", None),
        ("fr", "u: vous pouvez regarder les pneus aussi\na: oui on fait ça", None),
        ("it", "u: potete guardare anche le gomme\na: sì lo facciamo", None),
        ("pt", "u: podem ver também os pneus\na: sim fazemos isso", None),
        ("nl", "u: willen jullie ook naar de banden kijken\na: doen we", None),
        ("nl", "u: kan ik een leenfiets krijgen\na: ja die zetten we voor je klaar", None),
        ("pt", "u: queria alugar um lugar\na: Digo-lhe alguma coisa até sexta.", FRIDAY),
    ],
)
def test_the_agent_takes_something_on(opened: Opened, language: str, text: str, due: date | None) -> None:
    (one,) = opened(text, language)
    assert (one.kind, one.said_by, one.due) == ("promise", "agent", due)


@pytest.mark.parametrize(
    ("language", "asked", "answer", "found"),
    [
        (
            "en",
            "Can the dog use the beach?",
            "I think so, but let me double check with the manager.",
            "She says yes.",
        ),
        (
            "fr",
            "Le chien peut aller à la plage ?",
            "Je crois, mais je vérifie avec la gérante.",
            "Elle dit oui.",
        ),
    ],
)
def test_what_the_agent_asks_somebody_and_does_not_come_back_to_is_owed(
    opened: Opened, language: str, asked: str, answer: str, found: str
) -> None:
    (one,) = opened(f"u: {asked}\na: {answer}\nu: Okay.", language)
    assert one.kind == "promise"
    assert not opened(f"u: {asked}\na: {answer}\nu: Okay.\na: {found}\nu: Okay.", language)


def test_a_promise_that_names_nothing_tells_what_was_missing_earlier_in_the_call(opened: Opened) -> None:
    (one,) = opened(
        """
        u: I was to have had a quote by email, and I don't think anything's arrived.
        a: No, it's not gone out.
        u: We complete on the ninth.
        a: I'll get it to you, you have my word.
        """
    )
    assert "a quote by email" in one.text


@pytest.mark.parametrize(
    ("language", "offered", "wished"),
    [
        ("en", "I'll let you know when it's in, by email?", "No, not by email. A text, please."),
        ("fr", "Je vous préviens dès qu'il rentre, par mail ?", "non pas par mail plutôt un sms"),
        ("es", "Le aviso en cuanto llegue, ¿por correo?", "No, mejor un SMS."),
    ],
)
def test_a_promise_that_is_wished_by_other_means_is_told_with_them(
    opened: Opened, language: str, offered: str, wished: str
) -> None:
    (one,) = opened(f"a: {offered}\nu: {wished}\na: Okay.", language)
    assert one.kind == "promise"
    assert offered.removesuffix("?").strip() in one.text
    assert wished.rpartition(". ")[2] in one.text


def test_what_is_offered_by_some_means_and_not_wanted_is_no_promise(opened: Opened) -> None:
    assert not opened("a: I'll send it to you, by post?\nu: No, forget it, I don't need it.\na: Okay.")


def test_a_promise_tells_what_the_caller_wondered_about(opened: Opened) -> None:
    (one,) = opened(
        """
        u: I'd like to know if the owner renews without an increase.
        a: That I'd have to see with Mr Osvald. I'll talk to him and get back to you.
        """
    )
    assert "renews" in one.text


@pytest.mark.parametrize(
    ("language", "booked", "promised"),
    [
        ("en", "I've put you down for Thursday at ten.", "I'll text you the day before."),
        ("de", "Ich habe Sie für Donnerstag um zehn eingetragen.", "Ich schreibe Ihnen am Tag vorher."),
        ("fr", "Je vous ai notée pour jeudi à dix heures.", "Je vous envoie un SMS la veille."),
        ("nl", "Ik heb u op donderdag om tien uur gezet.", "Ik stuur u de dag ervoor een sms."),
    ],
)
def test_what_is_promised_for_the_day_before_is_due_then(
    opened: Opened, language: str, booked: str, promised: str
) -> None:
    due = {one.kind: one.due for one in opened(f"u: .\na: {booked}\nu: .\na: {promised}", language)}
    assert due["promise"] == WEDNESDAY


def test_behind_a_yes_a_promise_tells_what_was_asked_at_first(opened: Opened) -> None:
    (one,) = opened(
        """
        u: Is the new Keegan in?
        a: It's out at the moment. Would you like to reserve it?
        u: Yes please. My name's Declan Foy.
        a: We'll message you when it's in.
        """
    )
    assert "Keegan" in one.text


@pytest.mark.parametrize(
    ("language", "text"),
    [
        ("en", "u: i'll give you my scone recipe next time"),
        ("it", "u: la prossima volta le do la ricetta"),
        ("fr", "a: Vous avez acheté le pilulier ?\nu: pas encore je l'achète ce week-end"),
    ],
)
def test_the_caller_takes_something_on(opened: Opened, language: str, text: str) -> None:
    (one,) = opened(text, language)
    assert (one.kind, one.said_by) == ("promise", "user")


@pytest.mark.parametrize(
    ("language", "text"),
    [
        ("de", "u: Wie war es?\na: Das sage ich Ihnen ganz ehrlich: schön."),
        ("es", "u: ¿Y su nieta?\na: El viernes le cuento un cuento a mi nieta."),
        ("fr", "u: Bonjour ?\na: Je vous téléphone pour la facture."),
        ("it", "u: Pronto?\na: Le telefono per la fattura."),
        ("nl", "u: Snoeien jullie?\na: Dat doen we nooit."),
        ("nl", "u: fijne dag\na: doen we"),
        ("pt", "u: Então?\na: Digo-lhe uma coisa: está frio."),
    ],
)
def test_who_only_says_so_takes_nothing_on(opened: Opened, language: str, text: str) -> None:
    assert not opened(text, language)


@pytest.mark.parametrize(
    ("language", "text"),
    [
        ("en", "u: hi\na: I'll call the lab today and let you know as soon as I hear."),
        ("de", "u: hallo\na: Ich rufe heute im Labor an und melde mich, sobald ich etwas weiß."),
        ("nl", "u: hallo\na: Ik bel vandaag het lab en bel u zodra ik iets weet."),
    ],
)
def test_what_waits_for_an_answer_alone_keeps_its_day(opened: Opened, language: str, text: str) -> None:
    (one,) = opened(text, language)
    assert one.due == date(2026, 11, 17)


@pytest.mark.parametrize(
    ("language", "text"),
    [
        ("en", "u: hi\na: Wednesday afternoon, then. He'll ring you half an hour before."),
        ("de", "u: hallo\na: Mittwoch Nachmittag, dann. Er ruft eine halbe Stunde vorher an."),
        ("it", "u: pronto\na: Mercoledì pomeriggio, allora. La chiama mezz'ora prima."),
    ],
)
def test_what_comes_before_an_appointment_is_due_on_its_day(opened: Opened, language: str, text: str) -> None:
    assert opened(text, language)[-1].due == WEDNESDAY


BRINGS = {
    "en": ("Wednesday at seven?", "Yes.", "Have you got the tyres?", "I've got them, I'll bring them along."),
    "de": (
        "Mittwoch um sieben?",
        "Ja.",
        "Haben Sie die Reifen?",
        "Die hab ich im Keller, ich bring sie mit.",
    ),
    "es": (
        "¿El miércoles a las siete?",
        "Sí.",
        "¿Tiene los neumáticos?",
        "Los tengo en casa, ya los llevaré.",
    ),
    "fr": (
        "Mercredi à sept heures ?",
        "Oui.",
        "Vous avez les pneus ?",
        "Ils sont à la cave, je les apporte.",
    ),
    "it": ("Mercoledì alle sette?", "Sì.", "Ha le gomme?", "Sono in cantina, le porto."),
    "pt": ("Quarta às sete?", "Sim.", "Tem os pneus?", "Estão na cave, eu levo os pneus."),
    "nl": ("Woensdag om zeven uur?", "Ja.", "Heeft u de banden?", "Die liggen thuis, ik neem ze mee."),
}


@pytest.mark.parametrize("language", BRINGS)
def test_what_one_brings_along_is_due_on_the_day_of_the_appointment(opened: Opened, language: str) -> None:
    offered, taken, asked, said = BRINGS[language]

    found = opened(f"a: {offered}\nu: {taken}\na: {asked}\nu: {said}", language)

    assert [one.due for one in found if one.kind == "promise"] == [WEDNESDAY]


@pytest.mark.parametrize("language", BRINGS)
def test_what_one_brings_has_no_day_where_no_appointment_is_made(opened: Opened, language: str) -> None:
    _, _, asked, said = BRINGS[language]

    assert [one.due for one in opened(f"u: –\na: {asked}\nu: {said}", language)] == [None]


@pytest.mark.parametrize(
    ("language", "text", "promised"),
    [
        ("en", "a: Today at five?\nu: Yes. I'll bring his diary.", '"I\'ll bring his diary."'),
        ("de", "a: Heute um fünf?\nu: Ja. Ich bringe sein Tagebuch mit.", '"Ich bringe sein Tagebuch mit."'),
        ("nl", "a: Vandaag om vijf uur?\nu: Ja. Ik neem zijn dagboek mee.", '"Ik neem zijn dagboek mee."'),
    ],
)
def test_what_is_promised_beside_an_appointment_is_a_matter_of_its_own(
    opened: Opened, language: str, text: str, promised: str
) -> None:
    plan, promise = opened(text, language)
    assert (plan.kind, promise.kind, promise.text) == ("plan", "promise", promised)


@pytest.mark.parametrize(
    ("language", "said"),
    [
        ("en", "the engineer comes this afternoon"),
        ("de", "der techniker kommt heute nachmittag"),
        ("es", "el técnico pasa esta tarde"),
        ("fr", "le technicien passe cet après-midi"),
        ("it", "il tecnico passa questo pomeriggio"),
        ("pt", "o técnico passa esta tarde"),
        ("nl", "dat is vervelend ik bel nu de monteur die komt vanmiddag"),
    ],
)
def test_who_comes_later_today_is_promised(opened: Opened, language: str, said: str) -> None:
    (thread,) = opened(f"a: {said}", language)

    assert (thread.kind, thread.said_by, thread.due) == ("promise", "agent", date(2026, 11, 17))


@pytest.mark.parametrize(
    ("language", "asked", "said"),
    [
        ("de", "ich müsste die ärztin sprechen", "sie meldet sich bis zwölf"),
        ("fr", "je dois parler au docteur", "elle vous rappelle avant midi"),
        ("de", "wo ist meine neue karte", "die kommt innerhalb von fünf werktagen mit der post"),
        ("es", "¿Dónde está mi tarjeta?", "Llega en cinco días hábiles."),
        ("fr", "Où est ma nouvelle carte ?", "Elle arrive sous cinq jours ouvrés."),
        ("it", "Dov'è la mia nuova carta?", "Arriva entro cinque giorni lavorativi."),
        ("pt", "onde está o meu novo cartão", "chega em cinco dias úteis"),
        ("nl", "Waar is mijn pas?", "Die komt binnen vijf werkdagen met de post."),
    ],
)
def test_who_will_be_in_touch_and_what_comes_by_post_is_promised(
    opened: Opened, language: str, asked: str, said: str
) -> None:
    (thread,) = opened(f"u: {asked}\na: {said}", language)

    assert (thread.kind, thread.text) == ("promise", f'"{asked}" – "{said}"')


@pytest.mark.parametrize(
    ("language", "planned", "promised"),
    [
        ("en", "My operation is on the second of December.", "Then I'll ring you on the third."),
        ("de", "Ich werde am zweiten Dezember operiert.", "Dann rufe ich Sie am dritten an."),
        ("it", "Mi operano il due dicembre.", "Allora la chiamo il tre."),
    ],
)
def test_what_is_promised_for_afterwards_is_of_its_own(
    opened: Opened, language: str, planned: str, promised: str
) -> None:
    dues = [thread.due for thread in opened(f"u: {planned}\na: {promised}", language)]

    assert dues == [date(2026, 12, 2), date(2026, 12, 3)]


def test_how_it_went_says_nothing_of_the_day_of_a_call(opened: Opened) -> None:
    (thread,) = opened("a: Le telefono giovedì per sapere com'è andata.", "it")

    assert thread.due == date(2026, 11, 19)


@pytest.mark.parametrize(
    ("said", "due"),
    [
        ("I'll send you the recipe.", None),
        ("I will call you back about the boiler on Monday.", 23),
        ("someone will ring you about the leak by friday", 20),
        ("I promise I'll bring the photos of the garden.", None),
        ("You'll have the deposit back within ten days.", 27),
        ("We'll text you the tracking number tomorrow.", 18),
    ],
)
def test_a_promise_is_told_in_its_own_words(opened: Opened, said: str, due: int | None) -> None:
    (thread,) = opened(f"u: Hello there.\na: {said}\nu: Thanks, bye.")

    assert (thread.kind, thread.said_by, thread.text) == ("promise", "agent", f'"{said}"')
    assert thread.due == (date(2026, 11, due) if due else None)
    assert (thread.said_on, thread.positions) == (date(2026, 11, 17), (1,))


@pytest.mark.parametrize(
    ("language", "said"),
    [
        ("de", "Ich schicke Ihnen die Rechnung bis Freitag zu."),
        ("es", "Le enviaré la factura antes del viernes."),
        ("fr", "Je vous enverrai la facture avant vendredi."),
        ("it", "Le manderò la fattura entro venerdì."),
        ("pt", "Vou enviar a fatura até sexta-feira."),
        ("nl", "Ik stuur u de factuur voor vrijdag."),
    ],
)
def test_a_promise_until_a_weekday_is_due_on_it_in_every_language(
    opened: Opened, language: str, said: str
) -> None:
    (thread,) = opened(f"u: Hallo.\na: {said}", language)

    assert (thread.kind, thread.text, thread.due) == ("promise", f'"{said}"', date(2026, 11, 20))


@pytest.mark.parametrize("speaker", ["u", "a"])
@pytest.mark.parametrize(
    ("language", "said"),
    [
        ("en", "As promised, I'm sending you the number of the clinic."),
        ("en", "I'll send you greetings from Daniel."),
        ("en", "Daniel is going to send you his love."),
        ("de", "Wie versprochen schicke ich Ihnen die Nummer."),
        ("de", "Ich rufe Sie an, wie versprochen."),
        ("de", "Ich soll Sie von Daniel grüßen."),
        ("de", "Ich schicke Ihnen Grüße von Daniel."),
        ("es", "Como prometí, le mando el número."),
        ("es", "Le mando saludos de Daniel."),
        ("es", "Daniel te manda saludos."),
        ("fr", "Comme promis, je vous envoie le numéro."),
        ("fr", "Je vous envoie les salutations de Daniel."),
        ("it", "Come promesso, le mando il numero."),
        ("it", "Le mando i saluti di Daniel."),
        ("pt", "Como prometido, mando o número da clínica."),
        ("pt", "Mando lembranças do Daniel."),
        ("nl", "Zoals beloofd stuur ik u het nummer."),
        ("nl", "Ik stuur u de groeten van Daniel."),
    ],
)
def test_a_promise_that_is_being_kept_and_a_greeting_are_none(
    opened: Opened, speaker: str, language: str, said: str
) -> None:
    assert opened(f"a: Hallo.\nu: Hallo.\n{speaker}: {said}", language) == ()


@pytest.mark.parametrize(
    ("language", "said"),
    [
        ("en", "As promised, I'll send you the form tomorrow."),
        ("en", "Daniel sends you his love, and I'll send you the form."),
        ("de", "Wie versprochen schicke ich Ihnen morgen das Formular."),
        ("de", "Daniel lässt Sie grüßen, und ich schicke Ihnen das Formular."),
        ("es", "Como prometí, mañana le mando el formulario."),
        ("es", "Le mando saludos de Daniel y le enviaré el formulario."),
        ("fr", "Comme promis, je vous envoie le formulaire demain."),
        ("it", "Come promesso, domani le mando il modulo."),
        ("pt", "Como prometido, amanhã mando o formulário."),
        ("nl", "Zoals beloofd stuur ik u morgen het formulier."),
    ],
)
def test_what_is_promised_along_with_it_is_still_to_come(opened: Opened, language: str, said: str) -> None:
    assert [thread.kind for thread in opened(f"u: Hallo.\na: {said}", language)] == ["promise"]


@pytest.mark.parametrize(("language", "said"), ANOTHERS_PLANS)
def test_what_the_caller_says_that_another_will_do_is_a_plan(
    opened: Opened, language: str, said: str
) -> None:
    (thread,) = opened(f"a: Hallo.\nu: {said}", language)

    assert (thread.kind, thread.said_by, thread.text) == ("plan", "user", f'"{said}"')
    assert thread.due == date(2026, 11, 18)


@pytest.mark.parametrize(
    ("language", "said"),
    [
        ("en", "Someone will call you back tomorrow."),
        ("de", "Der Techniker ruft Sie morgen an."),
        ("es", "Mi compañera le llamará mañana."),
        ("fr", "Le technicien vous rappelle demain."),
        ("it", "Il tecnico la chiama domani."),
        ("pt", "O técnico liga amanhã."),
        ("nl", "De monteur belt u morgen terug."),
    ],
)
def test_what_the_agent_says_that_another_will_do_is_promised(
    opened: Opened, language: str, said: str
) -> None:
    (thread,) = opened(f"u: Hallo.\na: {said}", language)

    assert (thread.kind, thread.said_by, thread.due) == ("promise", "agent", date(2026, 11, 18))


@pytest.mark.parametrize(
    ("language", "said"),
    [
        ("en", "I'll send you the photos tomorrow, my brother will bring the key."),
        ("de", "Ich schicke Ihnen morgen die Fotos, mein Bruder bringt den Schlüssel."),
        ("es", "Le mandaré las fotos mañana, mi hermano traerá la llave."),
        ("fr", "Je vous enverrai les photos demain, mon frère apportera la clé."),
        ("it", "Le manderò le foto domani, mio fratello porterà la chiave."),
        ("pt", "Eu mando as fotos amanhã, o meu irmão vai levar a chave."),
        ("nl", "Ik stuur u morgen de foto's, mijn broer brengt de sleutel."),
    ],
)
def test_a_promise_of_the_callers_own_beside_anothers_plan_is_one(
    opened: Opened, language: str, said: str
) -> None:
    (thread,) = opened(f"a: Hallo.\nu: {said}", language)

    assert (thread.kind, thread.said_by) == ("promise", "user")


def test_what_another_will_do_some_time_is_no_matter_between_the_two(opened: Opened) -> None:
    assert opened("a: How is Anneke?\nu: Fine, she'll write to you about the exercises.") == ()


def test_what_is_promised_in_answer_to_a_question_is_told_with_it(opened: Opened) -> None:
    (thread,) = opened(
        "u: Does the cellar have a window?\na: I'll ask the owner and call you back.\nu: Fine."
    )

    assert thread.text == '"Does the cellar have a window?" – "I\'ll ask the owner and call you back."'
    assert (thread.kind, thread.said_by, thread.positions) == ("promise", "agent", (0, 1))


def test_a_bare_promise_is_told_with_what_it_is_about(opened: Opened) -> None:
    (thread,) = opened("u: The radiator in the bathroom drips.\na: Leave it with me.\nu: Thanks.")

    assert thread.text == '"The radiator in the bathroom drips." – "Leave it with me."'


@pytest.mark.parametrize(
    "said",
    [
        "One moment, I'll ask my colleague.",
        "Let me check the calendar.",
        "I'll put you through to sales.",
        "Maybe I'll send you the recipe.",
        "I won't send you the contract.",
        "I'll let you know if you need anything.",
        "He said I'll send you the money.",
        "I was going to send you the recipe.",
    ],
)
def test_a_phrase_is_no_promise(opened: Opened, said: str) -> None:
    assert opened(f"u: It is about the kitchen.\na: {said}\nu: Okay.\na: Bye.") == ()


@pytest.mark.parametrize(
    ("language", "said"),
    [
        ("en", "Thanks a lot, see you tomorrow!"),
        ("de", "Danke schön, bis morgen!"),
        ("es", "Gracias, hasta el viernes."),
        ("fr", "Merci, à demain."),
        ("it", "Grazie, a domani."),
        ("pt", "Obrigada, até amanhã."),
        ("nl", "Dank u, tot vrijdag."),
        ("en", "I live at 12 Mill Lane now, we've moved."),
        ("en", "I'll be honest with you, it's too dear."),
        ("en", "I'll let you go."),
        ("de", "Ich sag es mal so, es war laut."),
        ("de", "Dann drücke ich die Daumen."),
        ("de", "Sie haben mir am Freitag zugesagt."),
        ("en", "I'd promised to ring you back yesterday, sorry."),
        ("it", "avevo promesso di richiamarla ieri scusi aveva ragione lei"),
        ("it", "Allora confermo lo chignon basso."),
        ("nl", "Ik had beloofd u gisteren terug te bellen, sorry."),
        ("pt", "Ele é bom rapaz, manda-me fotografias da neve."),
        ("es", "He hecho las lecciones del lunes y del martes."),
        ("nl", "en wanneer komt het uit"),
        ("es", "y cuándo lo trae"),
    ],
)
def test_a_farewell_or_a_way_of_speaking_commits_nobody(opened: Opened, language: str, said: str) -> None:
    assert opened(f"a: Hello.\nu: {said}\na: Bye.", language) == ()


def test_a_promise_to_find_out_is_told_with_what_was_asked(opened: Opened) -> None:
    (_, thread) = opened(
        "u: I've hired the hall for the 12th of December. Can we use the piano?\n"
        "a: I'd have to ask the vicar. I'll find out and email you."
    )

    assert thread.text == '"Can we use the piano?" – "I\'ll find out and email you."'


@pytest.mark.parametrize(
    ("language", "said"),
    [
        ("en", "Your parcel comes on Friday."),
        ("de", "Am Freitag kommt der Klempner."),
        ("fr", "C'est prêt vendredi."),
        ("es", "Puede recogerlo el viernes."),
        ("it", "La consegna è venerdì."),
        ("nl", "Hij is vrijdag klaar."),
        ("pt", "O canalizador passa na sexta."),
    ],
)
def test_what_the_agent_says_will_come_or_be_ready_is_promised(
    opened: Opened, language: str, said: str
) -> None:
    (thread,) = opened(f"u: Hm.\na: {said}\nu: Okay.", language)

    assert (thread.kind, thread.said_by, thread.due) == ("promise", "agent", date(2026, 11, 20))


@pytest.mark.parametrize(
    ("language", "asked", "answer"),
    [
        ("en", "What was it called?", "I don't know right now, but I'll look it up and tell you next time."),
        ("de", "Wie hieß das Lied?", "Das weiß ich gerade nicht, aber ich schaue nach und sage es Ihnen."),
        ("fr", "C'était quoi ?", "Je ne sais plus tout de suite, mais je cherche et je vous le dis demain."),
        ("es", "¿Cómo se llamaba?", "No me acuerdo ahora mismo, pero la busco y te la digo la próxima vez."),
        ("it", "Come si chiamava?", "Adesso non mi ricordo, ma la cerco e te la dico la prossima volta."),
        ("nl", "Hoe heette dat?", "Dat weet ik nu even niet, maar ik zoek het op en vertel het u morgen."),
        ("pt", "Como se chamava?", "Agora não me lembro, mas procuro e digo-lhe da próxima vez."),
    ],
)
def test_who_does_not_know_now_but_will_find_out_has_promised(
    opened: Opened, language: str, asked: str, answer: str
) -> None:
    (thread,) = opened(f"a: Hello.\nu: {asked}\na: {answer}", language)

    assert (thread.kind, thread.said_by) == ("promise", "agent")


@pytest.mark.parametrize(
    ("language", "answer"),
    [
        ("en", "One moment, I'll check and tell you."),
        ("de", "Moment, ich schaue nach und sage es Ihnen gleich."),
        ("fr", "Un instant, je cherche et je vous le dis."),
        ("es", "Un momento, lo miro y se lo digo."),
        ("it", "Un attimo, lo cerco e glielo dico."),
        ("pt", "Um momento, vejo e digo-lhe já."),
    ],
)
def test_who_looks_while_one_waits_promises_nothing(opened: Opened, language: str, answer: str) -> None:
    assert opened(f"a: Hello.\nu: Hm.\na: {answer}\nu: Okay.\na: It is Friday.", language) == ()


@pytest.mark.parametrize(
    ("language", "said"),
    [
        ("en", "Nobody's going to call tomorrow."),
        ("de", "Niemand ruft morgen an."),
        ("es", "Nadie me va a llamar mañana."),
        ("fr", "Personne ne va m'appeler demain."),
        ("it", "Nessuno mi chiamerà domani."),
        ("pt", "Ninguém vai me ligar amanhã."),
        ("nl", "Niemand belt morgen."),
    ],
)
def test_what_nobody_will_do_opens_nothing(opened: Opened, language: str, said: str) -> None:
    assert opened(f"a: Hello.\nu: {said}", language) == ()


@pytest.mark.parametrize(
    ("language", "missed", "promise"),
    [
        ("en", "i never got that estimate", "I'm so sorry, I'll send it right away."),
        ("en", "the forms still haven't come", "Sorry about that, I'll resend them now."),
        (
            "de",
            "der Kostenvoranschlag ist nie angekommen",
            "Das tut mir leid, ich schicke ihn sofort noch einmal.",
        ),
        ("es", "no me ha llegado el presupuesto", "Lo siento, se lo envío ahora mismo."),
        ("fr", "je n'ai jamais reçu le devis", "Désolé, je vous le renvoie tout de suite."),
        ("it", "non ho mai ricevuto il preventivo", "Mi dispiace, glielo mando subito."),
        ("nl", "ik heb de offerte nooit gekregen", "Sorry, ik stuur hem meteen."),
        ("pt", "nunca recebi o orçamento", "Desculpe, envio-lhe já."),
    ],
)
def test_what_never_came_is_promised_once_more_even_if_at_once(
    opened: Opened, language: str, missed: str, promise: str
) -> None:
    (thread,) = opened(f"a: Hello.\nu: {missed}\na: {promise}\nu: Okay.", language)

    assert (thread.kind, thread.text) == ("promise", f'"{missed}" – "{promise}"')


def test_looking_something_up_at_once_promises_nothing(opened: Opened) -> None:
    assert opened("u: I don't know my order number.\na: I'll check that right now.\nu: Okay.") == ()


@pytest.mark.parametrize(
    ("said", "kind"),
    [
        ("a: i'll get somebody to look at the gutter for you", "promise"),
        ("a: we'll pop a leaflet in the post today", "promise"),
        ("a: i'll have the plumber come round first thing", "promise"),
        ("a: i'll ask reception whether the room can be ready early", "promise"),
        ("a: let me check with the manager and i'll get back to you", "promise"),
        (
            "a: i don't know that one offhand i'll ask the team and ring you back about the discount",
            "promise",
        ),
        ("u: i'll bring the old photographs from the other place", "promise"),
        ("u: i'll dig the contract out and bring it with me", "promise"),
        ("u: right i'll drop the forms off on friday", "promise"),
        (
            "u: I'll bring the papers to the office when they're filled in, he doesn't trust the post.",
            "promise",
        ),
    ],
)
def test_a_promise_in_everyday_words_is_heard(opened: Opened, said: str, kind: str) -> None:
    (thread,) = opened(f"u: hello\na: hello\n{said}\n" if said[0] == "u" else f"u: hello\n{said}\nu: okay")

    assert thread.kind == kind


@pytest.mark.parametrize(
    "said",
    [
        "i'll note that down",
        "i'll make a note of it",
        "i'll put you through",
        "i'll take the blue one",
        "i'll think about it",
        "i'll read that back to you",
        "we'll make wonderful memories",
        "well done you did it",
        "i'll definitely check it out",
        "i'll just have the soup",
    ],
)
def test_what_is_done_at_once_or_only_said_is_no_promise(opened: Opened, said: str) -> None:
    assert opened(f"u: hello\na: {said}\nu: okay") == ()
    assert opened(f"a: hello\nu: {said}\na: okay") == ()


def test_what_is_doubted_elsewhere_in_a_long_turn_makes_no_promise_doubtful(opened: Opened) -> None:
    said = "maybe the cat would like it i don't know anyway i'll send you the photos of the kittens tomorrow"
    (thread,) = opened(f"a: hello\nu: {said}\na: lovely")

    assert (thread.kind, thread.due) == ("promise", date(2026, 11, 18))


def test_a_promise_that_says_little_is_told_with_the_sentence_before_it(opened: Opened) -> None:
    (thread,) = opened("a: Is there anybody else?\nu: My neighbour Alma has a sensible car. I'll ask her.")

    assert thread.text == '"My neighbour Alma has a sensible car. I\'ll ask her."'


@pytest.mark.parametrize(
    ("said", "told"),
    [
        (
            "u: I've got the saddle somewhere in the shed. I'll dig it out on Monday.\na: Lovely.",
            "\"I've got the saddle somewhere in the shed. I'll dig it out on Monday.\"",
        ),
        (
            "a: Shall I send you some riddles for the twins?\nu: yes please\na: You'll have them on Friday.",
            '"Shall I send you some riddles for the twins? You\'ll have them on Friday."',
        ),
        (
            "u: And the grant, did you hear?\na: Not yet, Ruth's on leave. I'll chase her on Monday.",
            '"And the grant, did you hear?" – "Not yet, Ruth\'s on leave. I\'ll chase her on Monday."',
        ),
        (
            "u: His spray at school is nearly empty. Can somebody look?\na: I'll do that for you today.",
            '"His spray at school is nearly empty. Can somebody look?" – "I\'ll do that for you today."',
        ),
        (
            "u: I must ask my nephew about the ladder.\na: Will you do it this week?\nu: Leave it with me.",
            '"I must ask my nephew about the ladder. Leave it with me."',
        ),
    ],
)
def test_a_promise_is_told_with_what_its_it_stands_for(opened: Opened, said: str, told: str) -> None:
    assert told in {thread.text for thread in opened(f"a: Hello.\n{said}")}


@pytest.mark.parametrize(
    ("language", "said"),
    [
        (
            "en",
            "We still need your certificate. / Oh no. / Can you bring it in? / I'll bring it on Friday.",
        ),
        (
            "de",
            "Uns fehlt Ihr Attest. / Ach je. / Können Sie es bringen? / Ich bring's Freitag, versprochen.",
        ),
        (
            "es",
            "Nos falta su certificado. / Ay, sí. / ¿Nos lo puede traer? / Lo traigo el viernes, prometido.",
        ),
        (
            "fr",
            "Il nous manque votre certificat. / Ah oui. / Vous l'apportez ? / Je l'amène vendredi, promis.",
        ),
        ("it", "Ci manca il suo certificato. / Oddio. / Ce lo può portare? / Lo porto venerdì, promesso."),
        ("pt", "Falta-nos o seu atestado. / Ai, pois é. / Pode trazê-lo? / Trago-o na sexta, prometo."),
        (
            "nl",
            "We missen nog uw verklaring. / O jee. / Kunt u die brengen? / Ik breng hem vrijdag, beloofd.",
        ),
    ],
)
def test_what_is_missing_is_told_with_the_promise_to_bring_it(
    opened: Opened, language: str, said: str
) -> None:
    missing, oh, asked, promised = said.split(" / ")
    told = f'"{missing} {asked}" – "{promised}"'

    talk = f"u: .\na: {missing}\nu: {oh}\na: {asked}\nu: {promised}"
    assert [undated(one.text) for one in opened(talk, language=language)] == [told]


@pytest.mark.parametrize(
    "said",
    [
        "a: I'll ask Mr Lund to put it by, has he got a brother here?\nu: A sister.",
        "a: I'll send you the estimate this week, by post?\nu: By post, yes.",
        "a: The swab should be back on Friday, I'll ring you as soon as it is.\nu: okay",
        "a: Ten minutes of scales a day, deal?\nu: Deal.",
    ],
)
def test_a_promise_stands_beside_a_question_or_a_doubt_of_something_else(opened: Opened, said: str) -> None:
    assert len(opened(f"u: Hello.\n{said}")) == 1


@pytest.mark.parametrize(
    "said", ["Perhaps, I'll bring you some plums.", "If I find it, I'll bring it along."]
)
def test_what_depends_is_no_promise(opened: Opened, said: str) -> None:
    assert opened(f"a: Hello.\nu: {said}\na: Lovely.") == ()


def test_cancelling_at_once_promises_nothing(opened: Opened) -> None:
    assert opened("u: Hello.\na: I'll cancel the twelfth, no charge.\nu: Thanks.") == ()


@pytest.mark.parametrize(
    ("text", "told"),
    [
        (
            "u: Is there a ramp?\na: We expect some from Leeds. I'll text you when it's in.",
            '"Is there a ramp?" – "We expect some from Leeds. I\'ll text you when it\'s in."',
        ),
        (
            "a: shall i post you a gift aid form\nu: go on then\na: ill put one in the post",
            '"shall i post you a gift aid form … ill put one in the post"',
        ),
        (
            "u: and the mock test is that forty quid or included\na: ill find out and message you",
            '"and the mock test is that forty quid or included" – "ill find out and message you"',
        ),
        (
            "u: It's a tandem.\na: Let me look into the bike space and drop you a line.",
            '"Let me look into the bike space and drop you a line."',
        ),
        (
            "u: Pete has been and sorted the tap. But he's left his level here.\na: I'll tell him.",
            '"Pete has been and sorted the tap. But he\'s left his level here." – "I\'ll tell him."',
        ),
        (
            "u: I'm on warfarin, you know.\na: Thanks, I'll let Mr. Pryce know that.",
            '"I\'m on warfarin, you know." – "Thanks, I\'ll let Mr. Pryce know that."',
        ),
    ],
)
def test_a_promise_is_told_with_what_it_is_about(opened: Opened, text: str, told: str) -> None:
    assert [(thread.kind, thread.text) for thread in opened(f"a: Hello.\n{text}")] == [("promise", told)]


def test_doubt_in_another_clause_leaves_a_promise(opened: Opened) -> None:
    said = "We'll send a replacement out, it should be with you in a fortnight."

    assert [thread.text for thread in opened(f"u: The lamp is cracked.\na: {said}\nu: Thanks.")] == [
        f'"{said}"'
    ]


@pytest.mark.parametrize(
    "said", ["Perhaps, I'll send it.", "If I find it, I'll send it.", "I'll send it, hopefully."]
)
def test_a_condition_or_a_mere_perhaps_makes_a_promise_none(opened: Opened, said: str) -> None:
    assert opened(f"u: The lamp is cracked.\na: {said}\nu: Thanks.") == ()


def test_a_promise_behind_a_look_is_one(opened: Opened) -> None:
    (thread,) = opened("a: Vou ver se consigo um quarto e confirmo com você até quarta.", "pt")

    assert (thread.kind, thread.due) == ("promise", date(2026, 11, 18))


@pytest.mark.parametrize(
    "said",
    [
        "I'll cancel it now and refund you by Friday.",
        "I'll note that in your file and get back to you tomorrow.",
        "I'll stop the card now and send you a new one.",
    ],
)
def test_what_is_promised_besides_what_is_done_at_once_is_open(opened: Opened, said: str) -> None:
    (thread,) = opened(f"u: Hello.\na: {said}")

    assert thread.kind == "promise"


def test_a_promise_that_waits_is_told_with_the_question_it_answers(opened: Opened) -> None:
    (thread,) = opened(
        "u: Any news on that lamp?\na: Not yet, sorry. The maker says in two weeks. I'll ring you then."
    )

    assert "lamp" in thread.text


def test_a_promise_that_begins_with_its_thing_is_told_with_what_that_is(opened: Opened) -> None:
    (thread,) = opened("a: Wir brauchen noch den Ausweis von Ihnen.\nu: Den schick ich Ihnen per Mail.", "de")

    assert "Ausweis" in thread.text


@pytest.mark.parametrize(
    "talk",
    [
        "a: Enjoy the sea in Whitby!\nu: Will do.",
        "u: Could you repeat the number?\na: Will do.",
        "u: Can I pay by card at the desk?\na: Sure, happy to.",
    ],
)
def test_will_do_grants_nothing_where_no_errand_was_asked_for(opened: Opened, talk: str) -> None:
    assert opened(talk) == ()


@pytest.mark.parametrize(
    ("language", "said"),
    [
        ("en", "I'll look it up and send it to you."),
        ("fr", "Je regarde et je vous l'envoie par mail."),
        ("es", "Lo miro y se lo mando."),
        ("it", "Guardo e glielo mando."),
    ],
)
def test_who_looks_and_sends_promises_to_send(opened: Opened, language: str, said: str) -> None:
    (thread,) = opened(f"u: Hallo.\na: {said}", language)

    assert thread.kind == "promise"


def test_how_a_call_is_taken_says_not_what_is_promised(opened: Opened) -> None:
    (thread,) = opened(
        "a: Autohaus Brandner.\nu: Hofer nochmal. Sie, das mit dem Leihwagen, geht das klar?\n"
        "a: Muss ich mit dem Chef besprechen, ich melde mich morgen.",
        "de",
    )

    assert thread.text.startswith('"Sie, das mit dem Leihwagen, geht das klar?"')


@pytest.mark.parametrize(
    ("language", "said"),
    [
        ("it", "a: Vuole che glielo ricordi?\nu: no no me lo ricordo da sola"),
        ("en", "a: Shall I remind you?\nu: no I'll remember it myself"),
    ],
)
def test_who_declines_an_offer_promises_nothing(opened: Opened, language: str, said: str) -> None:
    assert opened(said, language) == ()


@pytest.mark.parametrize(
    ("language", "text"),
    [
        ("en", "And I'll remind you of the trip money, it's fifteen pounds."),
        ("es", "Y le recuerdo el dinero de la excursión, son quince euros."),
        ("fr", "Et je vous rappelle l'argent de la sortie, c'est quinze euros."),
        ("it", "E le ricordo i soldi della gita, sono quindici euro."),
        ("pt", "E lembro-lhe o dinheiro da visita, são quinze euros."),
        ("nl", "En ik herinner u aan het geld voor het uitje, dat is vijftien euro."),
    ],
)
def test_a_reminder_that_is_given_is_not_promised(opened: Opened, language: str, text: str) -> None:
    assert opened(f"u: –\na: {text}\nu: –", language) == ()


def test_a_reminder_that_is_asked_for_is_promised(opened: Opened) -> None:
    asked = "u: Can you remind me of the trip money?"

    assert len(opened(f"{asked}\na: I'll remind you, it's fifteen pounds.\nu: Thanks.")) == 1


@pytest.mark.parametrize(
    ("language", "agreed", "asked", "yes"),
    [
        (
            "en",
            "a: thursday at half five\nu: thursday's good",
            "will you send me your id",
            "yes will do tonight",
        ),
        (
            "es",
            "a: el jueves a las cinco\nu: el jueves está bien",
            "me mandas las nóminas",
            "sí lo hago esta noche",
        ),
        ("pt", "a: quinta às cinco\nu: quinta está bom", "manda-me os recibos", "sim faço isso hoje à noite"),
        (
            "nl",
            "a: donderdag om half zes\nu: donderdag is goed",
            "stuur je me je id nog",
            "ja doe ik vanavond",
        ),
    ],
)
def test_what_is_asked_for_behind_an_appointment_is_another_matter(
    opened: Opened, language: str, agreed: str, asked: str, yes: str
) -> None:
    found = opened(f"{agreed}\na: {asked}\nu: {yes}", language)

    assert [one.due for one in found] == [date(2026, 11, 19), date(2026, 11, 17)]


@pytest.mark.parametrize(
    ("language", "text", "due"),
    [
        ("en", "u: I'll let you have it on Friday.", FRIDAY),
        ("en", "u: The deposit, I'll give you that on Friday when I come by.", FRIDAY),
        ("fr", "u: Je vous la donne vendredi.", FRIDAY),
        ("fr", "u: je vous rends la clé jeudi", THURSDAY),
        ("fr", "u: Et l'acompte, je vous le laisse vendredi en passant.", FRIDAY),
        ("it", "u: Gliela do venerdì.", FRIDAY),
        ("it", "a: Mi dà l'indirizzo?\nu: Non ce l'ho sottomano, glielo do venerdì.", FRIDAY),
        ("it", "u: l'acconto glielo lascio venerdì quando passo", FRIDAY),
        ("pt", "u: Dou-lha na sexta.", FRIDAY),
        ("pt", "u: eu te dou na sexta", FRIDAY),
        ("pt", "u: Mando-lhe a carta hoje.\na: E eu devolvo-lha na sexta com comentários.", FRIDAY),
        ("nl", "u: Dat zeg ik u vrijdag.", FRIDAY),
        ("nl", "a: Mag ik het adres?\nu: Dat heb ik niet bij de hand, dat geef ik u vrijdag.", FRIDAY),
        ("de", "a: geben sie mir die adresse\nu: die hab ich nicht da die gebe ich ihnen am freitag", FRIDAY),
    ],
)
def test_who_will_give_leave_or_return_something_promises_it(
    opened: Opened, language: str, text: str, due: date
) -> None:
    assert [(one.kind, one.due) for one in opened(text, language)][-1:] == [("promise", due)]


@pytest.mark.parametrize(
    ("language", "text"),
    [
        ("de", "Klar, die sehe ich mir an und mache Ihnen einen Kostenvoranschlag."),
        ("fr", "Bien sûr, je les regarde et je vous fais un devis."),
        ("it", "Certo, glieli guardo e le faccio un preventivo."),
        ("nl", "Zeker, ik kijk ernaar en maak een offerte voor u."),
    ],
)
def test_an_agent_who_will_make_a_quote_promises_it(opened: Opened, language: str, text: str) -> None:
    assert [one.kind for one in opened(f"a: {text}", language)] == ["promise"]


@pytest.mark.parametrize(
    ("language", "text"),
    [
        ("en", "I'll give you that, it's nice out there."),
        ("fr", "Je vous laisse, à vendredi."),
        ("fr", "Je vous laisse le choix, vendredi ou samedi."),
        ("it", "Non gliela do."),
        ("it", "Le lascio il tempo di pensarci."),
        ("pt", "Dou-lhe razão."),
        ("nl", "Dat zeg ik u eerlijk."),
        ("en", "I'll let you have a look on Friday."),
        ("fr", "Je vous le rends chaque lundi."),
        ("de", "ich rufe sie an weil morgen mein termin ist"),
    ],
)
def test_who_gives_nothing_promises_nothing(opened: Opened, language: str, text: str) -> None:
    assert [one for one in opened(f"u: {text}", language) if one.kind == "promise"] == []


@pytest.mark.parametrize(
    ("language", "text"),
    [
        ("en", "I'll call you on Friday, tomorrow I'm at the hospital."),
        ("de", "Ich rufe Sie am Freitag an, weil ich morgen im Krankenhaus bin."),
        ("es", "Le llamo el viernes, porque mañana estoy todo el día en el hospital."),
        ("es", "paso el viernes a recogerlo que mañana me voy a logroño"),
        ("es", "Se lo mando el viernes, que el jueves me lo dan."),
        ("fr", "Je vous appelle vendredi, demain je suis à l'hôpital."),
        ("it", "La chiamo venerdì, perché domani sono tutto il giorno in ospedale."),
        ("it", "la chiamo venerdì domani sono in ospedale"),
        ("pt", "Ligo-lhe na sexta, porque amanhã estou no hospital."),
        ("nl", "Ik bel u vrijdag, want morgen zit ik in het ziekenhuis."),
    ],
)
def test_what_is_promised_for_a_day_is_not_due_on_that_of_its_reason(
    opened: Opened, language: str, text: str
) -> None:
    assert [one.due for one in opened(f"u: {text}", language)] == [FRIDAY]


@pytest.mark.parametrize(
    ("language", "text"),
    [
        ("it", "La richiamo venerdì, anzi no, domani sono libera."),
        ("es", "Mañana le llamo, que el lunes no puedo."),
        ("fr", "Je vous appelle demain, lundi je suis absent."),
    ],
)
def test_a_day_put_right_is_no_reason(opened: Opened, language: str, text: str) -> None:
    assert [one.due for one in opened(f"u: {text}", language)] == [WEDNESDAY]


def test_of_two_days_before_a_reason_neither_is_sure(opened: Opened) -> None:
    text = "u: Le llamo el jueves o el viernes, que mañana no puedo."

    assert [one.due for one in opened(text, "es")] == [None]


CONFIRMED = {
    "en": "i can confirm wednesday at nine with mrs elvira",
    "de": "ich bestätige ihnen den mittwoch um neun",
    "es": "le confirmo lo del miércoles a las nueve",
    "fr": "je vous confirme mercredi à neuf heures",
    "it": "le confermo mercoledì alle nove",
    "nl": "ik bevestig u woensdag om negen uur",
    "pt": "confirmo-lhe a quarta às nove",
}


@pytest.mark.parametrize("language", CONFIRMED)
def test_who_confirms_a_day_has_a_plan_and_owes_nothing(opened: Opened, language: str) -> None:
    (one,) = opened(f"u: {CONFIRMED[language]}\na: –", language)

    assert (one.kind, one.due) == ("plan", WEDNESDAY)


@pytest.mark.parametrize(
    ("language", "said"),
    [("es", "El miércoles le confirmo la hora."), ("fr", "Je vous confirme l'heure mercredi.")],
)
def test_who_will_confirm_the_hour_owes_it(opened: Opened, language: str, said: str) -> None:
    (one,) = opened(f"a: {said}\nu: –", language)

    assert (one.kind, one.due) == ("promise", WEDNESDAY)


@pytest.mark.parametrize(
    ("language", "asked", "promised"),
    [
        ("en", "would you have a trailer", "i'll check and ring you back"),
        ("de", "hätten sie einen leihwagen", "ich schaue nach und rufe sie zurück"),
        ("es", "tendrían un remolque", "lo miro y le llamo"),
        ("fr", "vous auriez une voiture de prêt", "je regarde et je vous rappelle"),
        ("it", "avreste un rimorchio", "controllo e la richiamo"),
        ("nl", "heeft u een leenauto", "ik kijk even en bel u terug"),
        ("pt", "teriam um reboque", "verifico e ligo-lhe de volta"),
    ],
)
def test_a_call_back_is_told_with_the_one_thing_asked_for(
    opened: Opened, language: str, asked: str, promised: str
) -> None:
    (thread,) = opened(f"a: hallo\nu: hallo\na: ja\nu: {asked}\na: {promised}", language)

    assert thread.text == f'"{asked}" – "{promised}"'


@pytest.mark.parametrize(
    ("language", "said"),
    [
        ("en", "it's not in i'll ring you tomorrow"),
        ("de", "die ist nicht da ich rufe sie morgen an"),
        ("de", "der ist leider nicht raus gegangen ich schicke ihn morgen"),
        ("es", "no está le llamo mañana"),
        ("fr", "elle n'est pas là je vous rappelle demain"),
        ("it", "non c'è la richiamo domani"),
        ("nl", "die is er niet ik bel u morgen"),
        ("nl", "die is niet verstuurd ik stuur hem morgen"),
        ("pt", "não está ligo-lhe amanhã"),
    ],
)
def test_what_is_not_so_undoes_no_promise_behind_it(opened: Opened, language: str, said: str) -> None:
    (thread,) = opened(f"u: hallo\na: {said}", language)

    assert (thread.kind, thread.due) == ("promise", date(2026, 11, 18))


@pytest.mark.parametrize(
    ("language", "said"),
    [
        ("de", "ich weiß nicht ob ich morgen anrufe"),
        ("de", "ich rufe sie morgen nicht an"),
        ("nl", "ik weet niet of ik morgen bel"),
        ("nl", "ik bel u morgen niet"),
    ],
)
def test_what_is_not_to_be_is_no_promise(opened: Opened, language: str, said: str) -> None:
    assert opened(f"u: hallo\na: {said}", language) == ()


@pytest.mark.parametrize(
    ("language", "said"),
    [
        ("en", "so I confirm Tenerife with half board"),
        ("de", "also ich bestätige Teneriffa mit Halbpension"),
        ("es", "entonces confirmo Tenerife con media pensión"),
        ("fr", "alors je confirme Tenerife en demi-pension"),
        ("it", "sono la ricci allora confermo tenerife con la mezza pensione"),
        ("nl", "dus ik bevestig Tenerife met halfpension"),
        ("pt", "É a Ricci, então confirmo Tenerife com meia pensão."),
    ],
)
def test_who_confirms_what_was_chosen_has_done_so(opened: Opened, language: str, said: str) -> None:
    assert opened(f"u: {said}\na: –", language) == ()


@pytest.mark.parametrize(
    ("language", "said"),
    [
        ("en", "So I'll confirm the room tomorrow."),
        ("es", "Entonces le confirmo la habitación mañana."),
        ("it", "Allora le confermo la camera domani."),
        ("pt", "Então amanhã confirmo-lhe o quarto."),
        ("pt", "Então confirmo com você até quarta."),
    ],
)
def test_who_will_confirm_it_later_owes_it(opened: Opened, language: str, said: str) -> None:
    assert len(opened(f"u: {said}\na: –", language)) == 1


@pytest.mark.parametrize(
    ("language", "promised", "done"),
    [
        ("en", "Then I'll have them for you on Friday.", "I had them for you on Friday."),
        ("de", "Dann hab ich sie am Freitag für dich.", "Das hab ich am Freitag für dich gemacht."),
        ("es", "Entonces se las tengo el viernes.", "Se las tuve el viernes."),
        ("fr", "Alors je les aurai vendredi pour vous.", "Je les ai eues vendredi pour vous."),
        ("it", "Allora gliele ho per venerdì.", "Gliele ho date venerdì."),
        ("nl", "Dan heb ik ze vrijdag voor je.", "Dat heb ik vrijdag voor je gedaan."),
        ("pt", "Então tenho-as na sexta para si.", "Tive-as na sexta para si."),
    ],
)
def test_what_somebody_will_have_by_a_day_is_promised_for_it(
    opened: Opened, language: str, promised: str, done: str
) -> None:
    assert [(one.kind, one.due) for one in opened(f"a: {promised}", language)] == [("promise", FRIDAY)]
    assert not [one for one in opened(f"a: {done}", language) if one.kind == "promise"]


@pytest.mark.parametrize(
    ("language", "wish", "sent", "other"),
    [
        ("en", "A car for tomorrow at six, please.", "I'll send you an estate.", "I'll send you the bill."),
        (
            "de",
            "Einen Wagen für morgen um sechs.",
            "Ich schicke Ihnen einen Kombi.",
            "Ich schicke Ihnen die Rechnung.",
        ),
        ("es", "Un coche para mañana a las seis.", "Le mando una furgoneta.", "Le mando la factura."),
        (
            "fr",
            "Une voiture pour demain à six heures.",
            "Je vous envoie un break.",
            "Je vous envoie la facture.",
        ),
        ("it", "Una macchina per domani alle sei.", "Le mando un furgone.", "Le mando la fattura."),
        ("pt", "Um carro para amanhã às seis.", "Mando-lhe uma carrinha.", "Mando-lhe a fatura."),
        ("nl", "Een auto voor morgen om zes uur.", "Ik stuur u een busje.", "Ik stuur u de factuur."),
    ],
)
def test_who_is_sent_comes_on_the_day_that_was_wished_for(
    opened: Opened, language: str, wish: str, sent: str, other: str
) -> None:
    def due(said: str) -> list[date | None]:
        threads = opened(f"a: .\nu: {wish}\na: .\nu: Mill Road 22.\na: {said}\nu: .", language)
        return [one.due for one in threads if said[:-1] in one.text]

    assert due(sent) == [date(2026, 11, 18)]
    assert due(other) == [None]


@pytest.mark.parametrize(
    ("language", "offered", "taken", "promised"),
    [
        ("en", "Shall I find out which bus goes?", "Would you?", "I'll look it up and tell you next time."),
        ("de", "Soll ich nach dem Bus fragen?", "Würden Sie das tun?", "Ich sage es Ihnen das nächste Mal."),
        ("es", "¿Le busco qué autobús pasa?", "¿Lo haría?", "Lo miro y se lo digo la próxima vez."),
        ("fr", "Je cherche quel bus passe ?", "Vous feriez ça ?", "Je vous le dis la prochaine fois."),
        ("it", "Cerco quale autobus passa?", "Lo farebbe?", "Guardo e glielo dico la prossima volta."),
        (
            "nl",
            "Zal ik uitzoeken welke bus er rijdt?",
            "Wilt u dat doen?",
            "Ik zoek het uit, dat vertel ik u nog.",
        ),
        ("pt", "Vejo qual autocarro passa?", "Fazia-me isso?", "Vejo isso e digo-lhe da próxima vez."),
    ],
)
def test_who_takes_an_offer_up_by_asking_asks_nothing(
    opened: Opened, language: str, offered: str, taken: str, promised: str
) -> None:
    threads = opened(f"a: {offered}\nu: {taken}\na: {promised}\nu: –", language)

    assert threads
    assert all(offered in undated(one.text) and f'"{taken}" – ' not in one.text for one in threads)


def test_the_hour_is_of_the_day_that_was_offered(opened: Opened) -> None:
    (thread,) = opened("a: Shall I ring you on Sunday?\nu: Yes, that'd be lovely.\na: I'll ring you at two.")

    assert thread.due == date(2026, 11, 22)


@pytest.mark.parametrize(
    ("language", "asked", "promised"),
    [
        ("en", "So he'll miss the trip on the twelfth of December?", "I'm afraid so. We'll refund you."),
        ("de", "Dann verpasst er den Ausflug am zwölften Dezember?", "Leider ja. Wir erstatten Ihnen das."),
        ("fr", "Alors il rate la sortie du douze décembre ?", "Hélas oui. On vous rembourse."),
    ],
    ids=["en", "de", "fr"],
)
def test_the_day_of_what_is_asked_is_not_that_of_another_matter_promised(
    opened: Opened, language: str, asked: str, promised: str
) -> None:
    promises = [
        one for one in opened(f"u: {asked}\na: {promised}", language=language) if one.kind == "promise"
    ]

    assert [one.due for one in promises] == [None]


@pytest.mark.parametrize(
    ("language", "offered", "taken"),
    [
        ("en", "Shall I post you a new one?", "Go on."),
        ("en", "I could drop one round.", "That'd be grand."),
        ("de", "Ich könnte einen vorbeibringen.", "Das wäre prima."),
        ("de", "Würde es helfen, wenn ich dort anrufe?", "Das würde helfen."),
        ("es", "¿Le pido un taxi?", "Sería un detalle."),
        ("es", "¿Y si le mando el formulario?", "Buena idea."),
        ("fr", "Je pourrais vous en déposer un.", "Ce serait super."),
        ("fr", "Ça vous aiderait que je les appelle ?", "Oui, ça m'aiderait."),
        ("it", "Potrei portargliene uno.", "Sarebbe fantastico."),
        ("it", "Le chiamo un taxi?", "Sarebbe gentile."),
        ("nl", "Ik kan er een langsbrengen.", "Dat zou fijn zijn."),
        ("nl", "Zou het helpen als ik ze bel?", "Dat zou helpen."),
        ("pt", "Podia passar aí com um.", "Era ótimo."),
        ("pt", "Mando-lhe um novo?", "Mande."),
    ],
)
def test_what_is_offered_in_many_words_is_owed_once_it_is_taken(
    opened: Opened, language: str, offered: str, taken: str
) -> None:
    (thread,) = opened(f"u: …\na: {offered}\nu: {taken}", language=language)

    assert offered.rstrip(".") in thread.text
    assert opened(f"u: …\na: {offered}\nu: No.", language=language) == ()


@pytest.mark.parametrize(
    ("language", "matter", "asked", "promised"),
    [
        (
            "en",
            "I ordered a bike and wanted to know whether it's in.",
            "What name?",
            "I'll ring once it's in.",
        ),
        (
            "de",
            "Ich wollte wissen, ob mein Rad da ist.",
            "Auf welchen Namen?",
            "Ich rufe Sie an, sobald es da ist.",
        ),
        ("es", "Quería saber si llegó mi bici.", "¿A qué nombre?", "Le llamo en cuanto llegue."),
        ("fr", "Je voulais savoir si mon vélo est là.", "À quel nom ?", "Je vous appelle dès qu'il arrive."),
        ("it", "Volevo sapere se è arrivata la bici.", "A che nome?", "La chiamo appena arriva."),
        ("nl", "Ik wilde weten of mijn fiets er is.", "Op welke naam?", "Ik bel u zodra hij er is."),
        ("pt", "Queria saber se a bicicleta já chegou.", "Em que nome?", "Ligo-lhe assim que chegar."),
    ],
)
def test_a_promise_is_told_with_what_was_said_before_the_name_was_asked_for(
    opened: Callable[..., tuple[OpenThread, ...]], language: str, matter: str, asked: str, promised: str
) -> None:
    (made,) = opened(f"u: {matter}\na: {asked}\nu: Anna Shaw.\na: {promised}", language)

    assert matter in made.text
    assert promised in made.text


@pytest.mark.parametrize(
    ("language", "offered", "yes", "promised"),
    [
        (
            "en",
            "Shall I give you an extra lesson?",
            "Yes please, not on Monday.",
            "I'll look in the diary and text you.",
        ),
        (
            "de",
            "Soll ich dir eine Extrastunde geben?",
            "Ja gern, nicht am Montag.",
            "Ich schau kurz nach und schreib dir.",
        ),
        (
            "nl",
            "Zal ik je een extra les geven?",
            "Ja graag, niet op maandag.",
            "Ik kijk even in de agenda en dan app ik je.",
        ),
    ],
)
def test_what_is_looked_up_is_told_with_what_was_offered(
    opened: Opened, language: str, offered: str, yes: str, promised: str
) -> None:
    (thread,) = opened(f"u: Hi.\na: {offered}\nu: {yes}\na: {promised}", language)

    assert (thread.kind, thread.said_by) == ("promise", "agent")
    assert thread.text == f'"{offered}" – "{yes}" – "{promised}"'


@pytest.mark.parametrize(
    ("language", "asked", "promised"),
    [
        ("en", "Can I have a shed?", "Ah, the rules are changing. I'll have to find out at the committee."),
        ("fr", "Je pourrai avoir une cabane ?", "Ah, le règlement change. Il faut que je demande au comité."),
    ],
)
def test_what_is_to_be_found_out_is_told_with_the_question(
    opened: Opened, language: str, asked: str, promised: str
) -> None:
    (thread,) = opened(f"a: Hello.\nu: {asked}\na: {promised}", language)

    assert thread.text.startswith(f'"{asked}" – ')


@pytest.mark.parametrize(
    ("language", "told", "what", "promised"),
    [
        ("es", "Va bien, pero", "creo que os habéis quedado con la luz.",
         "Es verdad, está en el banco. Te la guardo."),
        ("fr", "Il va bien, mais", "je crois que vous avez gardé le feu.",
         "C'est vrai, il est sur l'établi. Je vous le garde."),
        ("it", "Va bene, però", "vi siete tenuti il fanalino.",
         "Hai ragione, è qui sul banco. Te lo tengo da parte."),
    ],
)  # fmt: skip
def test_what_is_conceded_is_told_with_what_was_said_of_it(
    opened: Opened, language: str, told: str, what: str, promised: str
) -> None:
    threads = opened(f"a: .\nu: {told} {what}\na: {promised}\nu: Ok.", language)

    assert [one.text for one in threads] == [f'"{what}" – "{promised}"']


READY_LATER = {
    "en": ("Is my suit ready?", "Not yet, Friday."),
    "de": ("Ist mein Anzug fertig?", "Noch nicht, am Freitag."),
    "es": ("¿Está listo mi traje?", "Todavía no, el viernes."),
    "fr": ("Mon costume est prêt ?", "Pas encore, vendredi."),
    "it": ("È pronto il vestito?", "Non ancora, venerdì."),
    "nl": ("Is mijn pak klaar?", "Nog niet, vrijdag."),
    "pt": ("O fato já está pronto?", "Ainda não, na sexta."),
}


@pytest.mark.parametrize("language", READY_LATER)
def test_what_is_not_ready_yet_is_promised_for_its_day(opened: Opened, language: str) -> None:
    asked, told = READY_LATER[language]
    (thread,) = opened(f"a: Hello.\nu: {asked}\na: {told}\nu: .", language)

    assert (thread.kind, thread.said_by, thread.due) == ("promise", "agent", date(2026, 11, 20))
    assert thread.text == f'"{asked}" – "{told}"'


@pytest.mark.parametrize("told", ["Yes, since Monday.", "Not yet.", "Yes, we're open till Friday."])
def test_what_is_ready_or_has_no_day_is_not_promised(opened: Opened, told: str) -> None:
    assert not [one for one in opened(f"u: Is my suit ready?\na: {told}\nu: .") if one.kind == "promise"]


@pytest.mark.parametrize(
    ("language", "said"),
    [
        ("en", "u: How long does it take?\na: If you order today, it should arrive by Friday.\nu: Okay."),
        ("en", "u: Is my sister coming too?\na: Oh yes, they should be there on Friday, all of them."),
        ("en", "u: Will it rain?\na: It'll arrive on Friday, they say."),
        ("de", "u: Wann kommt Ihr Sohn?\na: Der kommt am Freitag."),
        ("es", "u: Qué frío.\na: La lluvia llega el viernes, dicen."),
        ("fr", "u: Il fait froid.\na: La neige arrive vendredi, d'après la météo."),
    ],
)
def test_who_or_what_else_comes_is_no_delivery(opened: Opened, language: str, said: str) -> None:
    assert not [one for one in opened(f"a: .\n{said}", language) if one.kind == "promise"]


@pytest.mark.parametrize(
    ("language", "said"),
    [
        ("en", "Your new card will arrive in three days."),
        ("de", "Ihre neue Karte kommt in drei Tagen."),
        ("es", "Su tarjeta nueva llegará en tres días."),
        ("fr", "Votre nouvelle carte arrivera dans trois jours."),
        ("it", "La sua carta nuova arriverà fra tre giorni."),
        ("nl", "Uw nieuwe kaart komt over drie dagen."),
        ("pt", "O seu cartão novo chega dentro de três dias."),
    ],
)
def test_goods_that_will_arrive_are_promised(opened: Opened, language: str, said: str) -> None:
    found = [(one.kind, one.due) for one in opened(f"a: {said}\nu: .", language)]
    assert found == [("promise", date(2026, 11, 20))]


@pytest.mark.parametrize(
    ("language", "asked", "told"),
    [
        ("nl", "Wanneer is mijn afspraak ook alweer?", "Die heeft u vrijdag om tien uur."),
        ("de", "Wann ist denn mein Termin?", "Den haben Sie am Freitag um zehn."),
        ("fr", "C'est quand mon rendez-vous ?", "Vous l'avez vendredi à dix heures."),
    ],
)
def test_an_appointment_one_has_is_no_delivery(opened: Opened, language: str, asked: str, told: str) -> None:
    assert [one.kind for one in opened(f"a: .\nu: {asked}\na: {told}", language)] == ["plan"]


def test_what_has_to_be_found_out_is_told_where_nobody_punctuates(opened: Opened) -> None:
    said = (
        "u: ja das kriege ich hin und haben sie einen leihwagen für mich\n"
        "a: Das muss ich erst klären. Da melde ich mich noch."
    )

    assert [one.text for one in opened(f"a: Dienstag?\n{said}\nu: gut", "de") if one.kind == "promise"] == [
        '"und haben sie einen leihwagen für mich" – "Das muss ich erst klären. Da melde ich mich noch."'
    ]


@pytest.mark.parametrize(
    ("language", "wanting", "promised"),
    [
        ("en", "I hadn't the referral for that yet.", "We'll get that done today, you'll have it by post."),
        ("de", "Die Überweisung hatte ich noch nicht.", "Die machen wir heute, Sie bekommen sie per Post."),
        ("es", "De eso todavía no tenía el volante.", "Lo hacemos hoy, le llega por correo."),
        (
            "fr",
            "Je n'avais pas encore l'ordonnance.",
            "On la fait aujourd'hui, vous la recevrez par courrier.",
        ),
        ("it", "L'impegnativa non l'avevo ancora.", "La facciamo oggi, la riceve per posta."),
        ("nl", "Daar had ik de verwijzing nog niet van.", "Die maken we vandaag, u krijgt hem per post."),
        ("pt", "A credencial ainda não a tinha.", "Fazemo-la hoje, recebe-a pelo correio."),
    ],
)
def test_what_is_still_wanting_is_told_with_the_promise_of_it(
    opened: Opened, language: str, wanting: str, promised: str
) -> None:
    found = opened(f"a: .\nu: {wanting}\na: {promised}\nu: .", language)

    assert [one.text for one in found] == [f'"{wanting}" – "{promised}"']


@pytest.mark.parametrize(
    ("language", "asked", "ready", "comes"),
    [
        ("en", "Are my shoes ready?", "They'll be done by Thursday.", "I'll pick them up on Friday, then."),
        ("en", "Can I collect my glasses?", "From Thursday.", "I'll come in on Friday then, after work."),
        ("de", "Sind meine Schuhe fertig?", "Ab Donnerstag.", "Dann komm ich am Freitag nach der Arbeit."),
        (
            "fr",
            "Mes chaussures sont prêtes ?",
            "À partir de jeudi.",
            "Alors je passe vendredi après le travail.",
        ),
        ("it", "Sono pronte le scarpe?", "Da giovedì.", "Allora passo venerdì dopo il lavoro."),
        ("nl", "Zijn mijn schoenen klaar?", "Vanaf donderdag.", "Dan kom ik vrijdag na mijn werk."),
        (
            "pt",
            "Os sapatos estão prontos?",
            "A partir de quinta.",
            "Então passo na sexta depois do trabalho.",
        ),
    ],
)
def test_who_comes_a_day_later_promises_it_beside_what_is_ready(
    opened: Opened, language: str, asked: str, ready: str, comes: str
) -> None:
    found = opened(f"a: Hallo.\nu: {asked}\na: {ready}\nu: {comes}\na: –", language)

    assert [(one.said_by, one.due) for one in found if comes in one.text] == [("user", date(2026, 11, 20))]
    assert all(one.due == date(2026, 11, 19) for one in found if comes not in one.text)


@pytest.mark.parametrize(
    ("language", "asked", "answer"),
    [
        ("en", "And when will I get the money?", "Within thirty days, on your account."),
        ("de", "Und wann kommt das Geld?", "Innerhalb von dreißig Tagen auf Ihr Konto."),
        ("es", "¿Y el dinero cuándo llega?", "En treinta días, en su cuenta."),
        ("fr", "Et l'argent arrive quand ?", "Dans les trente jours, sur votre compte."),
        ("it", "E i soldi quando arrivano?", "Entro trenta giorni sul suo conto."),
        ("nl", "En wanneer komt het geld?", "Binnen dertig dagen op uw rekening."),
        ("pt", "E o dinheiro quando chega?", "Em trinta dias, na sua conta."),
    ],
)
def test_what_comes_in_a_while_is_owed(opened: Opened, language: str, asked: str, answer: str) -> None:
    (one,) = opened(f"a: Hallo.\nu: {asked}\na: {answer}\nu: OK.", language)
    assert (one.kind, one.said_by, one.text) == ("promise", "agent", f'"{asked}" – "{answer}"')


@pytest.mark.parametrize(
    ("language", "promised"),
    [
        ("en", "The numbers, promise."),
        ("de", "Die Zahlen, versprochen."),
        ("es", "Los números, prometido."),
        ("fr", "Les nombres, promis."),
        ("it", "I numeri, promesso."),
        ("nl", "De getallen, beloofd."),
        ("pt", "Os números, prometido."),
    ],
)
def test_a_bare_word_of_honour_promises(opened: Opened, language: str, promised: str) -> None:
    (one,) = opened(f"a: Hallo.\nu: OK.\na: {promised}", language)
    assert (one.kind, one.text) == ("promise", f'"{promised}"')
