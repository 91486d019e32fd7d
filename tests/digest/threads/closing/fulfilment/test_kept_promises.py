"""A promise is kept though the conversation hardly names its matter."""

from collections.abc import Callable
from datetime import date
from zoneinfo import ZoneInfo

import pytest

from voice_server.digest.threads.changes import thread_changes
from voice_server.domain.conversation import Message
from voice_server.domain.digest import EarlierThread, Speaker, ThreadKind

Call = Callable[[str], list[Message]]
Closed = Callable[..., tuple[int, ...]]
IsOver = Callable[..., bool]
BERLIN = ZoneInfo("Europe/Berlin")
MONDAY = date(2026, 11, 16)


def known(
    number: int, kind: ThreadKind, said_by: Speaker, text: str, due: date | None = None, around: str = ""
) -> EarlierThread:
    return EarlierThread(number, kind, said_by, text, due, around or text, MONDAY)


@pytest.mark.parametrize(
    ("language", "promised", "asked", "yes"),
    [
        ("en", "I'll email the quote over today.", "Did you get my email?", "Yes, thanks."),
        ("de", "Ich schicke Ihnen den Plan per Mail.", "Haben Sie meine Mail bekommen?", "Ja, danke."),
        ("es", "Le mando el presupuesto por correo.", "¿Recibió mi correo?", "Sí, gracias."),
        ("fr", "Je vous envoie le devis par mail.", "Vous avez bien reçu mon mail ?", "Oui, merci."),
        ("it", "Le mando il preventivo per mail.", "Ha ricevuto la mia mail?", "Sì, grazie."),
        ("pt", "Mando-lhe o orçamento por mail.", "Recebeu o meu mail?", "Sim, obrigado."),
        ("nl", "Ja, die mail ik u vanmiddag.", "Heeft u mijn mail gekregen?", "Ja, dank u."),
    ],
)
def test_who_has_read_what_was_to_be_written_waits_for_it_no_more(
    closed: Closed, language: str, promised: str, asked: str, yes: str
) -> None:
    written = known(1, "promise", "agent", f'"{promised}"')

    assert closed(f"a: Hello.\nu: .\na: {asked}\nu: {yes}", written, language=language) == (1,)


def test_who_has_not_read_it_still_waits(closed: Closed) -> None:
    written = known(1, "promise", "agent", '"I\'ll email the quote over today."', MONDAY)

    assert closed("a: Did you get my email?\nu: No, nothing.", written) == ()


def test_what_was_written_may_be_told_of_before_a_question(closed: Closed) -> None:
    told = known(1, "promise", "agent", "\"I'll text you when the part's in.\"")

    assert closed("a: Plumbers.\nu: hi I got your text, when can he come?", told) == (1,)


def test_a_promise_to_ring_is_not_kept_by_writing_of_something_else(closed: Closed) -> None:
    posted = known(1, "promise", "agent", '"I\'ll post you the part."')

    assert closed("a: Plumbers.\nu: I got your text.", posted) == ()


@pytest.mark.parametrize(
    ("language", "offer", "asked", "answer", "matter"),
    [
        (
            "en",
            "Shall I remind you?",
            "Weren't you going to call the plumber?",
            "Already did, he's coming.",
            "the plumber",
        ),
        (
            "de",
            "Soll ich Sie daran erinnern?",
            "Wollten Sie nicht den Klempner anrufen?",
            "Hab ich schon, der kommt.",
            "den Klempner",
        ),
    ],
)
def test_what_one_was_reminded_of_and_has_done_is_over_with_the_reminder(
    closed: Closed, language: str, offer: str, asked: str, answer: str, matter: str
) -> None:
    reminder = known(1, "request", "user", f'"{offer}"', around=matter)

    assert closed(f"a: {asked}\nu: {answer}", reminder, language=language) == (1,)


@pytest.mark.parametrize(
    ("language", "plan", "reminder", "said"),
    [
        (
            "it",
            "devo pagare la bolletta",
            "Te lo ricordo stasera?",
            "Hai pagato la bolletta?\nu: sì l'ho pagata",
        ),
        (
            "en",
            "I must pay the gas bill",
            "Shall I remind you?",
            "Did you pay the gas bill?\nu: yes I paid it",
        ),
    ],
)
def test_a_reminder_that_names_nothing_is_over_with_what_led_to_it(
    closed: Closed, language: str, plan: str, reminder: str, said: str
) -> None:
    matter = known(1, "plan", "user", f'"{plan}"', MONDAY)
    remind = known(2, "request", "user", f'"{reminder}"', MONDAY, around=f"{plan} {reminder}")
    other = known(3, "request", "user", f'"{reminder}"', MONDAY, around=reminder)

    assert closed(f"a: {said}", matter, remind, other, language=language) == (1, 2)


@pytest.mark.parametrize(
    ("language", "offer", "said"),
    [
        ("en", "Shall I remind you of the pills?", "you don't need to remind me any more I've got a box"),
        ("es", "¿Le recuerdo las pastillas?", "ya no hace falta que me lo recuerde"),
        ("fr", "Je vous rappelle les comprimés ?", "vous n'avez plus besoin de me le rappeler"),
        ("it", "Le ricordo le pastiglie?", "non serve più che me lo ricordi"),
        ("pt", "Quer que lhe lembre os comprimidos?", "já não precisa de me lembrar"),
        ("nl", "Zal ik u aan de pillen herinneren?", "u hoeft me niet meer te herinneren"),
    ],
)
def test_who_need_not_be_reminded_any_more_is_not(
    closed: Closed, language: str, offer: str, said: str
) -> None:
    reminder = known(1, "request", "user", f'"{offer}" – "OK."')
    visit = known(2, "plan", "agent", '"Friday at ten."', date(2026, 11, 20))

    assert closed(f"a: .\nu: {said}", reminder, visit, language=language) == (1,)


@pytest.mark.parametrize(
    ("language", "known", "asked", "reply", "over"),
    [
        ("en", "Remind me of the tablets at five.", "So no more reminders?", "no no need it beeps", True),
        ("en", "Remind me of the tablets at five.", "So no more reminders?", "No, do go on, please.", False),
        ("de", "Erinnern Sie mich an die Tabletten.", "Also keine Erinnerung mehr?", "Nein, danke.", True),
        ("es", "Recuérdeme las pastillas.", "¿Entonces ya no se lo recuerdo?", "No, gracias.", True),
        ("fr", "Rappelez-moi les cachets.", "Donc plus de rappel ?", "Non, merci.", True),
        ("it", "Mi ricordi le pastiglie.", "Allora niente promemoria?", "No, grazie.", True),
        ("nl", "Herinner me aan de pillen.", "Dus geen herinnering meer?", "Nee, dank u.", True),
        ("pt", "Lembre-me dos comprimidos.", "Então já não lhe lembro?", "Não, obrigada.", True),
    ],
)
def test_so_it_is_where_the_agent_asks(
    is_over: IsOver, language: str, known: str, asked: str, reply: str, *, over: bool
) -> None:
    assert is_over(language, known, f"a: {asked}\nu: {reply}\na: –", "request") == over


def test_a_reminder_goes_with_the_appointment_it_is_of(closed: Closed) -> None:
    visit = known(1, "plan", "user", '"Friday at ten?" – "yes"', date(2026, 11, 20))
    reminder = known(2, "promise", "agent", '"Friday at ten" – "I\'ll send you a reminder."')
    said = "a: Dental.\nu: I need to cancel Friday\na: No problem, it's cancelled."

    assert closed(said, visit, reminder) == (1, 2)


def test_who_was_rung_about_it_waits_no_more(closed: Closed) -> None:
    quote = known(1, "promise", "agent", '"Eu ligo-lhe com o orçamento."', MONDAY)
    said = "a: Oficina.\nu: é o rui tavares já me ligaram com o orçamento obrigado"

    assert closed(said, quote, language="pt") == (1,)


def test_what_was_written_otherwise_was_promised_otherwise(closed: Closed) -> None:
    quote = known(1, "promise", "agent", '"I\'ll email you the full quote for the kitchen."', MONDAY)
    address = known(2, "promise", "agent", '"And I\'ll text you the address of the yard."', MONDAY)

    assert closed("a: Did you get my text?\nu: Yes, thanks.", quote, address) == (2,)


def test_what_is_not_needed_on_a_day_leaves_the_appointment_of_that_day(closed: Closed) -> None:
    visit = known(1, "plan", "agent", '"Friday at ten?" – "yes"', date(2026, 11, 20))

    assert closed("a: .\nu: I don't think I need the x-ray on Friday do I", visit) == ()


FETCHED = {
    "de": ("ich hole ihn morgen ab", "ich hab das auto am montag abgeholt"),
    "en": ("i'll come and get it tomorrow", "i picked the car up on monday all good"),
    "fr": ("je passe la chercher demain", "j'ai récupéré la voiture lundi"),
    "it": ("passo a prenderla domani", "ho ritirato la macchina lunedì"),
    "pt": ("passo aí amanhã à tarde", "fui buscar o carro na segunda"),
}


@pytest.mark.parametrize("language", FETCHED)
def test_what_was_to_be_fetched_on_the_day_it_was_fetched_is_done(call: Call, language: str) -> None:
    promised, said = FETCHED[language]
    known = EarlierThread(
        1, "promise", "user", f'"{promised}"', date(2026, 11, 16), said_on=date(2026, 11, 15)
    )
    assert thread_changes(call(f"u: {said}"), language, BERLIN, open_before=(known,)).closes == (1,)


@pytest.mark.parametrize(
    ("promised", "said"),
    [
        ("I'll pick up the cake tomorrow.", "I picked up the flowers on Sunday."),
        ("I'll pick it up tomorrow.", "I couldn't pick it up on Monday."),
        ("I'll come and get it tomorrow.", "I picked up a cold on Monday."),
    ],
)
def test_what_was_not_fetched_stays(call: Call, promised: str, said: str) -> None:
    known = EarlierThread(
        1, "promise", "user", f'"{promised}"', date(2026, 11, 16), said_on=date(2026, 11, 15)
    )
    assert not thread_changes(call(f"u: {said}"), "en", BERLIN, open_before=(known,)).closes


READY = {
    "en": ("for saturday the fourteenth", "i've just picked up the cake it's lovely"),
    "de": ("für samstag den vierzehnten", "ich habe gerade die torte abgeholt"),
    "es": ("para el sábado día catorce", "acabo de recoger la tarta"),
    "fr": ("pour samedi le quatorze", "je viens de récupérer le gâteau"),
    "it": ("per sabato quattordici", "ho appena ritirato la torta"),
    "nl": ("voor zaterdag de veertiende", "ik heb net de taart opgehaald"),
    "pt": ("para sábado dia catorze", "acabei de buscar o bolo"),
}


@pytest.mark.parametrize("language", READY)
def test_what_was_ordered_for_a_day_is_over_once_it_is_fetched(closed: Closed, language: str) -> None:
    ordered, said = READY[language]
    order = known(1, "plan", "user", f'"{ordered}"', date(2026, 11, 14))

    assert closed(f"a: –\nu: {said}", order, language=language) == (1,)


@pytest.mark.parametrize(
    ("ordered", "day", "said"),
    [
        ("for saturday the twenty-first", 21, "i've just picked up the cake"),
        ("for saturday the fourteenth", 14, "i haven't picked up the cake"),
        ("the dentist on saturday the fourteenth", 14, "i've just picked up the cake"),
    ],
    ids=["ahead", "not-fetched", "another-matter"],
)
def test_what_is_fetched_leaves_what_is_ahead_or_named_otherwise(
    closed: Closed, ordered: str, day: int, said: str
) -> None:
    assert not closed(f"a: –\nu: {said}", known(1, "plan", "user", f'"{ordered}"', date(2026, 11, day)))


ANSWERED = {
    "de": (
        "Ich rufe dort an und sage Ihnen Bescheid.",
        "zahnarzt",
        "Der Zahnarzt hat Dienstag um acht frei.",
    ),
    "en": ("I'll ring them and let you know.", "dentist", "The dentist has Tuesday at eight free."),
    "it": ("Chiamo e ti faccio sapere.", "dentista", "Il dentista ha posto martedì alle otto."),
}


@pytest.mark.parametrize("language", ANSWERED)
def test_an_agent_who_begins_with_the_answer_has_asked(call: Call, language: str) -> None:
    promised, about, answer = ANSWERED[language]
    known = EarlierThread(1, "promise", "agent", f'"{about}" – "{promised}"', around=about)
    text = f"a: Nora. {answer}\nu: ok"
    assert thread_changes(call(text), language, BERLIN, open_before=(known,)).closes == (1,)


def test_an_agent_who_still_waits_has_no_answer(call: Call) -> None:
    known = EarlierThread(1, "promise", "agent", '"dentist" – "I\'ll ring them and let you know."')
    text = "a: It's Nora. About the dentist, I'm still waiting to hear.\nu: ok"
    assert not thread_changes(call(text), "en", BERLIN, open_before=(known,)).closes


@pytest.mark.parametrize(
    ("language", "promised", "text"),
    [
        (
            "en",
            "I'll bring the vaccination book.",
            "a: And the vaccination book?\nu: I forgot, I'll bring it Friday.",
        ),
        ("pt", "Levo o boletim de vacinas.", "a: E o boletim?\nu: Esqueci-me, levo-o na sexta."),
    ],
)
def test_a_promise_made_anew_takes_the_place_of_the_first(
    call: Call, language: str, promised: str, text: str
) -> None:
    known = EarlierThread(1, "promise", "user", f'"{promised}"')
    assert thread_changes(call(text), language, BERLIN, open_before=(known,)).closes == (1,)


@pytest.mark.parametrize(
    "text",
    [
        "a: And the vaccination book?\nu: I'll ask my sister about it on Friday.",
        "a: And the parcel?\nu: I'll bring it on Friday.",
    ],
)
def test_another_promise_leaves_the_first(call: Call, text: str) -> None:
    known = EarlierThread(1, "promise", "user", '"I\'ll bring the vaccination book."')
    assert not thread_changes(call(text), "en", BERLIN, open_before=(known,)).closes


def test_a_thing_fetched_is_no_call(call: Call) -> None:
    known = EarlierThread(1, "promise", "agent", '"She\'ll ring you back this afternoon."', MONDAY)
    text = "u: I collected the letter but the doctor never rang back."
    assert not thread_changes(call(text), "en", BERLIN, open_before=(known,)).closes


@pytest.mark.parametrize(
    ("language", "agreed", "said"),
    [
        ("de", "Mittwoch Nachmittag, dann.", "Der Monteur war da, aber sie tropft wieder."),
        ("en", "Wednesday afternoon, then.", "The plumber came, but the pressure has dropped again."),
        ("fr", "Mercredi après-midi, alors.", "Le plombier est venu, mais ça fuit encore."),
        ("nl", "Woensdagmiddag dan.", "De loodgieter is geweest, maar hij lekt weer."),
    ],
)
def test_the_visit_agreed_on_has_been_though_it_helped_nothing(
    closed: Closed, language: str, agreed: str, said: str
) -> None:
    last = known(1, "plan", "agent", f'"{agreed}"', due=date(2026, 11, 11))
    ahead = known(2, "plan", "agent", f'"{agreed}"', due=date(2026, 11, 18))
    assert closed(f"a: Hello.\nu: {said}", last, ahead, language=language) == (1,)


@pytest.mark.parametrize(
    ("language", "came", "is_still_ahead"),
    [
        ("de", "Der Herr Kolb war gerade da.", "Der Herr Kolb war noch nicht da."),
        ("en", "Mr Kolb was just here.", "Mr Kolb hasn't been yet."),
        ("es", "El señor Prieto acaba de irse.", "El señor Prieto no vino."),
        ("fr", "Monsieur Blanc vient de passer.", "Monsieur Blanc n'est pas venu."),
        ("it", "Il signor Conti è appena andato via.", "Il signor Conti non è venuto."),
        ("pt", "O senhor Matos esteve cá hoje.", "O senhor Matos não veio."),
        ("nl", "Meneer Kolb is net geweest.", "Meneer Kolb is niet geweest."),
    ],
)
def test_the_visit_of_one_called_by_name_has_been(
    closed: Closed, language: str, came: str, is_still_ahead: str
) -> None:
    last = known(1, "plan", "agent", '"14:30"', due=date(2026, 11, 17))
    ahead = known(2, "plan", "agent", '"14:30"', due=date(2026, 11, 18))

    assert closed(f"a: –\nu: {came}", last, ahead, language=language) == (1,)
    assert closed(f"a: –\nu: {is_still_ahead}", last, ahead, language=language) == ()


WAS_THERE = {
    "en": ("i was with you this morning i forgot my scarf", "i was there this morning but nobody was in"),
    "de": (
        "ich war heute früh bei ihnen, mein schal liegt dort",
        "ich war heute früh da, aber niemand war da",
    ),
    "es": ("estuve ahí esta mañana me dejé la bufanda", "estuve ahí esta mañana pero no había nadie"),
    "fr": ("j'étais là ce matin j'ai oublié mon écharpe", "j'étais là ce matin mais il n'y avait personne"),
    "it": ("ero lì stamattina ho dimenticato la sciarpa", "ero lì stamattina ma non c'era nessuno"),
    "pt": ("estive aí esta manhã esqueci-me do cachecol", "estive aí esta manhã mas não estava ninguém"),
    "nl": ("ik was er vanmorgen ik ben mijn sjaal vergeten", "ik was er vanmorgen maar er was niemand"),
}


@pytest.mark.parametrize("language", WAS_THERE)
def test_who_was_there_that_day_has_had_the_appointment(call: Call, language: str) -> None:
    today = EarlierThread(1, "plan", "agent", '"9:15"', date(2026, 11, 17))
    tomorrow = EarlierThread(2, "plan", "agent", '"9:15"', date(2026, 11, 18))
    said, in_vain = WAS_THERE[language]

    assert _closes(call(f"u: {said}\na: –"), language, today, tomorrow) == (1,)
    assert _closes(call(f"u: {said}\na: –"), language, tomorrow) == ()
    assert _closes(call(f"u: {in_vain}\na: –"), language, today) == ()


@pytest.mark.parametrize(
    ("language", "said"),
    [
        ("en", "I've just been down with Derek, he's a hoot."),
        ("de", "Ich war gerade bei Ihnen, mein Schal liegt dort."),
        ("fr", "Je viens de passer chez vous, j'ai oublié mon écharpe."),
        ("es", "Acabo de estar ahí, me dejé la bufanda."),
        ("it", "Sono appena stata da voi, ho dimenticato la sciarpa."),
        ("pt", "Acabei de estar aí, esqueci-me do cachecol."),
        ("nl", "Ik ben net bij u geweest, mijn sjaal ligt er."),
    ],
)
def test_who_has_just_been_there_has_had_the_appointment_of_today(
    call: Call, language: str, said: str
) -> None:
    today = EarlierThread(1, "plan", "agent", '"9:15"', date(2026, 11, 17))
    tomorrow = EarlierThread(2, "plan", "agent", '"9:15"', date(2026, 11, 18))

    assert _closes(call(f"u: {said}\na: –"), language, today, tomorrow) == (1,)


WERE_HERE = {
    "en": ("Your husband was here today.", "Your husband was not here today."),
    "de": ("Ihr Mann war heute hier.", "Ihr Mann war heute noch nicht hier."),
    "nl": ("Uw man was vandaag hier.", "Uw man was vandaag nog niet hier."),
    "es": ("Su marido ha estado aquí hoy.", "Su marido no ha estado aquí hoy."),
    "fr": ("Votre mari est venu aujourd'hui.", "Votre mari n'est pas venu aujourd'hui."),
    "it": ("Suo marito è stato qui oggi.", "Suo marito non è stato qui oggi."),
    "pt": ("O seu marido esteve cá hoje.", "O seu marido não esteve cá hoje."),
}


@pytest.mark.parametrize("language", WERE_HERE)
def test_whom_the_agent_has_seen_that_day_has_had_the_appointment(call: Call, language: str) -> None:
    today = EarlierThread(1, "plan", "user", '"9:15?" – "9:15"', date(2026, 11, 17))
    tomorrow = EarlierThread(2, "plan", "user", '"9:15?" – "9:15"', date(2026, 11, 18))
    was, was_not = WERE_HERE[language]

    assert _closes(call(f"u: –\na: {was}"), language, today, tomorrow) == (1,)
    assert _closes(call(f"u: –\na: {was_not}"), language, today) == ()


SEEN = {
    "en": ('"Can you send me photos of the damage?"', "I've seen your photos."),
    "de": ('"schicken sie mir fotos vom schaden"', "ich hab ihre fotos gesehen"),
    "es": ('"mándeme fotos de los daños"', "ya he visto sus fotos"),
    "fr": ('"envoyez-moi des photos des dégâts"', "j'ai vu vos photos"),
    "it": ('"mi mandi delle foto dei danni"', "ho visto le sue foto"),
    "pt": ('"mande-me fotos dos estragos"', "já vi as suas fotos"),
    "nl": ('"stuur me foto\'s van de schade"', "ik heb uw foto's gezien"),
}


@pytest.mark.parametrize("language", SEEN)
def test_what_the_agent_has_seen_was_sent(call: Call, language: str) -> None:
    asked, seen = SEEN[language]
    photos = EarlierThread(1, "request", "agent", asked)
    key = EarlierThread(2, "request", "agent", '"Bella"')

    assert _closes(call(f"a: {seen}\nu: –"), language, photos, key) == (1,)


def test_what_is_there_and_only_to_be_signed_has_come(call: Call) -> None:
    contract = EarlierThread(1, "promise", "agent", '"Le mando el contrato por correo."')
    table = EarlierThread(2, "promise", "agent", '"Le mando la mesa."')

    assert _closes(call("u: Ya recibí el contrato, solo falta firmar.\na: –"), "es", contract) == (1,)
    assert _closes(call("u: Ya recibí la mesa, falta una pata.\na: –"), "es", table) == ()


@pytest.mark.parametrize(
    ("language", "promised", "fetches"),
    [
        ("en", '"You\'ll have it Friday afternoon."', "I'll come and collect it tomorrow."),
        ("fr", '"Vous l\'aurez vendredi après-midi."', "Je la récupère demain à la première heure."),
        ("nl", '"Vrijdagmiddag is hij klaar."', "Vandaag red ik het niet, ik haal hem morgen vroeg op."),
    ],
)
def test_what_is_fetched_a_day_later_was_ready(
    call: Call, language: str, promised: str, fetches: str
) -> None:
    ready = EarlierThread(1, "promise", "agent", promised, date(2026, 11, 17))
    bill = EarlierThread(2, "promise", "agent", '"IKEA"', date(2026, 11, 17))

    assert _closes(call(f"u: {fetches}\na: –"), language, ready, bill) == (1,)


def _closes(said: list[Message], language: str, *known: EarlierThread) -> tuple[int, ...]:
    return thread_changes(said, language, BERLIN, open_before=known).closes


@pytest.mark.parametrize(
    ("language", "wish", "promised", "opening"),
    [
        ("en", "I'd like to switch from Tuesday to Monday.",
         "I'll see if there's room and call you on Friday.",
         "I'm calling about the Monday: there's room."),
        ("de", "Ich würde gern von Dienstag auf Montag wechseln.",
         "Ich schaue, ob Platz ist, und rufe Sie am Freitag an.", "Ich rufe wegen dem Montag an: Es geht."),
        ("es", "Me gustaría cambiar del martes al lunes.", "Miro si hay sitio y le llamo el viernes.",
         "Le llamo por lo del lunes: hay sitio."),
        ("fr", "Je voudrais passer du mardi au lundi.",
         "Je regarde s'il y a de la place et je vous appelle vendredi.", "J'appelle pour lundi : c'est bon."),
        ("it", "Vorrei passare da martedì a lunedì.", "Guardo se c'è posto e la chiamo venerdì.",
         "Chiamo per il lunedì: c'è posto."),
        ("pt", "Queria passar de terça para segunda.", "Vou ver se há vaga e ligo-lhe na sexta.",
         "Ligo por causa da segunda: há vaga."),
        ("nl", "Ik wil graag van de dinsdag naar de maandag.", "Ik kijk of er plek is en bel je vrijdag.",
         "Ik bel over de maandag: er is plek."),
    ],
)  # fmt: skip
def test_a_call_about_what_it_was_promised_for_keeps_it(
    closed: Closed, language: str, wish: str, promised: str, opening: str
) -> None:
    call = EarlierThread(1, "promise", "agent", f'"{promised}"', date(2026, 11, 20), f"{wish} {promised}")

    assert closed(f"a: {opening}\nu: –", call, language=language) == (1,)


def test_a_call_about_the_day_it_was_promised_for_says_nothing_of_it(closed: Closed) -> None:
    promised = "I'll see if there's room and call you on Friday."
    call = EarlierThread(1, "promise", "agent", f'"{promised}"', date(2026, 11, 20), promised)

    assert closed("a: I'm calling about Friday: the fitters are ill.\nu: –", call) == ()


@pytest.mark.parametrize(
    ("language", "promised", "said", "over"),
    [
        ("en", "I'll ask my husband about the kitchen.", "My husband wants the kitchen in white.", True),
        ("en", "I'll ask my husband about the kitchen.", "My husband hasn't seen the kitchen yet.", False),
        ("en", "I'll ask my husband about the kitchen.", "My husband is in Spain this week.", False),
        ("de", "Ich frage meinen Mann wegen der Küche.", "Mein Mann mag die Küche in Weiß.", True),
        ("es", "Le pregunto a mi marido por la cocina.", "Mi marido quiere la cocina en blanco.", True),
        ("fr", "Je demande à mon mari pour la cuisine.", "Mon mari est d'accord pour la cuisine.", True),
        ("it", "Chiedo a mio marito per la cucina.", "A mio marito va bene la cucina.", True),
        ("it", "Chiedo a mio marito per la cucina.", "Mio marito non ha ancora visto la cucina.", False),
        ("nl", "Ik vraag mijn man over de keuken.", "Mijn man wil de keuken in het wit.", True),
        ("pt", "Pergunto ao meu marido sobre a cozinha.", "O meu marido quer a cozinha em branco.", True),
    ],
)
def test_who_tells_what_somebody_thinks_of_it_has_asked_them(
    is_over: Callable[..., bool], language: str, promised: str, said: str, *, over: bool
) -> None:
    assert is_over(language, promised, f"a: Hello.\nu: {said}") is over


@pytest.mark.parametrize(
    ("language", "promised", "rings", "of_another"),
    [
        (
            "en",
            "Let's wait until the vet has seen him, I'll ring you on Tuesday.",
            "I said I'd ring about Biscuit.",
            "I'll ring you on Tuesday about the tiles.",
        ),
        (
            "de",
            "Warten wir den Tierarzt ab, ich rufe Sie am Dienstag an.",
            "Ich wollte mich ja melden wegen Biscuit.",
            "Ich rufe Sie am Dienstag wegen der Fliesen an.",
        ),
        (
            "es",
            "Esperemos al veterinario, le llamo el martes.",
            "Le dije que llamaba por Biscuit.",
            "Le llamo el martes por los azulejos.",
        ),
        (
            "fr",
            "Attendons le vétérinaire, je vous rappelle mardi.",
            "J'avais dit que j'appelais pour Biscuit.",
            "Je vous rappelle mardi pour le carrelage.",
        ),
        (
            "it",
            "Aspettiamo il veterinario, la richiamo martedì.",
            "Avevo detto che chiamavo per Biscuit.",
            "La richiamo martedì per le piastrelle.",
        ),
        (
            "nl",
            "Laten we de dierenarts afwachten, ik bel u dinsdag.",
            "Ik zou bellen over Biscuit.",
            "Ik bel u dinsdag over de tegels.",
        ),
        (
            "pt",
            "Esperemos pelo veterinário, ligo-lhe na terça.",
            "Disse que ligava sobre o Biscuit.",
            "Ligo-lhe na terça por causa dos azulejos.",
        ),
    ],
    ids=["en", "de", "es", "fr", "it", "nl", "pt"],
)
def test_who_rings_on_the_day_they_said_has_rung_whatever_was_said_before_it(
    closed: Closed, language: str, promised: str, rings: str, of_another: str
) -> None:
    def promise(text: str, due: date) -> EarlierThread:
        return EarlierThread(1, "promise", "user", f'"{text}"', due)

    today, tomorrow = date(2026, 11, 17), date(2026, 11, 18)

    assert closed(f"u: {rings}", promise(promised, today), language=language) == (1,)
    assert closed(f"u: {rings}", promise(promised, tomorrow), language=language) == ()
    assert closed(f"u: {rings}", promise(of_another, today), language=language) == ()


@pytest.mark.parametrize(
    ("language", "promised", "said"),
    [
        ("en", "Doctor Lowe will ring you.", "I missed her call but she left a message, all clear."),
        ("de", "Doktor Lohe ruft Sie an.", "Ich war nicht da, sie hat mir auf die Mailbox gesprochen."),
        ("es", "La doctora Prieto la llamará.", "Me dejó un mensaje, todo bien."),
        ("fr", "Le docteur Petit vous appellera.", "J'ai raté son appel, elle a laissé un message."),
        ("it", "La dottoressa Bassi la chiamerà.", "Ho perso la chiamata, ma ha lasciato un messaggio."),
        ("nl", "Dokter Smit belt u.", "Ik heb haar gemist, maar ze heeft ingesproken."),
        ("pt", "A doutora Matos liga-lhe.", "Perdi a chamada, mas ela deixou mensagem."),
    ],
    ids=["en", "de", "es", "fr", "it", "nl", "pt"],
)
def test_who_left_a_message_has_rung(closed: Closed, language: str, promised: str, said: str) -> None:
    promise = EarlierThread(1, "promise", "agent", f'"{promised}"')

    assert closed(f"u: {said}", promise, language=language) == (1,)


def test_who_was_texted_has_been_told_whatever_came_of_it(closed: Closed) -> None:
    promise = EarlierThread(1, "promise", "agent", '"We\'ll text you when it comes."')

    assert closed("u: You texted me, but it had gone when I came.", promise) == (1,)
    assert closed("u: You never texted me.", promise) == ()


@pytest.mark.parametrize(
    ("language", "promised", "told"),
    [
        ("en", "We'll ring you as soon as they're in.", "Hello Mr Ward, your results are in."),
        ("de", "wir rufen sie an sobald sie da sind", "hallo herr maier die befunde sind jetzt da"),
        ("es", "le llamamos nosotros en cuanto lleguen", "hola lorenzo ya están los resultados"),
        ("fr", "On vous appelle dès qu'ils arrivent.", "Bonjour monsieur Morel, vos lunettes sont là."),
        ("it", "La chiamiamo noi appena arrivano.", "Buongiorno signora Galli, gli occhiali sono qui."),
        ("pt", "ligamos nós assim que chegarem", "bom dia dona lima já temos os resultados"),
        ("nl", "Wij bellen u zodra ze er zijn.", "Dag meneer Smit, de uitslagen zijn er."),
    ],
)
def test_word_of_what_a_promise_only_points_to_keeps_it(
    closed: Closed, language: str, promised: str, told: str
) -> None:
    thread = EarlierThread(1, "promise", "agent", f'"{promised}"')

    assert closed(f"a: {told}\nu: .", thread, language=language) == (1,)
    assert closed(f"a: .\nu: {told}?\na: .", thread, language=language) == ()


@pytest.mark.parametrize(
    ("language", "promised", "paid", "unpaid"),
    [
        ("en", "I'll transfer it when it's here.", "I paid it straight away.", "I haven't paid it yet."),
        (
            "de",
            "Ich überweis dann, wenn sie da ist.",
            "Hab ich gleich bezahlt.",
            "Hab ich noch nicht bezahlt.",
        ),
        ("fr", "Je fais le virement quand je l'ai.", "Je l'ai payée tout de suite.", "Je ne l'ai pas payée."),
        ("es", "Hago la transferencia cuando llegue.", "La pagué enseguida.", "No la he pagado."),
        ("it", "Faccio il bonifico quando arriva.", "L'ho pagata subito.", "Non l'ho ancora pagata."),
        ("pt", "Faço a transferência quando chegar.", "Paguei logo.", "Ainda não paguei."),
        ("nl", "Ik betaal het als hij er is.", "Heb ik meteen betaald.", "Heb ik nog niet betaald."),
    ],
)
def test_who_has_paid_owes_nothing(
    closed: Closed, language: str, promised: str, paid: str, unpaid: str
) -> None:
    thread = EarlierThread(1, "promise", "user", f'"{promised}"')

    assert closed(f"a: .\nu: {paid}\na: .", thread, language=language) == (1,)
    assert closed(f"a: .\nu: {unpaid}\na: .", thread, language=language) == ()


def test_who_has_paid_something_else_still_owes_what_was_named(closed: Closed) -> None:
    deposit = EarlierThread(1, "promise", "user", '"I\'ll pay the deposit on Monday."')

    assert closed("a: .\nu: I paid the electricity.\na: .", deposit) == ()
    assert closed("a: And the deposit?\nu: I paid that.\na: .", deposit) == (1,)


SEARCHES = {
    "en": ("I'll trace it and ring you as soon as it's found.", "The case turned up last night."),
    "de": ("Ich gebe einen Suchauftrag auf und rufe Sie an.", "Das Gepäck ist gestern aufgetaucht."),
    "es": ("La buscamos y le llamo en cuanto aparezca.", "El bulto apareció anoche."),
    "fr": ("Je lance une recherche et je vous rappelle.", "Le bagage a été retrouvé hier."),
    "it": ("La cerchiamo e la richiamo appena la troviamo.", "Il bagaglio è saltato fuori ieri."),
    "nl": ("We zoeken ernaar en ik bel u zodra hij gevonden is.", "Ik heb hem thuis gevonden."),
    "pt": ("Vamos procurar e ligo-lhe assim que aparecer.", "A bagagem apareceu ontem."),
}


@pytest.mark.parametrize("language", SEARCHES)
def test_a_search_is_over_once_what_was_lost_is_there_whatever_it_is_called(
    closed: Closed, language: str
) -> None:
    promised, told = SEARCHES[language]
    search = known(1, "promise", "agent", f'"{promised}"')

    assert closed(f"a: Hm.\nu: {told}", search, language=language) == (1,)


@pytest.mark.parametrize(
    "said",
    [
        "Found it, it was under the spare.",
        "The charger was in my bag the whole time.",
        "It's been found, you sent me a letter.",
        "She came home by herself on Sunday.",
        "I found my brolly at my sister's.",
    ],
)
def test_what_was_looked_for_is_found(closed: Closed, said: str) -> None:
    search = known(1, "promise", "agent", '"I\'ll have a look for it and ring you."')

    assert closed(f"a: Hello.\nu: {said}", search) == (1,)


@pytest.mark.parametrize(
    "said",
    [
        "It still hasn't turned up.",
        "Has it been found?",
        "I found the form very confusing.",
        "If it's been found, ring me.",
        "I found a new flat.",
    ],
)
def test_a_search_goes_on_until_it_is_found(closed: Closed, said: str) -> None:
    search = known(1, "promise", "agent", '"I\'ll have a look for it and ring you."')

    assert closed(f"a: Hello.\nu: {said}", search) == ()


def test_of_two_searches_none_is_over_without_its_name(closed: Closed) -> None:
    one = known(1, "promise", "agent", '"I\'ll trace the trunk and ring you."')
    other = known(2, "promise", "agent", '"We\'ll look for the hat and ring you."')

    assert closed("a: Hello.\nu: It turned up last night.", one, other) == ()


REACHED = {
    "en": ("I'll ring her on Sunday.", "Well I rang her. We cried, the pair of us."),
    "de": ("Ich rufe sie am Sonntag an.", "Ich hab sie angerufen, wir haben geweint."),
    "es": ("La llamo el domingo.", "La llamé, lloramos las dos."),
    "fr": ("Je l'appelle dimanche.", "Je l'ai appelée, on a pleuré."),
    "it": ("La chiamo domenica.", "L'ho chiamata, abbiamo pianto."),
    "nl": ("Ik bel haar zondag.", "Ik heb haar gebeld, we hebben gehuild."),
    "pt": ("Ligo-lhe no domingo.", "Liguei-lhe, chorámos as duas."),
}


@pytest.mark.parametrize("language", REACHED)
def test_who_has_spoken_to_somebody_has_nothing_left_to_do(closed: Closed, language: str) -> None:
    promised, told = REACHED[language]
    promise = known(1, "promise", "user", f'"{promised}"', date(2026, 11, 15))

    assert closed(f"a: Hm.\nu: {told}", promise, language=language) == (1,)


@pytest.mark.parametrize(
    "said",
    [
        "a: Hello.\nu: I haven't rung her yet.",
        "a: Hello.\nu: I rang her but there was no answer.",
        "a: Hello.\nu: She rang me.",
        "a: How's your neighbour?\nu: I saw her yesterday.",
        "a: Hello.\nu: I ring her every Sunday.",
        "a: Hello.\nu: Do you know if I rang her?",
    ],
)
def test_who_has_not_spoken_to_them_has_still_to(closed: Closed, said: str) -> None:
    around = "Did you hear from your sister? I'll ring her on Sunday."
    promise = known(1, "promise", "user", '"I\'ll ring her on Sunday."', date(2026, 11, 15), around)

    assert closed(said, promise) == ()


WORKED = {
    "en": "Your man measured up, very polite.",
    "de": "Ihr Mann hat ausgemessen, sehr nett.",
    "es": "Su chico ya tomó las medidas, muy majo.",
    "fr": "Votre monsieur a pris les mesures, très poli.",
    "it": "Il vostro ragazzo ha preso le misure, gentilissimo.",
    "nl": "Uw man heeft opgemeten, heel aardig.",
    "pt": "O vosso rapaz tirou as medidas, muito simpático.",
}


@pytest.mark.parametrize("language", WORKED)
def test_who_has_done_the_work_has_been(closed: Closed, language: str) -> None:
    visit = known(1, "plan", "user", '"Monday at two?" – "OK."', MONDAY)

    assert closed(f"a: Hm.\nu: {WORKED[language]}", visit, language=language) == (1,)


@pytest.mark.parametrize(
    "said",
    ["Your man never measured up.", "When your man has measured up I'll ring.", "My man fixed it himself."],
)
def test_who_has_done_no_work_has_not_been(closed: Closed, said: str) -> None:
    visit = known(1, "plan", "user", '"Monday at two?" – "OK."', date(2026, 11, 17))

    assert closed(f"a: Hello.\nu: {said}", visit) == ()


@pytest.mark.parametrize(
    ("language", "promised", "around", "news", "no_news", "of_another"),
    [
        (
            "en",
            "I'll ask our grower and let you know.",
            "Hello, I'm after a quince tree. Welcome to Greenacre.",
            "Mr Fairlie? Greenacre. The grower has two quinces, at thirty-two pounds.",
            "Mr Fairlie? Greenacre. The grower hasn't answered yet.",
            "Mr Fairlie? Greenacre. There's a sale on roses this week.",
        ),
        (
            "de",
            "Ich frage unseren Züchter und sage Ihnen Bescheid.",
            "Haben Sie Quittenbäume?",
            "Herr Petersen? Gärtnerei Grün. Der Züchter hat zwei Quitten, für zwanzig Euro.",
            "Herr Petersen? Gärtnerei Grün. Der Züchter hat sich noch nicht gemeldet.",
            "Herr Petersen? Gärtnerei Grün. Die Rosen sind diese Woche billiger.",
        ),
    ],
    ids=["en", "de"],
)
def test_an_agent_that_rings_somebody_with_the_news_keeps_its_promise(
    closed: Closed, language: str, promised: str, around: str, news: str, no_news: str, of_another: str
) -> None:
    owed = known(1, "promise", "agent", f'"{promised}"', around=f"{around} {promised}")

    assert closed(f"a: {news}\nu: .", owed, language=language) == (1,)
    assert closed(f"a: {no_news}\nu: .", owed, language=language) == ()
    assert closed(f"a: {of_another}\nu: .", owed, language=language) == ()


@pytest.mark.parametrize(
    ("language", "promised", "said"),
    [
        ("en", "I'll call you back.", "Thanks for calling me back."),
        (
            "en",
            "I'll reset it and ring you back within the hour.",
            "thank you you called me back and im in now",
        ),
        ("de", "Ich rufe Sie zurück.", "Danke für den Rückruf."),
        ("de", "Ich rufe Sie zurück.", "Danke, dass Sie mich zurückgerufen haben."),
        ("es", "Yo le llamo.", "Gracias por devolverme la llamada."),
        ("fr", "Je vous rappelle.", "Merci de m'avoir rappelé."),
        ("it", "La richiamo io.", "Grazie per avermi richiamato."),
        ("nl", "Ik bel u terug.", "Bedankt voor het terugbellen."),
        ("pt", "Eu ligo-lhe de volta.", "Obrigado por me ter ligado de volta."),
    ],
)
def test_who_thanks_for_the_call_was_rung(closed: Closed, language: str, promised: str, said: str) -> None:
    to_ring = known(1, "promise", "agent", f'"{promised}"')

    assert closed(f"a: Hello.\nu: {said}", to_ring, language=language) == (1,)


@pytest.mark.parametrize(
    ("language", "promised", "said"),
    [
        ("en", "I'll text you when the part's in.", "Picked it up yesterday, thanks."),
        ("de", "Ich rufe Sie an, wenn das Teil da ist.", "Ich hab ihn gestern abgeholt, läuft wie neu."),
    ],
)
def test_who_has_fetched_it_waits_for_no_word_of_it(
    closed: Closed, language: str, promised: str, said: str
) -> None:
    assert closed(f"a: Hello.\nu: {said}", known(1, "promise", "agent", f'"{promised}"'), language=language)


@pytest.mark.parametrize(
    ("language", "promised", "news"),
    [
        ("en", "I'll let you know when it's in.", "The lamp's come in, okay?"),
        ("de", "Ich sage Ihnen Bescheid, sobald sie da ist.", "Die Lampe ist da, gell?"),
        ("es", "Le aviso en cuanto llegue.", "La lámpara ha llegado, ¿vale?"),
        ("fr", "Je vous préviens dès qu'elle arrive.", "La lampe est arrivée, hein ?"),
        ("it", "La avviso appena arriva.", "La lampada è arrivata, ok?"),
        ("nl", "Ik laat het weten zodra hij er is.", "De lamp is binnen, hè?"),
        ("pt", "Assim que chegar eu aviso o senhor.", "A metformina chegou, tá?"),
    ],
)
def test_news_told_with_a_question_tag_is_told(
    closed: Closed, language: str, promised: str, news: str
) -> None:
    to_tell = known(1, "promise", "agent", f'"{promised}"')

    assert closed(f"a: {news}\nu: ok", to_tell, language=language) == (1,)


@pytest.mark.parametrize(
    ("language", "asked", "promised", "fetched"),
    [
        ("en", "Will you ring me when it's done?", "Will do.", "I've just picked the bike up."),
        ("de", "Rufen Sie an, wenn es fertig ist?", "Mach ich.", "Ich hab das Rad gerade abgeholt."),
        ("es", "¿Me llama cuando esté?", "Sí, le llamo.", "Acabo de recoger la bici."),
        ("fr", "Vous m'appelez quand il est prêt ?", "Je vous appelle.", "Je viens de récupérer le vélo."),
        ("it", "Mi chiama quando è pronta?", "Sì, la chiamo.", "Ho appena ritirato la bici."),
        ("pt", "Liga-me quando estiver pronta?", "Ligo.", "Acabei de levantar a bicicleta."),
        ("nl", "Bel je als hij klaar is?", "Doe ik.", "Ik heb de fiets net opgehaald."),
    ],
)
def test_a_call_that_was_asked_for_when_it_is_ready_is_over_once_it_is_fetched(
    closed: Closed, language: str, asked: str, promised: str, fetched: str
) -> None:
    known = EarlierThread(1, "promise", "agent", f'"{asked}" – "{promised}"')

    assert closed(f"a: Hello.\nu: {fetched}", known, language=language) == (1,)


@pytest.mark.parametrize(
    ("language", "promised", "news"),
    [
        ("en", "We'll message you when it's done.", "Hi Leo, your bike's ready!"),
        ("de", "Wir melden uns, wenn es fertig ist.", "Hallo Leo, dein Rad ist fertig!"),
        ("es", "Le llamamos cuando esté lista.", "Hola Leo, ¡tu bici está lista!"),
        ("fr", "On vous appelle quand il est prêt.", "Bonjour Léo, votre vélo est prêt !"),
        ("it", "La chiamiamo quando è pronta.", "Ciao Leo, la bici è pronta!"),
        ("pt", "Ligamos quando estiver pronta.", "Olá Leo, a bicicleta está pronta!"),
        ("nl", "We bellen als hij klaar is.", "Hoi Leo, je fiets is klaar!"),
    ],
)
def test_who_begins_by_saying_that_it_is_ready_owes_no_word_of_it(
    closed: Closed, language: str, promised: str, news: str
) -> None:
    known = EarlierThread(1, "promise", "agent", f'"{promised}"')

    assert closed(f"a: {news}\nu: Great.", known, language=language) == (1,)


WAITED_FOR = {
    "en": ("Are my glasses ready?", "Not yet, next week.", "I got your text, I'll come in on Saturday."),
    "de": ("Ist meine Brille fertig?", "Noch nicht, nächste Woche.", "Ich hab Ihre SMS bekommen."),
    "es": (
        "¿Están listas mis gafas?",
        "Todavía no, la semana que viene.",
        "Recibí su mensaje, paso el sábado.",
    ),
    "fr": ("Mes lunettes sont prêtes ?", "Pas encore, la semaine prochaine.", "J'ai bien eu votre SMS."),
    "it": ("Sono pronti i miei occhiali?", "Non ancora, la prossima settimana.", "Ho ricevuto il suo SMS."),
    "pt": ("Os meus óculos estão prontos?", "Ainda não, na próxima semana.", "Recebi a sua SMS."),
    "nl": ("Is mijn bril klaar?", "Nog niet, volgende week.", "Ik heb uw sms gekregen."),
}


@pytest.mark.parametrize("language", WAITED_FOR)
def test_what_the_user_waited_for_is_ready_once_they_got_word(call: Call, language: str) -> None:
    asked, answer, said = WAITED_FOR[language]
    waiting = EarlierThread(1, "promise", "agent", f'"{asked}" – "{answer}"', date(2026, 11, 15))

    assert thread_changes(call(f"u: {said}\na: –"), language, BERLIN, open_before=[waiting]).closes == (1,)


@pytest.mark.parametrize(
    ("language", "promised", "told"),
    [
        ("en", "I'll ring you with the quote.", "Hello, it's the garage. The quote is four hundred pounds."),
        ("de", "Ich ruf Sie mit dem Angebot an.", "Hier ist Ott. Das Angebot liegt bei dreihundert Euro."),
        ("es", "Le llamo con el presupuesto.", "Es del taller. El presupuesto es de cuatrocientos euros."),
        ("fr", "Je vous rappelle avec le devis.", "C'est le garage. Le devis est de quatre cents euros."),
        ("it", "La chiamo con il preventivo.", "È l'officina. Il preventivo è di quattrocento euro."),
        ("nl", "Ik bel u met de offerte.", "Met de garage. De offerte is vierhonderd euro."),
        ("pt", "Telefono-lhe com o orçamento.", "É da oficina. O orçamento é de quatrocentos euros."),
    ],
)
def test_who_calls_with_what_they_were_to_call_with_has_called(
    closed: Closed, language: str, promised: str, told: str
) -> None:
    known = EarlierThread(1, "promise", "agent", f'"{promised}"')

    assert closed(f"a: {told}\nu: OK.", known, language=language) == (1,)


def test_what_a_house_says_of_itself_is_no_news(closed: Closed) -> None:
    known = EarlierThread(1, "promise", "agent", '"I\'ll ring you with the quote for the brakes."')

    assert closed("a: Hello, Miller's garage. We do brakes and tyres.\nu: Hi.", known) == ()


@pytest.mark.parametrize(
    ("language", "asked", "promised", "fetched"),
    [
        (
            "en",
            "Are my new glasses in?",
            "I'll chase the lab and ring you.",
            "I picked the glasses up yesterday.",
        ),
        (
            "de",
            "Ist meine Brille da?",
            "Ich frag im Labor und ruf Sie an.",
            "Ich hab die Brille gestern abgeholt.",
        ),
        ("es", "¿Han llegado mis gafas?", "Pregunto al laboratorio y le llamo.", "Recogí las gafas ayer."),
        (
            "fr",
            "Mes lunettes sont là ?",
            "Je relance le labo et vous appelle.",
            "J'ai récupéré mes lunettes hier.",
        ),
        (
            "it",
            "Sono arrivati i miei occhiali?",
            "Sento il laboratorio e la chiamo.",
            "Ho ritirato gli occhiali ieri.",
        ),
        ("nl", "Is mijn bril er al?", "Ik vraag het lab en bel u.", "Ik heb mijn bril gisteren opgehaald."),
        (
            "pt",
            "Os meus óculos já chegaram?",
            "Pergunto ao laboratório e ligo.",
            "Fui buscar os óculos ontem.",
        ),
    ],
)
def test_what_the_agent_was_to_do_for_a_thing_has_no_use_once_it_is_fetched(
    closed: Closed, language: str, asked: str, promised: str, fetched: str
) -> None:
    known = EarlierThread(1, "promise", "agent", f'"{asked}" – "{promised}"')

    assert closed(f"a: Hallo.\nu: {fetched}\na: –", known, language=language) == (1,)


@pytest.mark.parametrize(
    ("language", "promised", "said"),
    [
        ("en", "We'll let you know as soon as it's back.", "i picked up the atlas on friday thank you"),
        ("de", "Ich sage Ihnen Bescheid, sobald es da ist.", "Ich hab das Buch am Freitag abgeholt."),
        ("nl", "Ik laat het u weten zodra het er is.", "Ik heb het boek vrijdag opgehaald."),
    ],
)
def test_who_has_fetched_what_they_were_to_be_told_of_waits_no_more(
    closed: Closed, language: str, promised: str, said: str
) -> None:
    thread = EarlierThread(9, "promise", "agent", f'"{promised}"')

    assert closed(f"a: Hi.\nu: {said}", thread, language=language) == (9,)


@pytest.mark.parametrize(
    ("language", "promised", "said"),
    [
        ("en", "I'll send somebody round on Tuesday.", "your electrician came and the lights are on again"),
        ("de", "Ich schicke Ihnen einen Techniker.", "Ihr Techniker war gestern da, läuft alles."),
        ("fr", "Le plombier vous appellera avant de venir.", "Votre plombier est bien passé, merci."),
        ("es", "Le mando a un compañero.", "Ya vino su compañero y está arreglado."),
        ("it", "Le mando un tecnico.", "Il vostro tecnico è passato ieri."),
        ("pt", "Mando-lhe um técnico.", "O vosso técnico já veio, está tudo bem."),
        ("nl", "Ik stuur u een monteur.", "Uw monteur is gisteren geweest."),
    ],
)
def test_who_was_to_come_and_came_is_waited_for_no_more(
    closed: Closed, language: str, promised: str, said: str
) -> None:
    visit = EarlierThread(9, "promise", "agent", f'"{promised}"', date(2026, 11, 10))
    offer = EarlierThread(11, "promise", "agent", '"I will post the offer. Ich schicke das Angebot."')

    assert closed(f"a: Hi.\nu: {said}", visit, offer, language=language) == (9,)


def test_a_visit_that_is_still_ahead_is_another(closed: Closed) -> None:
    ahead = EarlierThread(9, "promise", "agent", '"I will send a joiner."', date(2026, 12, 10))

    assert closed("a: Hi.\nu: your plumber came yesterday", ahead) == ()


@pytest.mark.parametrize(
    "said", ["Your man never came.", "When your man has been I'll ring.", "Is he coming?"]
)
def test_who_has_not_come_is_waited_for(closed: Closed, said: str) -> None:
    visit = EarlierThread(9, "promise", "agent", '"I will send a man round."')

    assert closed(f"a: Hi.\nu: {said}", visit) == ()


@pytest.mark.parametrize(
    ("language", "promised", "said"),
    [
        ("en", "I'll ring you when it's let out.", "I've had it on and it fits like a glove."),
        ("de", "Ich rufe Sie an, wenn sie fertig ist.", "Die sitzt wie angegossen."),
        ("fr", "Je vous appelle.", "Elle me va comme un gant."),
        ("es", "Yo la aviso.", "Me van como un guante."),
        ("it", "La avviso domani.", "Mi sta a pennello."),
        ("pt", "Aviso-a amanhã.", "Serve como uma luva."),
        ("nl", "Ik bel u morgen.", "Het zit als gegoten."),
    ],
)
def test_what_turned_out_well_is_waited_for_no_more(
    closed: Closed, language: str, promised: str, said: str
) -> None:
    thread = EarlierThread(9, "promise", "agent", f'"{promised}"')
    other = EarlierThread(10, "promise", "agent", '"I will post the form. Ich schicke die Karte."')

    assert closed(f"a: Hi.\nu: {said}", thread, language=language) == (9,)
    assert closed(f"a: Hi.\nu: {said}", thread, other, language=language) == (), "of two nobody knows which"


@pytest.mark.parametrize(
    ("language", "promised", "said"),
    [
        (
            "en",
            "I'll look for your glasses.",
            "It's about the glasses. Panic over, they were in my bag all along.",
        ),
        ("en", "I'll look for your glasses.", "About my glasses. They turned up at my sister's."),
        ("de", "Ich suche Ihre Schlüssel.", "Wegen der Schlüssel, die haben sich gefunden."),
        ("es", "Busco sus gafas y le llamo.", "Falsa alarma con las gafas, estaban en mi bolso."),
        ("fr", "Je cherche vos lunettes.", "Pour mes lunettes, fausse alerte."),
        ("it", "Cerco i suoi occhiali.", "Gli occhiali sono saltati fuori."),
        ("nl", "Ik zoek uw bril.", "Mijn bril is terecht."),
        ("pt", "Vou procurar os seus óculos.", "Os óculos apareceram ontem."),
    ],
)
def test_what_was_looked_for_and_is_there_again_is_looked_for_no_more(
    closed: Closed, language: str, promised: str, said: str
) -> None:
    thread = EarlierThread(31, "promise", "agent", f'"{promised}"')

    assert closed(f"a: Hello.\nu: {said}", thread, language=language) == (31,)


GLASSES = EarlierThread(31, "promise", "agent", '"I\'ll have housekeeping look for your glasses."')


@pytest.mark.parametrize(
    "said",
    ["The glasses are still missing. They fixed the lift, though.", "They haven't turned up, my glasses."],
)
def test_what_is_still_missed_is_still_looked_for(closed: Closed, said: str) -> None:
    assert closed(f"a: Hello.\nu: {said}", GLASSES) == ()


def test_who_has_fetched_one_of_what_was_to_be_ordered_waits_no_more(closed: Closed) -> None:
    one = "\"Sold out, I'm afraid. I'll order one in and ring you when it's here.\""
    filters = "\"I'll order the filter and ring you when it's here.\""
    fetched = "a: Hello.\nu: I picked the book up yesterday, so you can cross me off."

    assert closed(fetched, EarlierThread(34, "promise", "agent", one)) == (34,)
    assert closed(fetched, EarlierThread(35, "promise", "agent", filters)) == ()


@pytest.mark.parametrize(
    ("language", "text"),
    [
        ("en", "Your plumber was lovely, you know."),
        ("fr", "Dites, il était charmant, votre monsieur."),
        ("it", "Il vostro tecnico è stato gentilissimo."),
        ("nl", "Uw monteur was heel aardig."),
    ],
)
def test_who_is_praised_has_been(closed: Closed, language: str, text: str) -> None:
    said = {
        "en": "We'll send someone about the tap.",
        "fr": "Je vous envoie un technicien.",
        "it": "Le mando un tecnico.",
        "nl": "Ik stuur u een monteur.",
    }[language]

    assert closed(
        f"a: .\nu: {text}", EarlierThread(1, "promise", "agent", f'"{said}"'), language=language
    ) == (1,)


@pytest.mark.parametrize(
    ("language", "asked", "promised", "told"),
    [
        ("en", "Can we bring the dog?", "I'll get back to you.", "It's the guest house. The dog can come."),
        ("de", "Dürfen wir den Hund mitbringen?", "Ich melde mich.", "Hier die Pension. Der Hund darf mit."),
        ("es", "¿Podemos llevar al perro?", "Le llamo.", "Llamo de la pensión. El perro puede venir."),
        (
            "fr",
            "On peut amener le chien ?",
            "Je reviens vers vous.",
            "C'est la pension. Le chien peut venir.",
        ),
        ("it", "Possiamo portare il cane?", "La richiamo.", "Qui la pensione. Il cane può venire."),
        ("nl", "Mag de hond mee?", "Ik kom erop terug.", "Met het pension. De hond mag mee."),
        ("pt", "A cachorrinha pode ir?", "Eu retorno pra senhora.", "É da pousada. A cachorrinha pode vir."),
    ],
)
def test_who_calls_with_the_answer_has_called(
    closed: Closed, language: str, asked: str, promised: str, told: str
) -> None:
    known = EarlierThread(1, "promise", "agent", f'"{asked}" – "{promised}"')

    assert closed(f"a: {told}\nu: Oh.", known, language=language) == (1,)


@pytest.mark.parametrize(
    ("language", "promised", "fetched"),
    [
        ("en", "Your bike will be ready on Monday.", "I've just picked it up, it goes like a train."),
        ("de", "Am Montag ist dein Rad fertig.", "Ich hab es grad abgeholt, es läuft wie geschmiert."),
        ("es", "Tu bici estará lista el lunes.", "La he recogido ahora mismo, va de maravilla."),
        ("fr", "Votre vélo sera prêt lundi.", "Je viens de le récupérer, il roule très bien."),
        ("it", "La bici è pronta lunedì.", "L'ho appena ritirata, va che è una meraviglia."),
        ("nl", "Maandag is je fiets klaar.", "ik heb m net opgehaald hij rijdt weer als een trein"),
        ("pt", "A bicicleta fica pronta na segunda.", "Acabei de a levantar, anda que é uma maravilha."),
    ],
)
def test_what_was_to_be_ready_is_over_once_it_is_fetched(
    closed: Closed, language: str, promised: str, fetched: str
) -> None:
    known = EarlierThread(1, "promise", "agent", f'"{promised}"', MONDAY)

    assert closed(f"a: Hallo.\nu: {fetched}", known, language=language) == (1,)
    assert closed("a: Hallo.\nu: Hallo.", known, language=language) == ()


@pytest.mark.parametrize(
    ("language", "promised", "called"),
    [
        ("de", "Ich suche jemanden und rufe Sie an.", "Guten Tag, ich rufe von Regenbogen an."),
        ("en", "I'll find somebody and call you.", "Hello, I'm calling from Rainbow Sitters."),
        ("es", "Busco a alguien y la llamo.", "Buenas tardes, la llamo de Canguros Arcoíris."),
        ("fr", "Je cherche quelqu'un et je vous appelle.", "Bonjour, je vous appelle de chez Arc-en-ciel."),
        ("it", "Cerco qualcuno e la chiamo.", "Buonasera, la chiamo da Arcobaleno."),
        ("nl", "Ik zoek iemand en bel u.", "Goedemiddag, ik bel van Regenboog."),
        ("pt", "Procuro alguém e ligo-lhe.", "Boa tarde, estou a ligar do Arco-íris."),
    ],
)
def test_who_calls_from_somewhere_has_called(
    closed: Closed, language: str, promised: str, called: str
) -> None:
    known = EarlierThread(1, "promise", "agent", f'"{promised}"')
    assert closed(f"a: {called}\nu: Ah.", known, language=language) == (1,)


@pytest.mark.parametrize(
    ("language", "text", "said"),
    [
        ("en", '"I\'ll ask the boss about the price and text you."', "Thanks for the message, 110 is fine."),
        (
            "de",
            '"Den Preis muss ich die Chefin fragen, ich schreib dir."',
            "Danke für die Nachricht, 110 ist gut.",
        ),
        ("es", '"Le pregunto el precio a la jefa y le escribo."', "Gracias por el mensaje, 110 está bien."),
        (
            "fr",
            '"Je demande le prix à la patronne et je vous écris."',
            "Merci pour le message, 110 c'est bon.",
        ),
        ("it", '"Chiedo il prezzo alla titolare e le scrivo."', "Grazie per il messaggio, 110 va bene."),
        ("pt", '"Pergunto o preço à patroa e escrevo-lhe."', "Obrigada pela mensagem, 110 está bem."),
        ("nl", '"Ik vraag de prijs aan de bazin en ik app je."', "Bedankt voor het berichtje, 110 is prima."),
    ],
)
def test_thanks_for_the_message_are_for_the_one_that_was_promised(
    closed: Closed, language: str, text: str, said: str
) -> None:
    assert closed(f"a: –\nu: {said}", EarlierThread(1, "promise", "agent", text), language=language) == (1,)
