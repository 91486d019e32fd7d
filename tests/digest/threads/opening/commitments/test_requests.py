"""What is asked for is open, and told with the promise that it changes."""

from collections.abc import Callable
from datetime import date

import pytest

from voice_server.context.sections.quotes import undated
from voice_server.domain.digest import OpenThread

Opened = Callable[..., tuple[OpenThread, ...]]


@pytest.mark.parametrize(
    ("language", "text"),
    [
        ("de", "a: Soll ich ihn schicken?\nu: Ja, an die Lindenallee acht.\na: Erledigt. Er geht raus."),
        ("en", "a: Shall I post it?\nu: Yes, to 14 Quarry Lane.\na: Done. It'll go out."),
        ("es", "a: ¿Se lo mando?\nu: sí a la calle almendro doce\na: Hecho."),
        ("it", "a: Glielo spedisco?\nu: sì in via garibaldi dodici\na: Fatto."),
        ("nl", "a: Zal ik het opsturen?\nu: ja naar de kerkstraat twaalf\na: Gedaan."),
        ("pt", "a: Mando por correio?\nu: sim para a rua das flores doze\na: Feito."),
    ],
)
def test_an_offer_that_is_done_on_the_spot_is_not_open(opened: Opened, language: str, text: str) -> None:
    assert not opened(text, language)


@pytest.mark.parametrize(
    ("language", "text"),
    [
        ("de", "a: Soll ich Sie am Freitag erinnern?\nu: Ja, gern.\na: Erledigt."),
        ("en", "a: Shall I ring you when it's in?\nu: Yes please.\na: Done."),
        ("en", "a: Shall I send you the form?\nu: Yes, by post.\na: Noted."),
        ("es", "a: ¿Le aviso cuando llegue?\nu: sí\na: Hecho."),
        ("it", "a: Le ricordo le pastiglie?\nu: sì grazie\na: Fatto."),
        ("nl", "a: Zal ik u bellen als het er is?\nu: ja\na: Gedaan."),
    ],
)
def test_what_is_still_to_come_is_open_though_the_agent_says_done(
    opened: Opened, language: str, text: str
) -> None:
    assert len(opened(text, language)) == 1


@pytest.mark.parametrize(
    ("language", "promised", "asked", "granted"),
    [
        ("en", "I'll email you the contract.", "I haven't got email, could you post it?", "Of course."),
        (
            "en",
            "I'll email you the contract.",
            "Could you send it to my daughter?",
            "Of course, I'll do that.",
        ),
        (
            "de",
            "Ich maile Ihnen den Vertrag.",
            "Können Sie ihn mit der Post schicken?",
            "Natürlich, mache ich.",
        ),
        ("fr", "Je vous envoie le contrat par mail.", "Vous pouvez l'envoyer par la poste ?", "Bien sûr."),
        ("es", "Le mando el contrato por correo.", "¿Puede mandarlo a mi hija?", "Claro."),
        ("it", "Le mando il contratto per e-mail.", "Può mandarlo per posta?", "Certo."),
        ("pt", "Envio-lhe o contrato por e-mail.", "Pode mandá-lo pelo correio?", "Claro."),
        ("nl", "Ik mail u het contract.", "Kunt u het met de post sturen?", "Natuurlijk."),
    ],
)
def test_what_is_asked_for_otherwise_is_told_with_the_promise_it_changes(
    opened: Opened, language: str, promised: str, asked: str, granted: str
) -> None:
    [thread] = opened(f"a: {promised}\nu: {asked}\na: {granted}", language=language)

    assert (thread.kind, thread.text) == ("request", f'"{promised}" – "{asked}"')


@pytest.mark.parametrize(
    ("language", "asked"),
    [
        ("en", "could you leave it with my neighbour"),
        ("en", "Could you let Tom know?"),
        ("en", "Can you have someone look at the tap?"),
        ("de", "Können Sie es bei der Nachbarin abgeben?"),
        ("fr", "Vous pouvez le laisser chez la voisine ?"),
        ("es", "¿Puede dejarlo con la vecina?"),
        ("it", "Può lasciarlo alla vicina?"),
        ("pt", "Pode deixar com a vizinha?"),
        ("nl", "Kunt u het bij de buurvrouw afgeven?"),
    ],
)
def test_an_errand_is_a_request_though_it_is_granted_by_a_mere_yes(
    opened: Opened, language: str, asked: str
) -> None:
    yes = {"en": "Of course.", "de": "Gern.", "fr": "Bien sûr.", "it": "Certo.", "nl": "Zeker."}
    [thread] = opened(f"u: {asked}\na: {yes.get(language, 'Claro.')}", language=language)

    assert (thread.kind, thread.text) == ("request", f'"{asked}"')


@pytest.mark.parametrize(
    "said",
    [
        "u: Could you put my name on the list?\na: Done.",
        "u: Can you bring it up on your screen?\na: Yes, I see it.",
        "u: Could you leave it for now?\na: Sure.",
        "a: When can you bring it?\nu: Tomorrow, I hope.",
    ],
)
def test_what_is_done_at_once_or_only_asked_is_no_errand(opened: Opened, said: str) -> None:
    assert opened(said) == ()


@pytest.mark.parametrize(
    ("language", "asked", "answer"),
    [
        ("en", "bring the vaccination card please", "i will if i can find it"),
        ("en", "Please bring your ID.", "Will do."),
        ("de", "Bringen Sie bitte den Impfpass mit.", "Mach ich."),
        ("es", "Traiga la cartilla, por favor.", "Sí, si la encuentro."),
        ("fr", "apportez le carnet de vaccination s'il vous plaît", "oui si je le retrouve"),
        ("it", "Porti il libretto, per favore.", "Va bene."),
        ("pt", "Traga o boletim, por favor.", "Está bem."),
        ("nl", "neem het inentingsboekje mee alstublieft", "doe ik als ik het kan vinden"),
    ],
)
def test_what_is_to_be_brought_is_asked_for(opened: Opened, language: str, asked: str, answer: str) -> None:
    (thread,) = opened(f"a: {asked}\nu: {answer}", language)

    assert (thread.kind, thread.said_by, thread.text) == ("request", "agent", f'"{asked}"')


@pytest.mark.parametrize("said", ["Bring her in at four.", "Bring the dog round on Friday."])
def test_who_is_to_be_brought_in_is_no_request(opened: Opened, said: str) -> None:
    assert opened(f"a: {said}") == ()


@pytest.mark.parametrize(
    ("language", "asked", "answer"),
    [
        ("en", "can they deliver it on saturday", "yes between nine and twelve"),
        ("fr", "Vous pouvez le livrer samedi ?", "Oui, entre neuf heures et midi."),
        ("it", "Potete portarlo sabato?", "Sì, tra le nove e le dodici."),
        ("pt", "Podem entregar no sábado?", "Sim, entre as nove e o meio-dia."),
    ],
)
def test_an_errand_whose_hour_is_said_is_told_with_it(
    opened: Opened, language: str, asked: str, answer: str
) -> None:
    [thread] = opened(f"u: {asked}\na: {answer}", language=language)

    assert (thread.kind, thread.text) == ("plan", f'"{asked}" – "{answer}"')


@pytest.mark.parametrize(
    ("language", "said"),
    [
        ("en", "remind me to water the plants"),
        ("de", "erinnern sie mich daran die blumen zu gießen"),
        ("es", "recuérdame que riegue las plantas"),
        ("fr", "rappelez moi d'arroser les plantes"),
        ("it", "mi ricordi di annaffiare le piante"),
        ("pt", "me lembre de regar as plantas"),
        ("nl", "herinner me eraan de planten water te geven"),
    ],
)
def test_a_request_is_heard_without_capitals_and_punctuation(
    opened: Opened, language: str, said: str
) -> None:
    (thread,) = opened(f"a: Hello.\nu: {said}\na: Okay.", language)

    assert (thread.kind, thread.said_by, thread.text) == ("request", "user", f'"{said}"')


@pytest.mark.parametrize(
    ("language", "asked", "answered"),
    [
        ("en", "Shall I remind you on Saturday?", "Yes, please."),
        ("de", "Soll ich Sie am Samstag daran erinnern?", "Ja, bitte."),
        ("es", "¿Quiere que le recuerde el pago el sábado?", "Sí, por favor."),
        ("fr", "Voulez-vous que je vous rappelle samedi ?", "Oui, volontiers."),
        ("it", "Vuole che le ricordi il pagamento sabato?", "Sì, grazie."),
        ("pt", "Quer que eu lembre o senhor no sábado?", "Quero, sim."),
        ("nl", "Zal ik u zaterdag herinneren?", "Ja, graag."),
    ],
)
def test_an_accepted_offer_is_open_with_its_answer(
    opened: Opened, language: str, asked: str, answered: str
) -> None:
    (thread,) = opened(f"a: {asked}\nu: {answered}", language)

    assert (thread.text, thread.said_by) == (f'"{asked}" – "{answered}"', "user")
    assert thread.due == date(2026, 11, 21)


@pytest.mark.parametrize(
    ("language", "told", "offered", "accepted"),
    [
        ("en", "I have to buy the drops.", "Shall I remind you next week?", "Yes, please."),
        ("en", "I have to buy the drops.", "I'll remind you next week, okay?", "Yes, please."),
        ("de", "Ich muss die Tropfen kaufen.", "Soll ich Sie nächste Woche daran erinnern?", "Ja, bitte."),
        ("de", "Ich muss die Tropfen kaufen.", "Erinnere ich Sie nächste Woche daran?", "Ja, gerne."),
        ("es", "Tengo que comprar las gotas.", "¿Se lo recuerdo la semana que viene?", "Sí, por favor."),
        (
            "fr",
            "Je dois acheter les gouttes.",
            "Je vous le rappelle la semaine prochaine ?",
            "Oui, volontiers.",
        ),
        ("it", "Devo comprare le gocce.", "Glielo ricordo la settimana prossima?", "Sì, grazie."),
        ("pt", "Tenho de comprar as gotas.", "Lembro o senhor na próxima semana?", "Sim, por favor."),
        ("nl", "Ik moet de druppels kopen.", "Herinner ik u er volgende week aan?", "Ja, graag."),
    ],
)
def test_an_accepted_offer_that_does_not_say_of_what_is_told_with_what_it_answers(
    opened: Opened, language: str, told: str, offered: str, accepted: str
) -> None:
    (thread,) = opened(f"u: {told}\na: {offered}\nu: {accepted}", language)

    assert (thread.kind, thread.said_by, thread.due) == ("promise", "agent", date(2026, 11, 29))
    assert undated(thread.text) == f'"{told}" – "{offered}"'


def test_a_declined_offer_is_not_open(opened: Opened) -> None:
    assert opened("a: Shall I remind you on Saturday?\nu: No, thanks.") == ()


@pytest.mark.parametrize(
    "said", ["Can I renew a book over the phone?", "yeah hi can i still pay my tax by cheque"]
)
def test_who_asks_for_leave_and_has_it_leaves_nothing_open(opened: Opened, said: str) -> None:
    assert opened(f"a: Hello.\nu: {said}\na: Yes, of course you can.") == ()


@pytest.mark.parametrize(
    ("language", "asked", "yes"),
    [
        ("it", "Porto i documenti?", "Sì, per favore."),
        ("nl", "Neem ik de papieren mee?", "Ja, graag."),
        ("pt", "Levo os papéis?", "Sim, por favor."),
    ],
)
def test_what_a_caller_is_to_bring_is_told_with_the_yes(
    opened: Opened, language: str, asked: str, yes: str
) -> None:
    (thread,) = opened(f"u: {asked}\na: {yes}", language)

    assert (thread.kind, thread.text) == ("request", f'"{asked}" – "{yes}"')


def test_a_request_is_told_with_the_thing_that_it_only_points_to(opened: Opened) -> None:
    (thread,) = opened(
        "a: Anything else?\nu: My blue badge runs out. Remind me on the 1st of December to renew it."
    )

    assert (thread.kind, thread.due) == ("request", date(2026, 12, 1))
    assert thread.text == '"My blue badge runs out. Remind me on the 1st of December to renew it."'


def test_leave_that_is_given_leaves_nothing_open(opened: Opened) -> None:
    assert opened("u: Can I bring my dog to the counter?\na: Yes, if it's on a lead.") == ()


@pytest.mark.parametrize(
    "said", ["Could I ask you to call my daughter?", "Can I email you the photos of the damage?"]
)
def test_what_somebody_asks_to_be_done_or_to_do_is_open(opened: Opened, said: str) -> None:
    assert len(opened(f"u: {said}\na: Yes, of course.")) == 1


def test_a_request_is_told_with_what_the_agent_says_back(opened: Opened) -> None:
    (thread,) = opened("""
        u: i've a cake to send to my niece
        a: How nice.
        u: it must be there by the fourth of december you remind me will you
        a: I will. The cake for your niece, by the 4th of December.
    """)

    assert (thread.kind, thread.due) == ("request", date(2026, 12, 4))
    assert "The cake for your niece" in thread.text


@pytest.mark.parametrize(
    ("language", "day", "offer", "yes"),
    [
        ("en", "It's on the second of December.", "Shall I remind you the day before?", "Yes, please."),
        ("de", "Am zweiten Dezember um neun.", "Soll ich Sie am Tag vorher erinnern?", "Ja, bitte."),
        ("fr", "Le deux décembre à neuf heures.", "Je vous le rappelle la veille ?", "Oui, merci."),
        ("es", "El dos de diciembre a las nueve.", "¿Se lo recuerdo el día antes?", "Sí, por favor."),
        ("it", "Il due dicembre alle nove.", "Glielo ricordo il giorno prima?", "Sì, grazie."),
        ("pt", "No dia dois de dezembro às nove.", "Lembro-lhe na véspera?", "Sim, por favor."),
        ("nl", "Op twee december om negen uur.", "Zal ik u de dag ervoor bellen?", "Ja, graag."),
    ],
)
def test_a_reminder_the_day_before_is_due_then(
    opened: Opened, language: str, day: str, offer: str, yes: str
) -> None:
    found = opened(f"u: {day}\na: {offer}\nu: {yes}\na: .", language)

    assert [one.due for one in found if one.kind == "request"] == [date(2026, 12, 1)]


IN_ONE_BREATH = {
    "de": "Ich hab am 2. Dezember Zahnarzt, könnten Sie mich am Abend vorher erinnern?",
    "en": "I have the dentist on the second of December and I'd like you to remind me the day before.",
    "es": "Tengo dentista el 2 de diciembre, ¿me lo puedes recordar el día antes?",
    "fr": "J'ai rendez-vous chez le dentiste le 2 décembre, vous pouvez me le rappeler la veille ?",
    "it": "Ho il dentista il 2 dicembre, me lo ricorda il giorno prima?",
    "nl": "Ik heb op 2 december de tandarts, wilt u me de dag ervoor herinneren?",
    "pt": "Tenho dentista no dia 2 de dezembro, pode lembrar-me no dia anterior?",
}
IN_TWO = {
    "de": "Ich habe am 2. Dezember einen Röntgentermin. Können Sie mich am Tag davor erinnern?",
    "en": "I have an x-ray on the second. Could you remind me the day before?",
    "es": "Tengo una radiografía el 2 de diciembre. ¿Me lo puede recordar el día antes?",
    "fr": "J'ai une radio le 2 décembre. Vous pouvez me le rappeler la veille ?",
    "it": "Ho una radiografia il 2 dicembre. Me lo può ricordare il giorno prima?",
    "nl": "Ik heb op 2 december een röntgenfoto. Kunt u me de dag ervoor eraan herinneren?",
    "pt": "Tenho um raio-x no dia 2 de dezembro. Pode lembrar-me na véspera?",
}


@pytest.mark.parametrize(
    ("language", "said"), [(one, said) for table in (IN_ONE_BREATH, IN_TWO) for one, said in table.items()]
)
def test_an_appointment_stays_beside_the_reminder_of_it(opened: Opened, language: str, said: str) -> None:
    found = opened(f"a: .\nu: {said}\na: .", language)

    assert {one.kind: one.due for one in found} == {"plan": date(2026, 12, 2), "request": date(2026, 12, 1)}


def test_a_reminder_that_is_promised_is_one_with_the_wish_for_it(opened: Opened) -> None:
    found = opened(f"a: .\nu: {IN_TWO['en']}\na: Of course, I'll remind you.", "en")

    assert [one.due for one in found] == [date(2026, 12, 1), date(2026, 12, 2)]


def test_a_reminder_on_a_day_of_its_own_is_parted_from_what_it_is_of(opened: Opened) -> None:
    found = opened(
        "a: .\nu: My dentist is on Friday at nine, can you remind me on Thursday evening?\na: Yes."
    )

    assert {(one.text.partition(" – ")[0], one.due) for one in found} == {
        ('"My dentist is on Friday at nine"', date(2026, 11, 20)),
        ('"can you remind me on Thursday evening?"', date(2026, 11, 19)),
    }


def test_who_is_to_be_told_the_day_before_asks_for_it(opened: Opened) -> None:
    (thread,) = opened("""
        u: the bin lorry comes on the eighth of december will you tell me the day before
        a: I'll tell you on Monday the seventh of December: bins out.
    """)

    assert thread.due == date(2026, 12, 7)


@pytest.mark.parametrize(
    ("language", "talk"),
    [
        ("en", "u: Could you put a card in the window?\na: Of course. Will do."),
        ("de", "u: Könnten Sie eine Karte ins Fenster hängen?\na: Wird gemacht."),
        ("fr", "u: Vous pourriez mettre une carte en vitrine ?\na: Ce sera fait."),
        ("es", "u: ¿Podría poner una tarjeta en el escaparate?\na: Claro, así lo haré."),
        ("it", "u: Potrebbe mettere un biglietto in vetrina?\na: Sarà fatto."),
        ("nl", "u: Zou u een kaartje voor het raam kunnen hangen?\na: Zal ik doen."),
        ("pt", "u: Podia pôr um cartão na montra?\na: Claro, assim farei."),
        ("en", "u: Could you put a card in the window?\na: Not today, but I can do it tomorrow."),
        ("nl", "u: Met wie spreek ik over de vergunning?\na: Dat zoek ik voor u uit."),
    ],
)
def test_an_errand_that_is_granted_is_open(opened: Opened, language: str, talk: str) -> None:
    assert len(opened(talk, language=language)) == 1


def test_what_a_nudge_is_for_is_told_as_the_agent_says_it_again(opened: Opened) -> None:
    (thread,) = opened(
        "u: Could you give me a nudge Sunday evening? It's the brown bin.\na: Sunday evening, the brown bin."
    )

    assert thread.text == '"Could you give me a nudge Sunday evening?" – "Sunday evening, the brown bin."'


def test_an_offer_is_told_with_the_hour_that_is_wished(opened: Opened) -> None:
    threads = opened(
        "u: mañana voy al médico por la rodilla\na: ¿Quiere que le llame por la tarde?\nu: sí a las seis",
        "es",
    )

    assert '"¿Quiere que le llame por la tarde?" – "sí a las seis"' in [one.text for one in threads]


def test_an_offer_that_is_not_needed_opens_nothing(opened: Opened) -> None:
    assert opened("a: ¿Le aviso el miércoles?\nu: no hace falta lo tengo apuntado", "es") == ()


@pytest.mark.parametrize(
    ("language", "offer", "yes"),
    [
        ("en", "Shall I ask the pharmacy to deliver some?", "oh would you"),
        ("de", "Soll ich die Apotheke anrufen?", "würden Sie das tun"),
        ("fr", "Je vous appelle lundi ?", "vous feriez ça"),
        ("it", "Ti chiamo lunedì sera?", "sì dopo le otto"),
        ("nl", "Zal ik appels op de boodschappenlijst zetten?", "graag en ook kaneel"),
    ],
)
def test_an_offer_is_taken_in_everyday_words(opened: Opened, language: str, offer: str, yes: str) -> None:
    (thread,) = opened(f"a: {offer}\nu: {yes}", language)

    assert thread.text == f'"{offer}" – "{yes}"'


@pytest.mark.parametrize(
    ("language", "offer", "yes"),
    [
        ("en", "Shall I remind you tonight at eight?", "yes every evening please"),
        ("de", "Soll ich Sie heute um acht daran erinnern?", "ja jeden Abend bitte"),
        ("fr", "Je vous le rappelle ce soir à vingt heures ?", "oui tous les soirs ce serait bien"),
    ],
)
def test_what_is_wished_every_day_is_due_on_none(opened: Opened, language: str, offer: str, yes: str) -> None:
    assert [one.due for one in opened(f"a: {offer}\nu: {yes}", language)] == [None]


@pytest.mark.parametrize(
    ("language", "asked", "granted"),
    [
        ("en", "Can I talk that over with my brother and let you know tomorrow?", "Of course."),
        ("de", "Kann ich das mit meinem Bruder besprechen und Ihnen morgen Bescheid sagen?", "Natürlich."),
        ("es", "¿Puedo hablarlo con mi hermano y le digo mañana?", "Claro."),
        ("fr", "Je peux en parler avec mon frère et vous dire demain ?", "Bien sûr."),
        ("it", "Posso parlarne con mio fratello e farle sapere domani?", "Certo."),
        ("pt", "Posso falar com o meu irmão e digo-lhe amanhã?", "Claro."),
        ("nl", "Mag ik dat met mijn broer overleggen en het u morgen laten weten?", "Natuurlijk."),
    ],
)
def test_who_asks_leave_to_tell_later_and_gets_it_promises_it(
    opened: Opened, language: str, asked: str, granted: str
) -> None:
    (one,) = opened(f"u: {asked}\na: {granted}", language)

    assert (one.kind, one.said_by, one.due) == ("promise", "user", date(2026, 11, 18))
    assert one.text == f'"{asked}"'


@pytest.mark.parametrize(
    ("language", "asked", "answer"),
    [
        ("en", "Can I ask my brother and let you know tomorrow?", "I'm afraid we need to know today."),
        ("de", "Kann ich meinen Bruder fragen und Ihnen morgen Bescheid sagen?", "Leider nein, nur heute."),
        ("en", "Can I come in and tell you about my day?", "Of course."),
        ("de", "Kann ich reinkommen und hallo sagen?", "Klar."),
    ],
)
def test_leave_that_is_refused_or_to_do_it_at_once_is_no_promise(
    opened: Opened, language: str, asked: str, answer: str
) -> None:
    assert [one for one in opened(f"u: {asked}\na: {answer}", language) if one.kind == "promise"] == []


@pytest.mark.parametrize(
    ("language", "asked", "granted"),
    [
        ("en", "could you put me on the waiting list in case something comes free", "sure i'll put you down"),
        ("de", "könnten sie mich auf die warteliste setzen falls montag was frei wird", "gern"),
        ("es", "me podría poner en la lista de espera por si queda algo libre", "claro la apunto"),
        ("fr", "vous pourriez me mettre sur la liste d'attente si quelque chose se libère", "oui"),
        ("it", "può mettermi in lista d'attesa se si libera qualcosa", "certo la segno"),
        ("pt", "podia pôr-me na lista de espera caso vague alguma coisa", "claro fica inscrita"),
        ("nl", "kunt u me misschien op de wachtlijst zetten voor als er iets vrijkomt", "ik zet u erop"),
    ],
)
def test_a_place_on_a_waiting_list_is_asked_for_and_has_no_day(
    opened: Opened, language: str, asked: str, granted: str
) -> None:
    (one,) = opened(f"u: {asked}\na: {granted}", language)

    assert (one.kind, one.said_by, one.due, one.text) == ("request", "user", None, f'"{asked}"')


@pytest.mark.parametrize(
    ("language", "asked", "answer"),
    [
        ("en", "could you put me on the waiting list", "i'm afraid it's closed"),
        ("de", "können sie mich auf die warteliste setzen", "leider nein die ist voll"),
        ("nl", "kunt u me op de wachtlijst zetten", "helaas die is vol"),
    ],
)
def test_a_list_that_is_full_takes_nobody(opened: Opened, language: str, asked: str, answer: str) -> None:
    assert opened(f"u: {asked}\na: {answer}", language) == ()


@pytest.mark.parametrize(
    ("language", "said", "asked"),
    [
        ("en", "The VAT return is due on the seventh of December.", "Can you remind me a week before?"),
        (
            "de",
            "Die Steuer ist am siebten Dezember fällig.",
            "Können Sie mich eine Woche vorher erinnern?",
        ),
        ("es", "El IVA vence el siete de diciembre.", "¿Me lo puede recordar una semana antes?"),
        ("fr", "La TVA est à payer le sept décembre.", "Vous pouvez me le rappeler une semaine avant ?"),
        ("it", "L'IVA scade il sette dicembre.", "Me lo può ricordare una settimana prima?"),
        (
            "nl",
            "De btw moet voor zeven december binnen zijn.",
            "Kunt u me een week van tevoren herinneren?",
        ),
        ("pt", "O IVA vence a sete de dezembro.", "Pode lembrar-me uma semana antes?"),
    ],
)
def test_a_reminder_that_names_nothing_is_told_with_what_the_agent_said(
    opened: Opened, language: str, said: str, asked: str
) -> None:
    [request] = [one for one in opened(f"a: {said}\nu: {asked}\na: Ok.", language) if one.kind == "request"]

    assert (request.text, request.said_by, request.due) == (f'"{said}" – "{asked}"', "user", None)


def test_a_reminder_that_says_of_what_is_told_alone(opened: Opened) -> None:
    text = "a: We're open until six on Friday.\nu: Can you remind me of the dentist on Monday?\na: Ok."

    [reminder] = opened(text)
    assert reminder.text.startswith('"Can you remind me of the dentist on Monday?"')


@pytest.mark.parametrize("greeting", ["Bellview Salon.", "Good morning, Bellview Salon, Jane speaking."])
def test_what_an_agent_answers_the_phone_with_is_nothing_to_be_reminded_of(
    opened: Opened, greeting: str
) -> None:
    [reminder] = opened(f"a: {greeting}\nu: Will you remind me on Monday to bring the photo?\na: I will.")

    assert reminder.text == '"Will you remind me on Monday to bring the photo?"'


@pytest.mark.parametrize(
    ("language", "asked", "told", "promised"),
    [
        (
            "en",
            "Remind me, when does it run out?",
            "It runs out on 15 December.",
            "I'll text you on the 8th.",
        ),
        ("en", "Can you remind me when my pass runs out?", "On 15 December.", "I'll text you on the 8th."),
        (
            "de",
            "Erinnern Sie mich nochmal, wann mein Abo abläuft?",
            "Am 15. Dezember.",
            "Ich schreibe Ihnen.",
        ),
        ("es", "¿Me recuerdas cuándo acaba mi abono?", "Acaba el 15 de diciembre.", "Te escribo el día 8."),
        ("fr", "Vous me rappelez quand finit mon abonnement ?", "Le 15 décembre.", "Je vous écris le 8."),
        ("it", "Mi ricordi quando scade l'abbonamento?", "Scade il 15 dicembre.", "Ti scrivo l'8 dicembre."),
        ("pt", "Lembra-me quando acaba a mensalidade?", "Acaba a 15 de dezembro.", "Escrevo-lhe no dia 8."),
        ("nl", "Kun je me herinneren wanneer het afloopt?", "Op 15 december.", "Ik app je op 8 december."),
    ],
)
def test_who_is_told_again_at_once_asks_for_no_reminder(
    opened: Opened, language: str, asked: str, told: str, promised: str
) -> None:
    assert [
        one for one in opened(f"a: .\nu: {asked}\na: {told}\nu: .", language) if one.said_by == "user"
    ] == []
    assert opened(f"a: .\nu: {asked}\na: {promised}\nu: .", language) != ()


@pytest.mark.parametrize(
    ("language", "asked", "answer", "word"),
    [
        ("de", "Kann man da Räder mitnehmen?", "Da schau ich mal.", "Gut, sagen Sie mir Bescheid."),
        ("fr", "On peut mettre des vélos dessus ?", "Ça, je vais regarder.", "Ok, dites-moi."),
        ("nl", "Mogen er fietsen op?", "Dat ga ik na.", "Oké, laat het me weten."),
    ],
)
def test_who_asks_for_word_is_told_with_the_question(
    opened: Opened, language: str, asked: str, answer: str, word: str
) -> None:
    told = [one.text for one in opened(f"a: Hallo.\nu: {asked}\na: {answer}\nu: {word}", language)]
    assert told == [f'"{asked} {word}"']
