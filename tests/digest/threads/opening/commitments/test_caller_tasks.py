"""What the caller takes on is open with the day they name, or are told."""

from collections.abc import Callable
from datetime import date

import pytest

from voice_server.domain.digest import OpenThread

Opened = Callable[..., tuple[OpenThread, ...]]
TODAY, WEDNESDAY, FRIDAY = date(2026, 11, 17), date(2026, 11, 18), date(2026, 11, 20)
SUNDAY, MONDAY = date(2026, 11, 22), date(2026, 11, 23)


@pytest.mark.parametrize(
    ("language", "text", "due"),
    [
        ("en", "u: I'll transfer that at the weekend.", SUNDAY),
        ("de", "a: Ich bräuchte 30 Prozent.\nu: Überweise ich am Wochenende.", SUNDAY),
        ("de", "u: Dann kauf ich mir am Wochenende einen Helm.", SUNDAY),
        ("es", "u: Lo transfiero el fin de semana.", SUNDAY),
        ("es", "u: Pues me compro un casco este fin de semana.", SUNDAY),
        ("fr", "u: Je fais le virement ce week-end.", SUNDAY),
        ("it", "u: Faccio il bonifico nel fine settimana.", SUNDAY),
        ("it", "u: Allora me ne compro uno questo fine settimana.", SUNDAY),
        ("pt", "u: Faço a transferência no fim de semana.", SUNDAY),
        ("nl", "u: Maak ik de borg in het weekend over.", SUNDAY),
        ("en", "a: I'll send you the list before the weekend.", FRIDAY),
        ("de", "a: Ich schicke Ihnen die Liste vor dem Wochenende.", FRIDAY),
        ("es", "a: Le mando la lista antes del fin de semana.", FRIDAY),
        ("fr", "a: Je vous envoie la liste avant le week-end.", FRIDAY),
        ("it", "a: Le mando la lista prima del fine settimana.", FRIDAY),
        ("pt", "a: Mando-lhe a lista antes do fim de semana.", FRIDAY),
        ("nl", "a: Ik stuur u de lijst voor het weekend.", FRIDAY),
        ("de", "u: ich sag's heute abend meinem sohn der macht meine papiere", TODAY),
        ("fr", "u: je le dis ce soir à mon fils il s'occupe de mes papiers", TODAY),
        ("pt", "u: eu digo hoje à noite ao meu filho ele trata dos meus papéis", TODAY),
        ("nl", "u: ik zeg het vanavond tegen mijn zoon die doet mijn papieren", TODAY),
        ("de", "u: Ich mache diese Woche einen Termin.", SUNDAY),
        ("es", "u: Pido cita esta semana.", SUNDAY),
        ("fr", "u: Je prends rendez-vous cette semaine.", SUNDAY),
        ("it", "u: Prendo appuntamento questa settimana.", SUNDAY),
        ("pt", "a: Precisa, da dermatologista.\nu: Vou marcar essa semana.", SUNDAY),
        ("nl", "u: Ik maak deze week een afspraak.", SUNDAY),
        ("en", "a: It can be next Monday.\nu: Monday I'll drop in at lunchtime.", MONDAY),
        ("de", "a: Das kann nächsten Montag sein.\nu: Am Montag komme ich mittags vorbei.", MONDAY),
        ("es", "a: Puede ser el lunes que viene.\nu: El lunes me paso a la hora de comer.", MONDAY),
        ("pt", "a: Pode ser na próxima segunda.\nu: Segunda passo aí à hora de almoço.", MONDAY),
        ("nl", "a: Dat kan volgende week maandag.\nu: Maandag kom ik in de lunchpauze langs.", MONDAY),
        ("de", "a: Können Sie ein neues Foto machen?\nu: Ja, das mache ich heute Nachmittag.", TODAY),
        ("es", "a: ¿Puede hacerse otra foto?\nu: Sí, me la hago esta tarde.", TODAY),
        ("pt", "a: Pode tirar outra foto?\nu: Sim, faço isso hoje à tarde.", TODAY),
    ],
)
def test_a_task_has_the_day_that_is_named_in_any_words(
    opened: Opened, language: str, text: str, due: date
) -> None:
    assert [(one.kind, one.due) for one in opened(text, language)] == [("promise", due)]


@pytest.mark.parametrize(
    ("language", "owed", "told", "yes"),
    [
        ("en", "i still owe you thirty quid", "no stress bring it monday", "will do cheers"),
        ("en", "i forgot the trip money", "bring it on monday", "monday yes and is the trip on the second"),
        ("de", "ich schuld ihnen noch dreißig euro", "kein stress bringen sie's montag", "mach ich"),
        ("de", "ich hab das geld vergessen", "bringen sie's am montag", "montag ja und ist er am zweiten"),
        ("es", "todavía le debo treinta euros", "tranquilo tráigalos el lunes", "vale así lo hago"),
        ("es", "se me olvidó el dinero", "tráigalo el lunes", "el lunes sí y la excursión sigue el dos"),
        ("fr", "je vous dois encore le casque", "pas de stress apportez-le lundi", "ça marche"),
        ("fr", "j'ai oublié l'argent", "apportez-le lundi", "lundi oui et la sortie c'est toujours le deux"),
        ("it", "le devo ancora trenta euro", "con calma li porti lunedì", "va bene"),
        ("it", "ho dimenticato i soldi", "portali lunedì", "lunedì sì e la gita è sempre il due"),
        ("pt", "ainda lhe devo trinta euros", "sem stress traga segunda", "combinado"),
        ("pt", "esqueci-me do dinheiro", "traga na segunda", "segunda sim e o passeio é dia dois"),
        ("nl", "ik heb uw helm nog", "geen stress breng het maandag", "doe ik"),
        ("nl", "ik was het geld vergeten", "breng het maandag maar", "maandag ja en is het de tweede"),
    ],
)
def test_a_yes_to_what_one_is_told_to_bring_promises_it(
    opened: Opened, language: str, owed: str, told: str, yes: str
) -> None:
    (one,) = opened(f"u: {owed}\na: {told}\nu: {yes}", language)

    assert (one.kind, one.said_by, one.due) == ("promise", "user", MONDAY)
    said, before, answer = one.text.strip('"').split('" – "')
    assert (said, before) == (owed, told)
    assert answer
    assert yes.startswith(answer)


@pytest.mark.parametrize(
    ("language", "told", "answer"),
    [
        ("en", "bring it on monday", "okay but monday i can't"),
        ("en", "bring it on monday", "no i won't be here"),
        ("en", "Bring it on Monday.", "Yes, but Monday I'm away."),
        ("en", "You can leave on Monday.", "Yes!"),
        ("de", "Bringen Sie das Bett am Montag?", "Ja, um zehn."),
        ("nl", "Breng het maandag of dinsdag.", "Dinsdag, ja."),
        ("de", "bringen sie's am montag", "ja aber montag kann ich nicht"),
        ("es", "tráigalo el lunes", "el lunes no puedo"),
        ("fr", "apportez-le lundi", "non lundi je ne peux pas"),
        ("it", "lo porti lunedì", "no lunedì non posso"),
        ("pt", "traga na segunda", "segunda não posso"),
        ("nl", "breng het maandag maar", "nee maandag kan ik niet"),
    ],
)
def test_who_cannot_then_promises_nothing(opened: Opened, language: str, told: str, answer: str) -> None:
    found = opened(f"a: {told}\nu: {answer}", language)

    assert [one for one in found if one.kind == "promise"] == []


@pytest.mark.parametrize(
    ("language", "asked", "said", "due"),
    [
        ("de", "Kommt der Vertrag an?", "okay dann unterschreib ich den am wochenende", SUNDAY),
        ("de", "Ist der Ausweis gültig?", "Nein, ich lass mir morgen einen neuen machen.", WEDNESDAY),
        ("de", "Haben Sie einen Tierarzt?", "Ich mach gleich morgen einen Termin beim Tierarzt.", WEDNESDAY),
        ("de", "Dann bräuchte ich ein Schreiben von ihr.", "ich sag ihr sie soll es schicken", None),
        ("es", "¿Ha leído mis comentarios?", "Todavía no, lo hago el domingo.", SUNDAY),
        ("es", "¿Y el contrato?", "vale pues lo firmo este fin de semana", SUNDAY),
        ("es", "¿Y la rodilla?", "entonces tengo que volver a preguntar al traumatólogo", None),
        ("fr", "Et le contrat ?", "ok alors je le signe ce week-end", SUNDAY),
        ("fr", "La carte est valable ?", "Non, j'en fais faire une nouvelle demain.", WEDNESDAY),
        ("fr", "Il me faut une lettre d'elle.", "je lui dis de l'envoyer", None),
        ("it", "E il contratto?", "ok allora lo firmo nel weekend", SUNDAY),
        ("it", "Mi serve una lettera da lei.", "le dico di mandarla", None),
        ("pt", "E o contrato?", "ok então assino este fim de semana", SUNDAY),
        ("pt", "Preciso de uma carta dela.", "eu digo-lhe para mandar", None),
        ("nl", "Heb je mijn opmerkingen gelezen?", "Nog niet, dat doe ik zondag.", SUNDAY),
        ("nl", "En het contract?", "oke dan teken ik het dit weekend", SUNDAY),
        ("nl", "Ik heb een brief van haar nodig.", "ik zeg haar dat ze die stuurt", None),
        ("en", "A towel and the prescription, please.", "okay will do", None),
        ("de", "Ein Handtuch und das Rezept, bitte.", "okay mach ich", None),
        ("es", "Una toalla y la receta, por favor.", "vale así lo hago", None),
        ("fr", "Une serviette et l'ordonnance, s'il vous plaît.", "d'accord je fais ça", None),
        ("nl", "Een handdoek en het recept graag.", "oke doe ik", None),
    ],
)
def test_who_takes_up_what_the_other_spoke_of_promises_it(
    opened: Opened, language: str, asked: str, said: str, due: date | None
) -> None:
    (one,) = opened(f"a: Hallo.\nu: Hi.\na: {asked}\nu: {said}", language)

    assert (one.kind, one.said_by, one.due) == ("promise", "user", due)
    assert said in one.text


@pytest.mark.parametrize(
    ("language", "asked", "said"),
    [
        ("de", "Überweist du die Prüfungsgebühr?", "Das macht mein Vater am Wochenende."),
        ("es", "¿Pagas tú la tasa del examen?", "Eso lo hace mi padre el fin de semana."),
        ("it", "Paghi tu la tassa d'esame?", "Lo fa mio padre nel weekend."),
        ("pt", "Pagas tu a taxa do exame?", "O meu pai trata disso no fim de semana."),
        ("nl", "Maak jij het examengeld nog over?", "Dat doet mijn vader dit weekend."),
    ],
)
def test_what_another_does_at_the_weekend_is_a_plan_told_with_the_question(
    opened: Opened, language: str, asked: str, said: str
) -> None:
    (one,) = opened(f"a: {asked}\nu: {said}", language)

    assert (one.kind, one.due, one.text) == ("plan", SUNDAY, f'"{asked}" – "{said}"')


@pytest.mark.parametrize(
    ("language", "said"),
    [
        ("de", "das macht mein mann am wochenende immer"),
        ("de", "dann muss ich ja jedes mal nachfragen"),
        ("de", "Ich mach das am Wochenende gern mit den Kindern."),
        ("es", "la hago yo la comida el domingo a veces"),
        ("fr", "je lui dis de ne pas sortir"),
        ("fr", "alors il faut que je rappelle à quelle heure"),
        ("it", "allora devo chiamare io o chiamate voi"),
        ("pt", "então tenho de ligar todos os dias"),
        ("nl", "dat doet mijn man altijd in het weekend"),
        ("nl", "Ik doe dat niet dit weekend."),
    ],
)
def test_a_habit_a_question_or_a_no_promises_nothing(opened: Opened, language: str, said: str) -> None:
    assert opened(f"u: {said}\na: Okay.", language) == ()
