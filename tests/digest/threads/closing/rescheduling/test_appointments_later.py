"""What a later call does to an appointment: called off or moved in many words, or only spoken of."""

from collections.abc import Callable, Mapping, Sequence
from datetime import date
from zoneinfo import ZoneInfo

import pytest

from voice_server.digest.threads.changes import thread_changes
from voice_server.domain.conversation import Message
from voice_server.domain.digest import EarlierThread

Call = Callable[[str], list[Message]]

BERLIN = ZoneInfo("Europe/Berlin")
DUE = date(2026, 11, 19)
#: Per language: the appointment of that day, calls that end it, and calls that leave it.
CALLS: Mapping[str, tuple[tuple[str, str], Sequence[str], Sequence[str]]] = {
    "en": (
        ("Thursday the 19th at ten?", "Yes, perfect."),
        (
            "u: I need to cancel Thursday.",
            "u: I'm afraid I can't make Thursday after all.",
            "u: Something's come up, can we leave Thursday?\na: Of course, I've taken you out.",
            "u: Could we do Friday instead?\na: Friday at ten's free.\nu: Lovely.",
            "a: The doctor's ill, we'd have to move you to Friday at ten.\nu: That's fine.",
            "u: I can't do ten on Thursday, is there anything later?\na: Three o'clock?\nu: Three's good.",
            "u: I won't be able to come on Thursday.",
            "u: I'm not going to be able to make it on Thursday.",
            "u: I'm going to have to miss Thursday.",
        ),
        (
            "u: Is Thursday still all right?\na: Yes, see you at ten.",
            "u: I'm just checking I'm in on Thursday.",
            "u: Can I bring my daughter on Thursday?\na: Of course.",
            "u: I might be five minutes late on Thursday.",
            "u: My husband won't be able to come on Thursday, I'll come on my own.",
            "u: I won't be able to come before ten on Thursday.\na: It's at ten anyway.",
            "a: Doctor Jones can't make Thursday, Doctor Patel will see you instead.\nu: Okay.",
        ),
    ),
    "de": (
        ("Donnerstag, der 19., um zehn?", "Ja, perfekt."),
        (
            "u: Ich muss den Donnerstag absagen.",
            "u: Ich kann am Donnerstag leider doch nicht.",
            "u: Können wir den Donnerstag streichen?\na: Natürlich, ich nehme Sie raus.",
            "u: Ginge stattdessen Freitag?\na: Freitag um zehn ist frei.\nu: Super.",
            "a: Die Ärztin ist krank, wir müssten Sie auf Freitag um zehn verlegen.\nu: Das passt.",
            "u: Am Donnerstag um zehn schaffe ich nicht, geht es später?\na: Um drei?\nu: Um drei passt.",
            "u: Ich werde am Donnerstag nicht kommen können.",
            "u: Ich werde es am Donnerstag nicht schaffen.",
        ),
        (
            "u: Bleibt es bei Donnerstag?\na: Ja, bis um zehn.",
            "u: Ich wollte nur fragen, ob der Donnerstag noch steht.",
            "u: Darf ich am Donnerstag meine Tochter mitbringen?\na: Klar.",
            "u: Ich komme am Donnerstag vielleicht fünf Minuten später.",
            "u: Mein Mann wird am Donnerstag nicht kommen können, ich komme allein.",
            "a: Frau Jonas kann am Donnerstag nicht, Frau Patel übernimmt.\nu: Gut.",
        ),
    ),
    "es": (
        ("¿El jueves 19 a las diez?", "Sí, perfecto."),
        (
            "u: Tengo que cancelar lo del jueves.",
            "u: Al final el jueves no puedo.",
            "u: Me ha surgido algo, ¿podemos quitar lo del jueves?\na: Claro, la quito.",
            "u: ¿Podría ser el viernes mejor?\na: El viernes a las diez está libre.\nu: Estupendo.",
            "a: La doctora está enferma, tendríamos que pasarla al viernes a las diez.\nu: Me va bien.",
            "u: El jueves a las diez no llego, ¿hay algo más tarde?\na: ¿A las tres?\nu: A las tres bien.",
            "u: No podré ir el jueves.",
            "u: No voy a poder ir el jueves.",
        ),
        (
            "u: ¿Sigue en pie lo del jueves?\na: Sí, a las diez.",
            "u: Llamaba para confirmar lo del jueves.",
            "u: ¿Puedo llevar a mi hija el jueves?\na: Claro.",
            "u: El jueves a lo mejor llego cinco minutos tarde.",
            "u: Mi marido no podrá ir el jueves, voy yo sola.",
            "a: La doctora Ruiz no puede el jueves, la atenderá la doctora Patel.\nu: Vale.",
        ),
    ),
    "fr": (
        ("Jeudi 19 à dix heures ?", "Oui, parfait."),
        (
            "u: Je dois annuler jeudi.",
            "u: Finalement jeudi je ne peux pas.",
            "u: J'ai un empêchement, on peut enlever jeudi ?\na: Bien sûr, je vous enlève.",
            "u: Vendredi serait possible à la place ?\na: Vendredi à dix heures, c'est libre.\nu: Super.",
            "a: Le docteur est malade, il faudrait vous déplacer à vendredi dix heures.\nu: Ça me va.",
            "u: Jeudi à dix heures je ne peux pas, vous avez plus tard ?\na: Quinze heures ?\nu: C'est bien.",
            "u: Je ne vais pas pouvoir venir jeudi.",
            "u: Je ne pourrai pas être là jeudi.",
        ),
        (
            "u: C'est toujours bon pour jeudi ?\na: Oui, à dix heures.",
            "u: J'appelle juste pour confirmer jeudi.",
            "u: Je peux amener ma fille jeudi ?\na: Bien sûr.",
            "u: Jeudi j'aurai peut-être cinq minutes de retard.",
            "u: Mon mari ne va pas pouvoir venir jeudi, je viendrai seule.",
            "a: Le docteur Petit ne peut pas jeudi, c'est le docteur Patel qui vous recevra.\nu: D'accord.",
        ),
    ),
    "it": (
        ("Giovedì 19 alle dieci?", "Sì, perfetto."),
        (
            "u: Devo disdire giovedì.",
            "u: Alla fine giovedì non posso.",
            "u: Ho avuto un imprevisto, possiamo togliere giovedì?\na: Certo, la tolgo.",
            "u: Si potrebbe fare venerdì invece?\na: Venerdì alle dieci è libero.\nu: Ottimo.",
            "a: La dottoressa è malata, dovremmo spostarla a venerdì alle dieci.\nu: Va bene.",
            "u: Giovedì alle dieci non riesco, c'è più tardi?\na: Alle tre?\nu: Alle tre va bene.",
            "u: Non riuscirò a venire giovedì.",
            "u: Giovedì non potrò venire.",
        ),
        (
            "u: È confermato giovedì?\na: Sì, alle dieci.",
            "u: Chiamo solo per confermare giovedì.",
            "u: Posso portare mia figlia giovedì?\na: Certo.",
            "u: Giovedì forse arrivo cinque minuti in ritardo.",
            "u: Mio marito non potrà venire giovedì, vengo da sola.",
            "a: La dottoressa Neri non può giovedì, la segue la dottoressa Patel.\nu: Va bene.",
        ),
    ),
    "pt": (
        ("Quinta, dia 19, às dez?", "Sim, perfeito."),
        (
            "u: Tenho de desmarcar quinta.",
            "u: Afinal quinta não posso.",
            "u: Surgiu-me uma coisa, podemos tirar quinta?\na: Claro, tiro-a.",
            "u: Podia ser sexta em vez disso?\na: Sexta às dez está livre.\nu: Ótimo.",
            "a: A doutora está doente, teríamos de a passar para sexta às dez.\nu: Pode ser.",
            "u: Quinta às dez não consigo, há alguma coisa mais tarde?\na: Às três?\nu: Às três está bem.",
            "u: Não poderei ir na quinta.",
            "u: Não vou poder ir na quinta.",
        ),
        (
            "u: Mantém-se a quinta?\na: Sim, às dez.",
            "u: É só para confirmar quinta.",
            "u: Posso levar a minha filha na quinta?\na: Claro.",
            "u: Na quinta talvez chegue cinco minutos atrasada.",
            "u: O meu marido não poderá ir na quinta, vou sozinha.",
            "a: A doutora Neves não pode na quinta, fica com a doutora Patel.\nu: Está bem.",
        ),
    ),
    "nl": (
        ("Donderdag 19 om tien uur?", "Ja, perfect."),
        (
            "u: Ik moet donderdag afzeggen.",
            "u: Donderdag lukt toch niet.",
            "u: Er is iets tussengekomen, kunnen we donderdag schrappen?\na: Natuurlijk, ik haal u eraf.",
            "u: Zou vrijdag ook kunnen in plaats daarvan?\na: Vrijdag om tien uur is vrij.\nu: Mooi.",
            "a: De dokter is ziek, we zouden u naar vrijdag tien uur moeten verplaatsen.\nu: Dat is goed.",
            "u: Donderdag om tien uur red ik niet, is er iets later?\na: Om drie uur?\nu: Drie uur is goed.",
            "u: Ik zal donderdag niet kunnen komen.",
            "u: Ik ga het donderdag niet redden.",
        ),
        (
            "u: Gaat donderdag nog door?\na: Ja, tot tien uur.",
            "u: Ik bel even om donderdag te bevestigen.",
            "u: Mag ik donderdag mijn dochter meenemen?\na: Natuurlijk.",
            "u: Ik ben donderdag misschien vijf minuten later.",
            "u: Mijn man zal donderdag niet kunnen komen, ik kom alleen.",
            "a: Dokter De Wit kan donderdag niet, dokter Patel neemt het over.\nu: Prima.",
        ),
    ),
}


@pytest.mark.parametrize("language", CALLS)
def test_an_appointment_is_over_once_it_is_called_off_or_moved(call: Call, language: str) -> None:
    appointment, ending, _ = CALLS[language]

    assert [said for said in ending if not is_over(call, language, appointment, said)] == []


@pytest.mark.parametrize("language", CALLS)
def test_an_appointment_that_is_only_spoken_of_stays(call: Call, language: str) -> None:
    appointment, _, leaving = CALLS[language]

    assert [said for said in leaving if is_over(call, language, appointment, said)] == []


def is_over(call: Call, language: str, appointment: tuple[str, str], said: str) -> bool:
    talk = call(f"{said}\na: –")
    text = " – ".join(f'"{one}"' for one in appointment)
    known = EarlierThread(1, "plan", "user", text, DUE)
    return thread_changes(talk, language, BERLIN, open_before=[known]).closes == (1,)
