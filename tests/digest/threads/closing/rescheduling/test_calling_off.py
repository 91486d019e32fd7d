"""What is called off is what was named: another thing, or one of several guests, leaves a plan alone."""

from collections.abc import Callable
from datetime import date
from zoneinfo import ZoneInfo

import pytest

from voice_server.digest.threads.changes import thread_changes
from voice_server.domain.conversation import Message
from voice_server.domain.digest import EarlierThread

Closed = Callable[..., tuple[int, ...]]
Call = Callable[[str], list[Message]]
BERLIN = ZoneInfo("Europe/Berlin")


def appointment(text: str) -> EarlierThread:
    return EarlierThread(1, "plan", "user", text, date(2026, 11, 26))


@pytest.mark.parametrize(
    ("language", "known", "off", "granted"),
    [
        (
            "en",
            '"Thursday the 26th at ten" – "yes"',
            "um and the parking space we don't need it after all",
            "okay i'll cancel that",
        ),
        (
            "en",
            '"Thursday the 26th at ten?" – "Yes."',
            "And the hire car, we don't want it after all.",
            "All right, I'll cancel it.",
        ),
        (
            "de",
            '"Donnerstag, der 26., um zehn?" – "Ja."',
            "Und den Mietwagen, den wollen wir doch nicht.",
            "Gut, den storniere ich.",
        ),
        (
            "es",
            '"¿El jueves 26 a las diez?" – "Sí."',
            "Y la revista ya no la quiero.",
            "De acuerdo, la anulo.",
        ),
        (
            "fr",
            '"Jeudi 26 à dix heures ?" – "Oui."',
            "Et la voiture de location, finalement on n'en veut pas.",
            "D'accord, je l'annule.",
        ),
        ("it", '"Giovedì 26 alle dieci?" – "Sì."', "E la rivista non la voglio più.", "Va bene, la annullo."),
        ("pt", '"Quinta, dia 26, às dez?" – "Sim."', "E a revista já não quero.", "Está bem, eu cancelo."),
        (
            "nl",
            '"Donderdag de 26e om tien uur" – "ja"',
            "en die parkeerplaats hebben we toch niet nodig",
            "oké die annuleer ik",
        ),
    ],
)
def test_another_thing_called_off_leaves_an_appointment(
    call: Call, language: str, known: str, off: str, granted: str
) -> None:
    talk = call(f"a: Hello.\nu: {off}\na: {granted}")

    assert thread_changes(talk, language, BERLIN, open_before=[appointment(known)]).closes == ()


@pytest.mark.parametrize(
    ("language", "known", "off", "granted"),
    [
        (
            "en",
            '"Thursday the 26th at ten?" – "Yes."',
            "And the appointment, I don't need it any more.",
            "I'll cancel it.",
        ),
        (
            "en",
            '"Thursday the 26th at ten?" – "Yes."',
            "and my mum's ill so i have to cancel",
            "okay i'll cancel it",
        ),
        (
            "en",
            '"The plumber on Thursday at ten?" – "Yes."',
            "And the plumber, we don't need him any more.",
            "I'll cancel that.",
        ),
        (
            "de",
            '"Donnerstag um zehn beim Zahnarzt?" – "Ja."',
            "Und den Zahnarzt, den brauche ich doch nicht.",
            "Gut, das sage ich ab.",
        ),
        ("es", '"¿El jueves 26 a las diez?" – "Sí."', "Y la cita ya no la quiero.", "De acuerdo, la anulo."),
        (
            "it",
            '"Giovedì 26 alle dieci?" – "Sì."',
            "E l'appuntamento non lo voglio più.",
            "Va bene, lo annullo.",
        ),
        (
            "nl",
            '"Donderdag de 26e om tien uur" – "ja"',
            "en die afspraak hebben we toch niet nodig",
            "oké die annuleer ik",
        ),
        ("en", '"Thursday at ten?" – "Great."', "And the car's broken, I can't come.", "I'll cancel it."),
        ("es", '"¿El jueves a las diez?" – "Sí."', "Y el coche está roto, no puedo ir.", "Pues la anulo."),
        (
            "fr",
            '"Jeudi à dix heures ?" – "Oui."',
            "Et ma voiture est en panne, je ne peux pas venir.",
            "Je l'annule.",
        ),
        (
            "pt",
            '"Quinta às dez?" – "Sim."',
            "E o carro está avariado, não posso ir.",
            "Está bem, eu cancelo.",
        ),
        (
            "nl",
            '"Donderdag om tien?" – "Ja."',
            "En mijn auto is kapot, ik kan niet komen.",
            "Die annuleer ik.",
        ),
    ],
)
def test_the_appointment_called_off_is_closed(
    call: Call, language: str, known: str, off: str, granted: str
) -> None:
    talk = call(f"a: Hello.\nu: {off}\na: {granted}")

    assert thread_changes(talk, language, BERLIN, open_before=[appointment(known)]).closes == (1,)


BY_THE_AGENT = {
    "en": ("Does Thursday at ten work?", "Marisa's off sick and I have to cancel your appointment."),
    "de": ("Passt Donnerstag um zehn?", "Marisa ist krank, ich muss Ihren Termin leider absagen."),
    "es": ("¿Le va bien el jueves a las diez?", "Marisa está de baja y tengo que anularle la hora."),
    "fr": ("Jeudi à dix heures ?", "Marisa est malade et je dois annuler votre rendez-vous."),
    "it": ("Giovedì alle dieci?", "Marisa è malata e devo annullarle l'appuntamento."),
    "pt": ("Quinta às dez?", "A Marisa está de baixa e tenho de desmarcar a sua hora."),
    "nl": ("Donderdag om tien uur?", "Marisa is ziek en ik moet uw afspraak helaas afzeggen."),
}


@pytest.mark.parametrize("language", BY_THE_AGENT)
def test_why_the_agent_calls_off_names_nothing_else(call: Call, language: str) -> None:
    offer, off = BY_THE_AGENT[language]
    known = appointment(f'"{offer}" – "OK."')

    assert thread_changes(call(f"a: {off}\nu: –"), language, BERLIN, open_before=[known]).closes == (1,)


@pytest.mark.parametrize(
    ("language", "known", "said", "all_of_them"),
    [
        (
            "en",
            "Paul and Ellen are coming for lunch on Sunday.",
            "Paul can't come on Sunday, he's working.",
            "Paul and Ellen can't come on Sunday.",
        ),
        (
            "es",
            "El domingo vienen a comer Paco y Elena.",
            "Paco no puede venir el domingo, trabaja.",
            "Paco y Elena no pueden venir el domingo.",
        ),
        (
            "fr",
            "Dimanche Paul et Hélène viennent manger.",
            "Paul ne peut pas venir dimanche, il travaille.",
            "Paul et Hélène ne peuvent pas venir dimanche.",
        ),
        (
            "it",
            "Domenica vengono a pranzo Paolo ed Elena.",
            "Paolo non può venire domenica, lavora.",
            "Paolo ed Elena non possono venire domenica.",
        ),
        (
            "nl",
            "Zondag komen Paul en Ellen eten.",
            "Paul kan zondag niet komen, hij werkt.",
            "Paul en Ellen kunnen zondag niet komen.",
        ),
    ],
)
def test_one_guest_who_cannot_come_leaves_the_visit_of_the_others(
    call: Call, language: str, known: str, said: str, all_of_them: str
) -> None:
    visit = EarlierThread(1, "plan", "user", f'"{known}"', date(2026, 11, 22))

    def closes(text: str) -> tuple[int, ...]:
        return thread_changes(call(f"a: Hello.\nu: {text}"), language, BERLIN, open_before=[visit]).closes

    assert closes(said) == ()
    assert closes(all_of_them) == (1,)


@pytest.mark.parametrize(
    ("language", "other", "known", "said", "offered", "yes"),
    [
        (
            "en",
            '"Tuesday at four?" – "Great."',
            '"And the check-up on Friday at nine?" – "Yes."',
            "And Friday, my wife's in hospital then. We'd have to move the appointment.",
            "How about the 3rd of December at ten?",
            "Yes, that suits us.",
        ),
        (
            "de",
            '"Dienstag um vier?" – "Ja."',
            '"Und die Vorsorge am Freitag um neun?" – "Ja."',
            "Und der Freitag, da ist meine Frau im Krankenhaus. Wir müssten den Termin verschieben.",
            "Am 3. Dezember um 10 Uhr?",
            "Ja, passt.",
        ),
        (
            "es",
            '"¿El martes a las cuatro?" – "Sí."',
            '"¿Y la revisión el viernes a las nueve?" – "Sí."',
            "Lo del viernes, mi mujer está en el hospital. Tendríamos que cambiar la cita.",
            "¿Le viene bien el 3 de diciembre a las diez?",
            "Sí, perfecto.",
        ),
        (
            "fr",
            '"Mardi à seize heures ?" – "Oui."',
            '"Et le contrôle vendredi à neuf heures ?" – "Oui."',
            "Vendredi, ma femme est à l'hôpital. Il faudrait déplacer le rendez-vous.",
            "Le 3 décembre à dix heures ?",
            "Oui, très bien.",
        ),
        (
            "it",
            '"Martedì alle sedici?" – "Sì."',
            '"E il controllo venerdì alle nove?" – "Sì."',
            "Venerdì mia moglie è in ospedale. Dovremmo spostare l'appuntamento.",
            "Il 3 dicembre alle dieci?",
            "Sì, va bene.",
        ),
        (
            "pt",
            '"Na terça às quatro?" – "Sim."',
            '"E a revisão na sexta às nove?" – "Sim."',
            "Na sexta a minha mulher está no hospital. Tínhamos de mudar a marcação.",
            "Dia 3 de dezembro às dez?",
            "Sim, pode ser.",
        ),
        (
            "nl",
            '"Dinsdag om vier uur?" – "Ja."',
            '"En de controle vrijdag om negen uur?" – "Ja."',
            "Vrijdag ligt mijn vrouw in het ziekenhuis. We moeten de afspraak verzetten.",
            "Kan 3 december om tien uur?",
            "Ja, prima.",
        ),
    ],
)
def test_of_two_appointments_the_one_on_the_day_named_beside_the_move_is_closed(
    call: Call, language: str, other: str, known: str, said: str, offered: str, yes: str
) -> None:
    talk = call(f"u: {said}\na: {offered}\nu: {yes}")
    before = [
        EarlierThread(1, "plan", "user", other, date(2026, 11, 24)),
        EarlierThread(2, "plan", "user", known, date(2026, 11, 20)),
    ]

    assert thread_changes(talk, language, BERLIN, open_before=before).closes == (2,)


RESERVED = {
    "en": (
        "\"It's reserved, you'll get an email.\"",
        "I've bought it myself, you can delete the reservation.",
    ),
    "de": (
        '"Ist vorgemerkt, Sie kriegen eine Mail."',
        "Gekauft hab ich es, die Vormerkung können Sie löschen.",
    ),
    "es": ('"Reservado, le mando un correo."', "Ya me lo he comprado, puede borrar la reserva."),
    "fr": (
        '"C\'est réservé, vous recevrez un mail."',
        "Je l'ai acheté, vous pouvez supprimer la réservation.",
    ),
    "it": (
        '"Prenotato, le arriva una mail."',
        "Nel frattempo l'ho comprato, può cancellare la prenotazione.",
    ),
    "pt": ('"Está reservado, mando-lhe um mail."', "Entretanto comprei-o, pode apagar a reserva."),
    "nl": (
        '"Gereserveerd, u krijgt een mail."',
        "Ik heb het zelf gekocht, u mag de reservering verwijderen.",
    ),
}


@pytest.mark.parametrize("language", RESERVED)
def test_a_reservation_is_deleted_by_that_name(call: Call, language: str) -> None:
    told, said = RESERVED[language]
    kept = EarlierThread(1, "promise", "agent", told)
    other = EarlierThread(2, "promise", "agent", '"IKEA"')

    changes = thread_changes(call(f"u: {said}\na: –"), language, BERLIN, open_before=(kept, other))
    assert changes.closes == (1,)


def test_a_reservation_that_is_asked_after_stays(call: Call) -> None:
    kept = EarlierThread(1, "promise", "agent", RESERVED["en"][0])

    for said in ("Is the reservation still on?", "Can I delete the reservation later?"):
        changes = thread_changes(call(f"u: {said}\na: Yes, of course."), "en", BERLIN, open_before=(kept,))
        assert changes.closes == ()


@pytest.mark.parametrize(
    ("language", "around", "told", "lines"),
    [
        (
            "en",
            "There's a payment I don't know.",
            "Our fraud team will call you tomorrow.",
            "a: And the payment?\nu: It was my son's, never mind.",
        ),
        (
            "de",
            "Da ist eine Abbuchung, die ich nicht kenne.",
            "Unsere Fachabteilung ruft Sie morgen an.",
            "a: Und die Abbuchung?\nu: Die war von meinem Sohn, lassen Sie nur.",
        ),
        (
            "es",
            "Hay un cargo que no conozco.",
            "Mañana le llama nuestro equipo.",
            "a: ¿Y el cargo?\nu: Era de mi hijo, déjelo estar.",
        ),
        (
            "fr",
            "Il y a un prélèvement que je ne connais pas.",
            "Notre équipe vous appelle demain.",
            "a: Et le prélèvement ?\nu: C'était mon fils, laissez tomber.",
        ),
        (
            "it",
            "C'è un addebito che non conosco.",
            "Domani la chiama il nostro ufficio.",
            "a: E l'addebito?\nu: Era di mio figlio, lasci perdere.",
        ),
        (
            "nl",
            "Er is een afschrijving die ik niet ken.",
            "Ons fraudeteam belt u morgen.",
            "a: En de afschrijving?\nu: Die was van mijn zoon, laat maar.",
        ),
        (
            "pt",
            "Há um débito que não conheço.",
            "A nossa equipa liga-lhe amanhã.",
            "a: E o débito?\nu: Era do meu filho, deixe estar.",
        ),
    ],
    ids=["en", "de", "es", "fr", "it", "nl", "pt"],
)
def test_what_is_waved_off_is_what_the_agent_asked_after(
    call: Call, language: str, around: str, told: str, lines: str
) -> None:
    promised = EarlierThread(1, "promise", "agent", f'"{told}"', around=around)
    other = EarlierThread(2, "promise", "agent", '"IKEA"', around="IKEA")
    unasked = lines.partition("\n")[2]

    assert thread_changes(call(lines), language, BERLIN, open_before=(promised, other)).closes == (1,)
    assert thread_changes(call(unasked), language, BERLIN, open_before=(promised, other)).closes == ()


@pytest.mark.parametrize(
    ("language", "told", "again"),
    [
        ("en", "its philip ashdown my card is gone", "philip ashdown again they cancelled my flight"),
        (
            "de",
            "hier ist philip ashdown meine karte ist weg",
            "nochmal philip ashdown mein flug wurde abgesagt",
        ),
        (
            "es",
            "soy philip ashdown perdi mi tarjeta",
            "soy philip ashdown otra vez me han cancelado el vuelo",
        ),
        (
            "fr",
            "c'est philip ashdown ma carte a disparu",
            "c'est encore philip ashdown mon vol est annulé",
        ),
        (
            "it",
            "sono philip ashdown ho perso la carta",
            "sono di nuovo philip ashdown hanno annullato il volo",
        ),
        ("nl", "met philip ashdown mijn pas is weg", "met philip ashdown weer mijn vlucht is geannuleerd"),
        (
            "pt",
            "é o philip ashdown perdi o cartão",
            "é o philip ashdown outra vez cancelaram o meu voo",
        ),
    ],
    ids=["en", "de", "es", "fr", "it", "nl", "pt"],
)
def test_what_is_off_is_not_known_by_the_callers_own_name(
    call: Call, language: str, told: str, again: str
) -> None:
    owed = EarlierThread(1, "promise", "agent", f'"{told}" – "ok"')
    names = frozenset({"Philip", "Ashdown"})

    changes = thread_changes(call(f"u: {again}"), language, BERLIN, open_before=(owed,), names=names)
    assert changes.closes == ()
    assert thread_changes(call(f"u: {again}"), language, BERLIN, open_before=(owed,)).closes == (1,)


TRIAL = {
    "en": (
        '"Could Max have a trial lesson on Thursday?" – "Thursday at four."',
        "All right, thanks for letting us know.",
    ),
    "de": (
        '"Könnte Max am Donnerstag eine Probestunde haben?" – "Donnerstag um vier."',
        "Alles klar, danke fürs Bescheidgeben.",
    ),
    "nl": (
        '"Kan Max donderdag een proefles krijgen?" – "Donderdag om vier uur."',
        "Prima, bedankt voor het doorgeven.",
    ),
    "es": (
        '"¿Podría Max tener una clase de prueba el jueves?" – "El jueves a las cuatro."',
        "De acuerdo, gracias por avisar.",
    ),
    "fr": (
        '"Est-ce que Max pourrait avoir un cours d\'essai jeudi ?" – "Jeudi à seize heures."',
        "D'accord, merci d'avoir prévenu.",
    ),
    "it": (
        '"Max potrebbe fare una lezione di prova giovedì?" – "Giovedì alle quattro."',
        "Va bene, grazie per l'avviso.",
    ),
    "pt": (
        '"O Max podia ter uma aula experimental na quinta-feira?" – "Quinta-feira às quatro."',
        "Está bem, obrigada por avisar.",
    ),
}  # the appointment, and what the agent says when it is off
OFF = {
    "en": (
        "I'm afraid we can't come on Thursday after all.",
        "We won't be able to make it on Thursday.",
        "Max can't come to the trial lesson, he's ill.",
        "Something's come up on Thursday.",
        "We're not here on Thursday after all.",
        "Thursday doesn't work for us any more.",
        "I have to cancel Thursday.",
        "Max isn't coming on Thursday, he's broken his arm.",
        "We don't need the trial lesson any more.",
        "Max doesn't want to do the trial lesson after all.",
        "Could you take us off the list for Thursday?",
        "thursday doesn't work any more",
    ),
    "de": (
        "Wir können am Donnerstag leider doch nicht.",
        "Wir schaffen es am Donnerstag nicht.",
        "Max kann nicht zur Probestunde kommen, er ist krank.",
        "Am Donnerstag ist uns etwas dazwischengekommen.",
        "Am Donnerstag sind wir doch nicht da.",
        "Donnerstag passt uns nicht mehr.",
        "Ich muss den Donnerstag absagen.",
        "Max kommt am Donnerstag nicht, er hat sich den Arm gebrochen.",
        "Wir brauchen die Probestunde nicht mehr.",
        "Max will die Probestunde doch nicht machen.",
        "Könnten Sie uns für Donnerstag von der Liste nehmen?",
        "max kommt am donnerstag nicht er ist krank",
    ),
    "nl": (
        "We kunnen donderdag helaas toch niet.",
        "We redden het donderdag niet.",
        "Max kan niet naar de proefles komen, hij is ziek.",
        "Er is donderdag iets tussengekomen.",
        "Donderdag zijn we er toch niet.",
        "Donderdag komt ons niet meer uit.",
        "Ik moet donderdag afzeggen.",
        "Max komt donderdag niet, hij heeft zijn arm gebroken.",
        "We hebben de proefles niet meer nodig.",
        "Max wil de proefles toch niet doen.",
        "Kunt u ons voor donderdag van de lijst halen?",
        "max kan niet naar de proefles komen hij is ziek",
    ),
    "es": (
        "Al final no podemos ir el jueves.",
        "No vamos a poder el jueves.",
        "Max no puede ir a la clase de prueba, está enfermo.",
        "Nos ha surgido algo el jueves.",
        "El jueves al final no estamos.",
        "El jueves ya no nos va bien.",
        "Tengo que cancelar lo del jueves.",
        "Max no va el jueves, se ha roto el brazo.",
        "Ya no necesitamos la clase de prueba.",
        "Max al final no quiere hacer la clase de prueba.",
        "¿Nos puede quitar de la lista del jueves?",
    ),
    "fr": (
        "Finalement on ne peut pas venir jeudi.",
        "On ne pourra pas venir jeudi.",
        "Max ne peut pas venir au cours d'essai, il est malade.",
        "On a un empêchement jeudi.",
        "Jeudi finalement on n'est pas là.",
        "Jeudi ça ne nous va plus.",
        "Je dois annuler jeudi.",
        "Max ne vient pas jeudi, il s'est cassé le bras.",
        "On n'a plus besoin du cours d'essai.",
        "Max ne veut finalement pas faire le cours d'essai.",
        "Vous pouvez nous enlever de la liste de jeudi ?",
    ),
    "it": (
        "Alla fine giovedì non possiamo venire.",
        "Non ce la facciamo giovedì.",
        "Max non può venire alla lezione di prova, è malato.",
        "Giovedì abbiamo avuto un imprevisto.",
        "Giovedì alla fine non ci siamo.",
        "Giovedì non ci va più bene.",
        "Devo disdire giovedì.",
        "Max giovedì non viene, si è rotto il braccio.",
        "Non abbiamo più bisogno della lezione di prova.",
        "Max alla fine non vuole fare la lezione di prova.",
        "Ci può togliere dalla lista di giovedì?",
    ),
    "pt": (
        "Afinal não podemos ir na quinta-feira.",
        "Não vamos conseguir ir na quinta-feira.",
        "O Max não pode ir à aula experimental, está doente.",
        "Surgiu-nos um imprevisto na quinta-feira.",
        "Na quinta-feira afinal não estamos.",
        "A quinta-feira já não nos dá jeito.",
        "Tenho de cancelar a quinta-feira.",
        "O Max não vai na quinta-feira, partiu o braço.",
        "Já não precisamos da aula experimental.",
        "O Max afinal não quer fazer a aula experimental.",
        "Pode tirar-nos da lista de quinta-feira?",
    ),
}


@pytest.mark.parametrize(("language", "off"), [(one, off) for one, said in OFF.items() for off in said])
def test_who_will_not_come_leaves_nothing_open(call: Call, language: str, off: str) -> None:
    trial, noted = TRIAL[language]
    known = EarlierThread(1, "plan", "user", trial, date(2026, 11, 19))
    changes = thread_changes(call(f"u: {off}\na: {noted}"), language, BERLIN, open_before=[known])

    assert changes.closes == (1,)
    assert changes.opened == ()


@pytest.mark.parametrize(
    ("language", "said"),
    [
        ("en", "Max can't come to the phone, he's asleep."),
        ("de", "Max kann nicht ans Telefon kommen, er schläft."),
        ("nl", "Max kan niet aan de telefoon komen, hij slaapt."),
        ("es", "Max no puede ponerse, está durmiendo."),
        ("fr", "Max ne peut pas venir au téléphone, il dort."),
        ("it", "Max non può venire al telefono, dorme."),
        ("pt", "O Max não pode vir ao telefone, está a dormir."),
    ],
)
def test_who_cannot_come_to_the_phone_comes_all_the_same(call: Call, language: str, said: str) -> None:
    trial, noted = TRIAL[language]
    known = EarlierThread(1, "plan", "user", trial, date(2026, 11, 19))

    assert thread_changes(call(f"u: {said}\na: {noted}"), language, BERLIN, open_before=[known]).closes == ()


@pytest.mark.parametrize(
    ("language", "promised", "given_up", "still_open", "thing"),
    [
        (
            "en",
            "I'll book the physio before then.",
            "I didn't book the physio in the end, it just went away.",
            "I haven't booked the physio yet.",
            ("I'll send you the parcel.", "I didn't get the parcel in the end."),
        ),
        (
            "de",
            "Ich mache einen Termin beim Physio.",
            "Den Physio hab ich am Ende nicht angerufen, es ging von allein weg.",
            "Den Physio hab ich noch nicht angerufen.",
            ("Ich schicke das Paket.", "Das Paket hab ich am Ende nicht bekommen."),
        ),
        (
            "es",
            "Pediré cita con el fisio.",
            "Finalmente no pedí cita con el fisio, se me pasó solo.",
            "Todavía no he pedido cita con el fisio.",
            ("Le mando el paquete.", "Al final no recibí el paquete."),
        ),
        (
            "fr",
            "Je prendrai rendez-vous chez le kiné.",
            "Finalement je n'ai pas appelé le kiné, c'est passé tout seul.",
            "Je n'ai pas encore appelé le kiné.",
            ("Je vous envoie le colis.", "Finalement je n'ai pas reçu le colis."),
        ),
        (
            "it",
            "Prenoto il fisioterapista.",
            "Alla fine non ho prenotato il fisioterapista, è passato da solo.",
            "Non ho ancora prenotato il fisioterapista.",
            ("Le mando il pacco.", "Alla fine non ho ricevuto il pacco."),
        ),
        (
            "nl",
            "Ik maak een afspraak bij de fysio.",
            "De fysio heb ik uiteindelijk niet gebeld, het ging vanzelf over.",
            "De fysio heb ik nog niet gebeld.",
            ("Ik stuur het pakje.", "Het pakje heb ik uiteindelijk niet gekregen."),
        ),
        (
            "pt",
            "Vou marcar o fisioterapeuta.",
            "No fim não marquei o fisioterapeuta, passou sozinho.",
            "Ainda não marquei o fisioterapeuta.",
            ("Mando a encomenda.", "Afinal não recebi a encomenda."),
        ),
    ],
    ids=["en", "de", "es", "fr", "it", "nl", "pt"],
)
def test_what_one_did_not_do_in_the_end_is_given_up(
    is_over: Callable[..., bool],
    language: str,
    promised: str,
    given_up: str,
    still_open: str,
    thing: tuple[str, str],
) -> None:
    assert is_over(language, promised, f"u: {given_up}")
    assert not is_over(language, promised, f"u: {still_open}")
    assert not is_over(language, thing[0], f"u: {thing[1]}", said_by="agent")


NOT_NEEDED = {
    "en": "And by the way, the loan, I don't need it any more.",
    "de": "Und übrigens, den Kredit brauche ich nicht mehr.",
    "es": "Y el préstamo ya no lo necesito.",
    "fr": "Et le crédit, je n'en ai plus besoin.",
    "it": "E il prestito non mi serve più.",
    "nl": "En de lening heb ik niet meer nodig.",
    "pt": "E o empréstimo já não é preciso.",
}


@pytest.mark.parametrize(
    ("language", "known", "called_off", "told"),
    [
        (
            "en",
            '"Tuesday at five?" – "Fine."',
            "Then I'll cancel Mrs Wittig for today.",
            "I'll tell Mrs Wittig today.",
        ),
        (
            "de",
            '"Dienstag um fünf?" – "Gut."',
            "Dann sage ich Frau Wittig für heute ab.",
            "Dann sage ich Frau Wittig heute Bescheid.",
        ),
        (
            "es",
            '"¿El martes a las cinco?" – "Bien."',
            "Entonces cancelo a la señora Robles para hoy.",
            "Hoy se lo digo a la señora Robles.",
        ),
        (
            "fr",
            '"Mardi à cinq heures ?" – "Bien."',
            "Alors je décommande madame Perrin pour aujourd'hui.",
            "Je le dis à madame Perrin aujourd'hui.",
        ),
        (
            "it",
            '"Martedì alle cinque?" – "Bene."',
            "Allora disdico la signora Bassi per oggi.",
            "Oggi lo dico alla signora Bassi.",
        ),
        (
            "nl",
            '"Dinsdag om vijf uur?" – "Goed."',
            "Dan zeg ik mevrouw De Wit voor vandaag af.",
            "Dan zeg ik het mevrouw De Wit vandaag.",
        ),
        (
            "pt",
            '"Terça às cinco?" – "Está bem."',
            "Então desmarco a dona Rosa para hoje.",
            "Digo hoje à dona Rosa.",
        ),
    ],
    ids=["en", "de", "es", "fr", "it", "nl", "pt"],
)
def test_who_calls_somebody_off_for_a_day_calls_off_its_appointment(
    call: Call, language: str, known: str, called_off: str, told: str
) -> None:
    due = EarlierThread(1, "plan", "user", known, date(2026, 11, 17))
    talk = call(f"u: {NOT_NEEDED[language]}\na: {called_off}")

    assert thread_changes(talk, language, BERLIN, open_before=[due]).closes == (1,)
    assert thread_changes(call(f"a: {called_off}"), language, BERLIN, open_before=[due]).closes == (1,)
    assert thread_changes(call(f"a: {told}"), language, BERLIN, open_before=[due]).closes == ()


@pytest.mark.parametrize(
    ("language", "around", "told", "asked", "moved", "asked_of_another"),
    [
        (
            "en",
            "I've got the Newcastle pitch.",
            "It's due on the twentieth.",
            "How's the pitch?",
            "He moved it forward, it's the eighteenth now.",
            "How's the cat?",
        ),
        (
            "de",
            "Ich hab die Präsentation bekommen.",
            "Die ist am zwanzigsten fällig.",
            "Was macht die Präsentation?",
            "Er hat sie vorgezogen, sie ist jetzt am achtzehnten.",
            "Was macht die Katze?",
        ),
        (
            "es",
            "Me han dado la presentación.",
            "Es para el 20.",
            "¿Cómo va la presentación?",
            "La ha adelantado, ahora es el 18 de noviembre.",
            "¿Cómo va el gato?",
        ),
        (
            "fr",
            "On m'a donné la présentation.",
            "C'est pour le 20.",
            "Et la présentation ?",
            "Il l'a avancée, c'est maintenant le 18 novembre.",
            "Et le chat ?",
        ),
        (
            "it",
            "Mi hanno dato la presentazione.",
            "È per il 20.",
            "Come va la presentazione?",
            "L'ha anticipata, adesso è il 18 novembre.",
            "Come va il gatto?",
        ),
        (
            "nl",
            "Ik heb de presentatie gekregen.",
            "Die is voor de 20e.",
            "Hoe gaat het met de presentatie?",
            "Hij heeft het vervroegd, het is nu de 18e.",
            "Hoe gaat het met de kat?",
        ),
        (
            "pt",
            "Deram-me a apresentação.",
            "É para o dia 20.",
            "Como vai a apresentação?",
            "Ele antecipou-a, agora é no dia 18.",
            "Como vai o gato?",
        ),
    ],
    ids=["en", "de", "es", "fr", "it", "nl", "pt"],
)
def test_what_is_asked_after_is_what_has_moved(
    call: Call, language: str, around: str, told: str, asked: str, moved: str, asked_of_another: str
) -> None:
    due, day = date(2026, 11, 20), date(2026, 11, 27)
    known = [
        EarlierThread(1, "plan", "user", f'"{told}"', due, around=around),
        EarlierThread(2, "plan", "user", '"IKEA"', day, around="IKEA"),
    ]

    talk = call(f"a: {asked}\nu: {moved}")
    assert thread_changes(talk, language, BERLIN, open_before=known).closes == (1,)
    talk = call(f"a: {asked_of_another}\nu: {moved}")
    assert thread_changes(talk, language, BERLIN, open_before=known).closes == ()


@pytest.mark.parametrize(
    ("language", "planned", "off", "of_another"),
    [
        ("en", "My daughter's getting married in June.", "The wedding's off.", "The concert's off."),
        ("de", "Meine Tochter heiratet im Juni.", "Die Hochzeit ist abgesagt.", "Das Konzert ist abgesagt."),
        ("it", "Mia figlia si sposa a giugno.", "Il matrimonio è saltato.", "Il concerto è saltato."),
        ("nl", "Mijn dochter trouwt in juni.", "De bruiloft gaat niet door.", "Het concert gaat niet door."),
        ("es", "A mi hijo lo operan en junio.", "La operación se canceló.", "El concierto se canceló."),
        ("fr", "On déménage en juin.", "Le déménagement est annulé.", "Le concert est annulé."),
        ("pt", "O meu filho é operado em junho.", "A cirurgia foi cancelada.", "O concerto foi cancelado."),
    ],
)
def test_another_word_for_the_matter_calls_it_off(
    closed: Closed, language: str, planned: str, off: str, of_another: str
) -> None:
    plan = EarlierThread(1, "plan", "user", f'"{planned}"')
    other = EarlierThread(2, "plan", "user", '"Porto."')

    assert closed(f"a: .\nu: {off}\na: .", plan, other, language=language) == (1,)
    assert closed(f"a: .\nu: {of_another}\na: .", plan, other, language=language) == ()


@pytest.mark.parametrize(
    ("language", "around", "agreed", "off", "of_another"),
    [
        (
            "en",
            "My MOT runs out soon.",
            '"The 18th at eight?" – "Yes."',
            "I've sold the car, so I don't need the MOT any more.",
            "I had to cancel my holiday, the MOT costs too much.",
        ),
        (
            "de",
            "Mein TÜV läuft bald ab.",
            '"Am 18. um acht?" – "Ja."',
            "Ich hab das Auto verkauft, der TÜV ist nicht mehr nötig.",
            "Den Urlaub hab ich abgesagt, der TÜV ist so teuer.",
        ),
        (
            "fr",
            "Mon contrôle technique expire.",
            '"Le 18 à huit heures ?" – "Oui."',
            "J'ai vendu la voiture, donc plus besoin du contrôle.",
            "J'ai annulé les vacances, le contrôle est trop cher.",
        ),
        (
            "es",
            "La ITV me caduca pronto.",
            '"¿El 18 a las ocho?" – "Sí."',
            "He vendido el coche, así que la ITV ya no hace falta.",
            "He anulado las vacaciones, la ITV es muy cara.",
        ),
        (
            "it",
            "La revisione mi scade presto.",
            '"Il 18 alle otto?" – "Sì."',
            "Ho venduto la macchina, la revisione non serve più.",
            "Ho annullato le vacanze, la revisione costa troppo.",
        ),
        (
            "pt",
            "A inspeção está a acabar.",
            '"No dia 18 às oito?" – "Sim."',
            "Vendi o carro, por isso a inspeção já não é precisa.",
            "Cancelei as férias, a inspeção é muito cara.",
        ),
        (
            "nl",
            "Mijn apk verloopt binnenkort.",
            '"De 18e om acht uur?" – "Ja."',
            "Ik heb de auto verkocht, dus die apk hoeft niet meer.",
            "Ik heb de vakantie afgezegd, die apk is zo duur.",
        ),
    ],
    ids=["en", "de", "fr", "es", "it", "pt", "nl"],
)
def test_what_led_to_it_calls_it_off_when_it_is_not_needed(
    closed: Closed, language: str, around: str, agreed: str, off: str, of_another: str
) -> None:
    plan = EarlierThread(1, "plan", "user", agreed, date(2026, 11, 18), around=around)

    assert closed(f"a: .\nu: {off}\na: Hm.", plan, language=language) == (1,)
    assert closed(f"a: .\nu: {of_another}\na: Hm.", plan, language=language) == ()


@pytest.mark.parametrize(
    ("language", "agreed", "reason", "granted", "of_a_number"),
    [
        (
            "en",
            '"Friday at four?" – "Yes."',
            "We've had to cancel the trip.",
            ["I'll take the booking out.", "Okay, I've removed you.", "I'll take you out of the diary then."],
            "My old phone number is still with you.",
        ),
        (
            "de",
            '"Freitag um vier?" – "Ja."',
            "Das Auto ist gestohlen worden.",
            ["Dann nehme ich die Buchung raus.", "Dann lösche ich den Termin.", "Ich habe Sie ausgetragen."],
            "Meine alte Nummer ist noch bei Ihnen drin.",
        ),
        (
            "nl",
            '"Vrijdag om vier uur?" – "Ja."',
            "De auto is gestolen.",
            [
                "Dan haal ik de boeking eruit.",
                "Ik heb u van de lijst gehaald.",
                "Dan verwijder ik de afspraak.",
            ],
            "Mijn oude nummer staat nog bij u.",
        ),
        (
            "es",
            '"¿El viernes a las cuatro?" – "Sí."',
            "Nos han robado el coche.",
            ["Entonces la quito de la agenda.", "Pues borro la cita.", "La he dado de baja."],
            "Todavía tienen mi número antiguo.",
        ),
        (
            "fr",
            '"Vendredi à quatre heures ?" – "Oui."',
            "On nous a volé la voiture.",
            ["Alors je vous enlève de l'agenda.", "Alors je supprime le rendez-vous.", "Je vous ai enlevée."],
            "Vous avez encore mon ancien numéro.",
        ),
        (
            "it",
            '"Venerdì alle quattro?" – "Sì."',
            "Ci hanno rubato la macchina.",
            ["Allora la tolgo dall'agenda.", "Allora cancello l'appuntamento.", "L'ho tolta dalla lista."],
            "Avete ancora il mio vecchio numero.",
        ),
        (
            "pt",
            '"Sexta às quatro?" – "Sim."',
            "Roubaram-nos o carro.",
            ["Então tiro-a da agenda.", "Então apago a marcação.", "Já a tirei da lista."],
            "Ainda têm o meu número antigo.",
        ),
    ],
    ids=["en", "de", "nl", "es", "fr", "it", "pt"],
)
def test_what_the_agent_takes_out_of_the_book_is_the_one_appointment(
    closed: Closed, language: str, agreed: str, reason: str, granted: list[str], of_a_number: str
) -> None:
    plan = EarlierThread(1, "plan", "user", agreed, date(2026, 11, 20))

    for said in granted:
        assert closed(f"a: .\nu: {reason}\na: {said}", plan, language=language) == (1,)
        assert closed(f"a: .\nu: {of_a_number}\na: {said}", plan, language=language) == ()


@pytest.mark.parametrize(
    ("language", "agreed", "off"),
    [
        ("en", '"Friday at four?" – "Yes, Friday at four."', "I'm in hospital, so that's Friday gone."),
        ("de", '"Freitag um vier?" – "Ja, Freitag."', "Freitag findet nicht statt, das Auto ist weg."),
        ("nl", '"Vrijdag om vier uur?" – "Ja, vrijdag."', "Dan laten we vrijdag zitten."),
        ("es", '"¿El viernes a las cuatro?" – "Sí, el viernes."', "Estoy en cama, así que el viernes nada."),
        ("fr", '"Vendredi à quatre heures ?" – "Oui."', "Je suis malade, donc vendredi c'est fichu."),
        ("it", '"Venerdì alle quattro?" – "Sì, venerdì."', "Sono a letto, quindi venerdì niente."),
        ("pt", '"Sexta às quatro?" – "Sim, sexta."', "Estou doente, por isso sexta nada feito."),
    ],
    ids=["en", "de", "nl", "es", "fr", "it", "pt"],
)
def test_a_day_is_called_off_in_passing(closed: Closed, language: str, agreed: str, off: str) -> None:
    plan = EarlierThread(1, "plan", "user", agreed, date(2026, 11, 20))

    assert closed(f"a: .\nu: {off}\na: Hm.", plan, language=language) == (1,)


def test_what_was_offered_and_taken_is_called_off_by_its_day(call: Callable[[str], list[Message]]) -> None:
    offered = EarlierThread(
        1, "request", "user", '"I can offer a hearing check on the tenth." – "yeah go on"', date(2026, 12, 10)
    )
    said = "a: Hello.\nu: can i cancel kaydens one on the tenth\na: No problem, I've cancelled that for you."
    changes = thread_changes(call(said), "en", ZoneInfo("Europe/Berlin"), open_before=[offered])

    assert (changes.closes, changes.opened) == ((1,), ())


@pytest.mark.parametrize(
    ("language", "known", "said"),
    [
        ("en", "Thursday the 26th at ten?", "My husband can't make Thursday, I'll come on my own."),
        ("de", "Donnerstag, der 26., um zehn?", "Mein Mann kann am Donnerstag doch nicht, ich komm allein."),
        ("es", "¿El jueves 26 a las diez?", "Mi marido no puede el jueves, iré yo sola."),
        ("fr", "Jeudi 26 à dix heures ?", "Mon mari ne peut pas jeudi, je viendrai seule."),
        ("it", "Giovedì 26 alle dieci?", "Mio marito giovedì non può, vengo da sola."),
        ("pt", "Quinta, dia 26, às dez?", "O meu marido não pode na quinta, vou eu sozinha."),
        ("nl", "Donderdag de 26e om tien uur?", "Mijn man kan donderdag niet, ik kom alleen."),
        ("de", "Donnerstag, der 26., um zehn?", "Wir wohnen nicht mehr in Köln."),
        ("es", "¿El jueves 26 a las diez?", "Ya no vivimos en Burgos."),
        ("it", "Giovedì 26 alle dieci?", "Non abito più a Roma."),
        ("pt", "Quinta, dia 26, às dez?", "Já não moro em Braga."),
        ("nl", "Donderdag de 26e om tien uur?", "heb je de 26e een fiets? woon niet meer in Utrecht"),
    ],
)
def test_an_appointment_is_kept_by_who_comes_alone_or_has_moved_house(
    call: Call, language: str, known: str, said: str
) -> None:
    thread = appointment(f'"{known}" – "Okay."')

    assert thread_changes(call(f"u: {said}\na: Okay."), language, BERLIN, open_before=[thread]).closes == ()


def test_an_appointment_that_still_holds_is_not_what_was_changed(call: Call) -> None:
    thread = appointment('"Jeudi 26 à dix heures ?" – "Oui."')
    lines = "u: On a déménagé.\na: C'est changé. Le rendez-vous du vingt-six tient toujours ?\nu: Oui, oui."

    assert thread_changes(call(lines), "fr", BERLIN, open_before=[thread]).closes == ()


def test_a_price_is_no_other_hour_of_the_appointment(call: Call) -> None:
    thread = appointment('"Donderdag 26 om twee uur?" – "Ja."')
    lines = "u: Is er donderdag de 26e een leenfiets?\na: Ja, dat kan, kost 10 euro per dag.\nu: Doe maar."

    assert thread_changes(call(lines), "nl", BERLIN, open_before=[thread]).closes == ()


THURSDAY_AT_TEN = {
    "en": '"Thursday the 26th at ten?" – "Yes."',
    "de": '"Donnerstag, der 26., um zehn?" – "Ja."',
    "es": '"¿El jueves 26 a las diez?" – "Sí."',
    "fr": '"Jeudi 26 à dix heures ?" – "Oui."',
    "it": '"Giovedì 26 alle dieci?" – "Sì."',
    "nl": '"Donderdag de 26e om tien uur?" – "Ja."',
    "pt": '"Quinta, dia 26, às dez?" – "Sim."',
}


@pytest.mark.parametrize(
    ("language", "said"),
    [
        ("en", "u: Please cancel Thursday.\na: Done. Are you going to the wedding?\nu: I'll go on my own."),
        ("de", "u: Bitte sagen Sie Donnerstag ab.\na: Abgesagt. Und Ihre Tochter?\nu: Sie kommt allein."),
        ("es", "u: Anule la cita del jueves, por favor. Yo no voy sola.\na: Vale."),
        ("it", "u: Disdica giovedì, per favore. Non vengo da sola.\na: Va bene."),
        ("fr", "u: Je dois annuler jeudi.\na: C'est annulé. Il reste toujours vingt-six euros à payer."),
        ("it", "u: Devo disdire giovedì.\na: Annullato. Restano ancora ventisei euro da pagare."),
        ("pt", "u: Na quinta já não estou cá.\na: Está bem."),
        ("es", "u: El jueves ya no estamos en casa.\na: Vale."),
        ("de", "u: Donnerstag bin ich nicht mehr in Deutschland.\na: Gut."),
        ("nl", "u: Donderdag ben ik niet meer in Nederland.\na: Oké."),
        ("it", "u: Giovedì non sto più a Roma.\na: Bene."),
    ],
)
def test_who_goes_alone_elsewhere_or_is_gone_that_day_has_called_it_off(
    call: Call, language: str, said: str
) -> None:
    thread = appointment(THURSDAY_AT_TEN[language])

    assert thread_changes(call(said), language, BERLIN, open_before=[thread]).closes == (1,)


def test_an_hour_with_its_price_is_another_hour(call: Call) -> None:
    thread = appointment('"Thursday the 26th at nine?" – "Yes."')
    lines = "u: Could you do Thursday the 26th at ten for ten pounds?\na: Yes, that's fine."

    assert thread_changes(call(lines), "en", BERLIN, open_before=[thread]).closes == (1,)


@pytest.mark.parametrize(
    ("language", "said"),
    [
        ("pt", "a: Vem na quinta?\nu: Venho. Já não trabalho às quintas."),
        ("pt", "u: Sim, na quinta já não trabalho, está perfeito.\na: Ok."),
        ("pt", "u: Já não estou com febre, quinta vou aí às dez.\na: Ok."),
        ("it", "a: Viene giovedì?\nu: Sì, il giovedì non lavoro più.\na: Ok."),
    ],
)
def test_who_does_not_work_then_any_more_can_come(call: Call, language: str, said: str) -> None:
    thread = appointment(THURSDAY_AT_TEN[language])

    assert thread_changes(call(said), language, BERLIN, open_before=[thread]).closes == ()


@pytest.mark.parametrize(
    ("language", "said"),
    [
        ("en", "u: Do you do just nails?\na: We do, you don't need an appointment."),
        ("de", "u: Schneiden Sie auch nur Krallen?\na: Ja, da brauchen Sie keinen Termin."),
        ("es", "u: ¿Cortáis solo las uñas?\na: Sí, no hace falta pedir cita."),
        ("fr", "u: Vous coupez juste les griffes ?\na: Oui, pas besoin de rendez-vous."),
        ("it", "u: Tagliate anche solo le unghie?\na: Sì, non serve l'appuntamento."),
        ("nl", "u: Knippen jullie ook alleen nagels?\na: Ja, daar hoeft u geen afspraak voor te maken."),
        ("pt", "u: Cortam só as unhas?\na: Sim, não é preciso marcação."),
    ],
)
def test_what_needs_no_appointment_calls_none_off(call: Call, language: str, said: str) -> None:
    thread = appointment(THURSDAY_AT_TEN[language])

    assert thread_changes(call(said), language, BERLIN, open_before=[thread]).closes == ()


@pytest.mark.parametrize(
    ("language", "known", "said"),
    [
        (
            "en",
            '"Thursday the third at half three?" – "Yes."',
            "My husband can't make Thursday, I'll come alone.",
        ),
        (
            "de",
            '"Am Donnerstag um halb vier?" – "Ja."',
            "Mein Mann kann am Donnerstag nicht, ich komm allein.",
        ),
        ("es", '"¿El jueves a las tres?" – "Sí."', "Mi marido no puede el jueves, voy yo sola."),
        ("fr", '"Jeudi à quinze heures ?" – "Oui."', "Mon mari ne peut pas jeudi, je viens seule."),
        ("it", '"Giovedì alle tre?" – "Sì."', "Mio marito giovedì non può, vengo da sola."),
        ("pt", '"Na quinta às três?" – "Sim."', "O meu marido não pode na quinta, vou sozinha."),
        ("nl", '"Donderdag om drie uur?" – "Ja."', "Mijn man kan donderdag niet, ik kom alleen."),
    ],
)
@pytest.mark.parametrize("told_as", ["its day", "an answer alone"])
def test_an_appointment_stays_for_who_comes_alone(
    call: Call, language: str, known: str, said: str, told_as: str
) -> None:
    words = known if told_as == "its day" else known.partition(" – ")[2]
    thread = EarlierThread(1, "plan", "user", words, date(2026, 11, 26), known)

    talk = call(f"a: Hello.\nu: {said}\na: OK.")

    assert thread_changes(talk, language, BERLIN, open_before=[thread]).closes == ()


@pytest.mark.parametrize(
    ("language", "known", "said"),
    [
        (
            "en",
            "The massage on Thursday at three?",
            "I have to cancel the massage. And Ben can't come, I'll come alone.",
        ),
        ("en", "Thursday at three?", "I can't make Thursday after all. I'll come on my own on Friday then."),
        (
            "de",
            "Die Massage am Donnerstag?",
            "Die Massage am Donnerstag muss ich absagen. Mein Mann kann Freitag nicht, ich komm allein.",
        ),
        ("nl", "Donderdag om drie uur?", "Ik kan donderdag niet komen. Vrijdag kom ik alleen."),
    ],
)
def test_who_comes_alone_to_something_else_keeps_nothing(
    call: Call, language: str, known: str, said: str
) -> None:
    thread = EarlierThread(1, "plan", "user", f'"{known}" – "OK."', date(2026, 11, 26), known)

    assert thread_changes(
        call(f"a: Hello.\nu: {said}\na: OK."), language, BERLIN, open_before=[thread]
    ).closes == (1,)


TABLE = EarlierThread(3, "plan", "agent", '"You\'re down for Friday at seven."', date(2026, 11, 20))


@pytest.mark.parametrize(
    ("said", "closes"), [("I can't come tomorrow, I'm ill.", (9,)), ("See you tomorrow.", ())]
)
def test_what_is_called_off_by_its_day_is_found_by_another_name_of_it(
    closed: Closed, said: str, closes: tuple[int, ...]
) -> None:
    session = EarlierThread(9, "plan", "agent", '"Until Wednesday the 18th."', date(2026, 11, 18))

    assert closed(f"a: Hello.\nu: {said}", session, TABLE) == closes


CANDLES = EarlierThread(1, "request", "user", '"Remind me to buy the candles."')


@pytest.mark.parametrize(
    "said",
    ["will do and forget about the candles my wife's put her foot down", "i don't want the candles any more"],
)
def test_what_is_wished_for_no_more_is_closed(closed: Closed, said: str) -> None:
    assert closed(f"a: hello\nu: {said}\na: fair enough no candles then", CANDLES) == (1,)


def test_a_condition_calls_nothing_off(closed: Closed) -> None:
    quote = EarlierThread(12, "promise", "agent", '"I\'ll have the quote by Wednesday."', date(2026, 11, 18))

    assert closed("u: If the quote is over nine hundred, cancel it.", quote) == ()
    assert closed("u: Cancel the quote, please.", quote) == (12,)


def test_what_need_not_be_done_calls_off_no_other_plan(closed: Closed) -> None:
    rome = EarlierThread(16, "plan", "user", '"We\'re going to Rome on 12 December."', date(2026, 12, 12))

    assert closed("u: My insurance wants a form.\na: You don't have to send anything.", rome) == ()


def test_what_has_been_moved_is_told_by_the_day_that_was_asked_about(closed: Closed) -> None:
    reminder = EarlierThread(9, "promise", "agent", '"I\'ll remind you."', date(2026, 12, 2))

    assert closed("a: Ready for the blood test on 2 December?\nu: They've moved it.", reminder) == (9,)


HAIRCUT = EarlierThread(1, "plan", "user", '"The haircut on Monday at ten?" – "Perfect."', date(2026, 11, 23))
MASSAGE = EarlierThread(
    2, "plan", "user", '"And the massage on Wednesday at two?" – "Yes, great."', date(2026, 11, 25)
)


@pytest.mark.parametrize(
    "text",
    [
        "u: I have to cancel the massage, but the haircut stays.\na: All right.",
        "u: I'm afraid I can't come on Wednesday, but Monday's fine.\na: Okay, I've taken Wednesday out.",
        "u: I'd like to cancel both.\na: Both?\nu: No, only Wednesday is off. Monday stays.",
    ],
)
def test_what_stays_in_the_same_breath_is_not_called_off(closed: Closed, text: str) -> None:
    assert closed(text, HAIRCUT, MASSAGE) == (2,)


@pytest.mark.parametrize(
    "text",
    [
        "u: I wanted to change Monday, but it works after all.\na: Perfect, then it stays at ten.",
        "u: I'd like to cancel Monday. Oh no wait, I can make it after all. Leave it as it is.\na: Okay.",
        "u: Please cancel Monday.\na: Monday is cancelled.\nu: Hang on, leave Monday as it is.",
        "u: Could I move Monday to Tuesday?\na: I'm afraid we've nothing on Tuesday.\nu: I see.",
    ],
)
def test_what_is_refused_or_taken_back_leaves_the_appointment(closed: Closed, text: str) -> None:
    assert closed(text, HAIRCUT, MASSAGE) == ()


def test_what_led_to_an_appointment_names_it(closed: Closed) -> None:
    bare = EarlierThread(
        1, "plan", "user", '"Monday at ten?" – "Perfect."', date(2026, 11, 23), around="I'd like a haircut."
    )

    assert closed("u: I need to cancel the haircut.\na: Okay, no problem.", bare) == (1,)


LESSONS = EarlierThread(
    3, "plan", "user", '"Every Tuesday at five?" – "Yes please."', around="tennis lessons"
)


@pytest.mark.parametrize(
    "text",
    [
        "u: I can't make it next Tuesday.\na: Okay, I'll take you out next Tuesday.",
        "u: I have to cancel my lesson this Tuesday, just this once.\na: No problem, it's cancelled.",
        "a: We're closed next Tuesday, so no lesson then.\nu: Thanks for telling me.",
    ],
)
def test_a_series_stays_when_one_of_it_is_off(closed: Closed, text: str) -> None:
    assert closed(text, LESSONS) == ()


@pytest.mark.parametrize(
    "text",
    [
        "u: I'd like to stop the lessons.\na: Okay, I've cancelled the lessons.",
        "u: Please cancel all my Tuesdays.\na: Done, they're all cancelled.",
    ],
)
def test_a_series_ends_when_all_of_it_is_off(closed: Closed, text: str) -> None:
    assert closed(text, LESSONS) == (3,)


def test_what_does_not_work_after_all_does_not_stay(closed: Closed) -> None:
    tuning = EarlierThread(6, "plan", "user", '"Montag um neun?" – "Ja, das passt."', date(2026, 11, 23))

    assert closed("u: Der Montag klappt doch nicht.\na: Alles klar.", tuning, language="de") == (6,)


CHECK_IN = {
    "en": ("Remind me of the check-in on the 10th.", "Then I'll take the check-in off."),
    "de": ("Erinnere mich am 10. an den Check-in.", "Dann nehme ich den Check-in raus."),
    "es": ("Recuérdame el check-in el día 10.", "Entonces quito el check-in."),
    "fr": ("Rappelle-moi le check-in le 10.", "Alors j'enlève le check-in."),
    "it": ("Ricordami il check-in il 10.", "Allora tolgo il check-in."),
    "pt": ("Lembra-me do check-in no dia 10.", "Então tiro o check-in da lista."),
    "nl": ("Herinner me op de 10e aan het inchecken.", "Dan haal ik het inchecken eraf."),
}


@pytest.mark.parametrize("language", CHECK_IN)
def test_what_the_agent_takes_off_is_off(closed: Closed, language: str) -> None:
    text, taken_off = CHECK_IN[language]
    known = EarlierThread(1, "request", "user", f'"{text}"', date(2026, 12, 10))

    assert closed(f"u: .\na: {taken_off}", known, language=language) == (1,)


def test_what_the_agent_takes_off_may_be_named_where_the_matter_was_opened(closed: Closed) -> None:
    bed = EarlierThread(
        1, "plan", "user", '"Remind me Friday evening."', date(2026, 11, 20), "I must make up the spare bed."
    )
    sitter = EarlierThread(2, "request", "user", '"Remind me to text Jess."')
    said = "u: We've got Jess's sister instead, so forget the bed.\na: I've cancelled the spare bed reminder."

    assert closed(said, bed, sitter, TABLE) == (1,)


def test_the_old_day_that_is_named_beside_the_new_is_given_up(closed: Closed) -> None:
    brakes = EarlierThread(1, "plan", "user", '"Leave it till after payday then."', date(2026, 11, 23))
    choir = EarlierThread(2, "plan", "user", '"The choir sings."', date(2026, 11, 25))
    asked = "u: I'm booked in Monday for brakes, can we make it Tuesday? The choir's on Wednesday."

    assert closed(f"{asked}\na: Tuesday the 24th, same time.", brakes, choir) == (1,)
    assert closed(f"{asked}\na: No, sorry, Tuesday's full.", brakes) == ()


@pytest.mark.parametrize(
    ("language", "text", "said"),
    [
        ("en", "Is the goal still Nepal?", "So the new goal is Mont Blanc."),
        ("de", "Ist das Ziel noch Nepal?", "Also neues Ziel: der Montblanc."),
        ("es", "¿El objetivo sigue siendo Nepal?", "Entonces, nuevo objetivo: el Mont Blanc."),
        ("fr", "L'objectif reste le Népal ?", "Donc nouvel objectif : le Mont-Blanc."),
        ("it", "L'obiettivo resta il Nepal?", "Allora nuovo obiettivo: il Monte Bianco."),
        ("pt", "O objetivo continua a ser o Nepal?", "Então novo objetivo: o Monte Branco."),
        ("nl", "Is het doel nog Nepal?", "Dus nieuw doel: de Mont Blanc."),
    ],
)
def test_a_new_goal_takes_the_place_of_the_old(closed: Closed, language: str, text: str, said: str) -> None:
    known = EarlierThread(1, "plan", "user", f'"{text}" – "."', date(2027, 4, 10))

    assert closed(f"u: .\na: {said}", known, language=language) == (1,)


@pytest.mark.parametrize(
    ("language", "agreed", "off"),
    [
        ("en", "Friday at four.", "I'll have to skip Friday."),
        ("de", "Freitag um vier.", "Den Freitag muss ich auslassen."),
        ("es", "El viernes a las cuatro.", "El viernes me lo tengo que saltar."),
        ("fr", "Vendredi à quatre heures.", "Vendredi, je dois sauter mon tour."),
        ("it", "Venerdì alle quattro.", "Venerdì devo saltarlo."),
        ("nl", "Vrijdag om vier uur.", "Vrijdag moet ik overslaan."),
        ("pt", "Sexta às quatro.", "Sexta vou ter de saltar."),
    ],
    ids=["en", "de", "es", "fr", "it", "nl", "pt"],
)
def test_a_day_that_is_skipped_is_off(closed: Closed, language: str, agreed: str, off: str) -> None:
    plan = EarlierThread(1, "plan", "agent", f'"{agreed}"', date(2026, 11, 20))

    assert closed(f"u: {off}", plan, language=language) == (1,)


@pytest.mark.parametrize(
    ("language", "appointment", "reminder", "said"),
    [
        (
            "en",
            '"Tuesday at ten?" – "Yes."',
            "I'll remind you the day before.",
            "You can cancel the reminder.",
        ),
        (
            "en",
            '"Tuesday at ten?" – "Yes."',
            "I'll remind you the day before.",
            "You needn't remind me any more.",
        ),
        (
            "de",
            '"Dienstag um zehn?" – "Ja."',
            "Ich erinnere Sie.",
            "Sie brauchen mich nicht mehr zu erinnern.",
        ),
        ("de", '"Dienstag um zehn?" – "Ja."', "Ich erinnere Sie.", "Die Erinnerung können Sie streichen."),
        ("fr", '"Mardi à dix heures ?" – "Oui."', "Je vous le rappelle.", "Vous pouvez annuler le rappel."),
        ("es", '"¿El martes a las diez?" – "Sí."', "Se lo recuerdo.", "Puede anular el recordatorio."),
        ("it", '"Martedì alle dieci?" – "Sì."', "Glielo ricordo.", "Può annullare il promemoria."),
        ("nl", '"Dinsdag om tien uur?" – "Ja."', "Ik herinner u eraan.", "De herinnering mag weg."),
        ("pt", '"Terça às dez?" – "Sim."', "Eu lembro o senhor.", "Não precisa mais me lembrar."),
    ],
)
def test_a_reminder_that_is_called_off_leaves_the_appointment(
    closed: Closed, language: str, appointment: str, reminder: str, said: str
) -> None:
    plan = EarlierThread(1, "plan", "agent", appointment, date(2026, 11, 24))
    reminding = EarlierThread(2, "promise", "agent", f'"{reminder}"', date(2026, 11, 23))

    assert closed(f"u: {said}\na: .", plan, reminding, language=language) == (2,)


def test_what_keeps_from_another_day_stays(closed: Closed) -> None:
    dentist = EarlierThread(1, "plan", "user", '"I\'ve the dentist on Tuesday at ten."', date(2026, 11, 24))

    assert closed("a: Could you do Tuesday at ten?\nu: I can't on Tuesday, I've the dentist.", dentist) == ()
    assert closed("u: I've got the dentist on Tuesday, but I can't go.", dentist) == (1,)


def test_an_appointment_off_beside_its_reminder_is_off(closed: Closed) -> None:
    dentist = EarlierThread(1, "plan", "user", '"I\'ve the dentist on Tuesday at ten."', date(2026, 11, 24))
    reminding = EarlierThread(2, "promise", "agent", '"I\'ll remind you."', date(2026, 11, 23))
    said = "The dentist is cancelled so you don't have to remind me."

    assert closed(f"u: {said}\na: .", dentist, reminding) == (1, 2)


def test_a_reason_that_says_more_than_the_appointment_calls_it_off(closed: Closed) -> None:
    choir = EarlierThread(1, "plan", "user", '"We have choir on Tuesday at seven."', date(2026, 11, 24))

    assert closed("u: I have to cancel Tuesday, I'm on a choir trip.\na: .", choir) == (1,)
