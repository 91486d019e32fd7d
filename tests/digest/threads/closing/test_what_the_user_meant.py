"""What became of what the user meant to do: brought, rung, paid; or forgotten, or put off."""

from collections.abc import Callable, Mapping, Sequence

import pytest

IsOver = Callable[..., bool]

#: Per language: what the user meant to do, calls that tell it as done, and calls that leave it open.
MEANT: Mapping[str, Sequence[tuple[str, Sequence[str], Sequence[str]]]] = {
    "en": (
        (
            "I'll bring the form on Friday.",
            (
                "u: I brought the form in on Friday.",
                "a: Thanks for dropping the form off.",
                "a: Did you bring the form?\nu: Yes, I left it at the desk.",
                "u: You've got my form now.",
                "a: We've got your form, thank you.",
            ),
            (
                "u: I forgot the form.",
                "u: I haven't found the form yet.",
                "a: And the form?\nu: Still looking for it.",
            ),
        ),
        (
            "I'll ring my sister tonight.",
            (
                "u: I rang my sister.",
                "a: Did you ring your sister?\nu: I did, we talked for an hour.",
                "u: My sister was pleased I rang.",
            ),
            (
                "u: I didn't ring my sister.",
                "a: Did you ring your sister?\nu: No, not yet.",
                "u: I never got round to ringing my sister.",
                "a: Have you called your sister?\nu: She didn't pick up.",
            ),
        ),
        (
            "I'll pay the bill tomorrow.",
            (
                "u: I've paid the bill.",
                "a: Did you pay the bill?\nu: Yes, on Tuesday.",
                "a: Your payment for the bill came in, thanks.",
                "u: The bill's paid.",
            ),
            (
                "u: I can't pay the bill till Monday.",
                "u: I haven't paid the bill yet.",
                "a: And the bill?\nu: I'm waiting for my wages.",
            ),
        ),
    ),
    "de": (
        (
            "Ich bring das Formular am Freitag vorbei.",
            (
                "u: Ich hab das Formular am Freitag vorbeigebracht.",
                "a: Danke fürs Formular.",
                "a: Haben Sie das Formular gebracht?\nu: Ja, ich hab's am Empfang abgegeben.",
                "u: Mein Formular haben Sie ja jetzt.",
                "a: Ihr Formular ist da, danke.",
            ),
            (
                "u: Ich hab das Formular vergessen.",
                "u: Das Formular hab ich noch nicht gefunden.",
                "a: Und das Formular?\nu: Das such ich noch.",
            ),
        ),
        (
            "Ich ruf heute Abend meine Schwester an.",
            (
                "u: Ich hab meine Schwester angerufen.",
                "a: Haben Sie Ihre Schwester angerufen?\nu: Ja, wir haben eine Stunde geredet.",
                "u: Meine Schwester hat sich gefreut, dass ich angerufen hab.",
                "a: Wie geht's Ihrer Schwester?\nu: Gut, sie lässt grüßen.",
            ),
            (
                "u: Ich hab meine Schwester nicht angerufen.",
                "a: Haben Sie Ihre Schwester angerufen?\nu: Nein, noch nicht.",
                "u: Zum Anrufen bei meiner Schwester bin ich nicht gekommen.",
                "a: Haben Sie Ihre Schwester angerufen?\nu: Sie ist nicht rangegangen.",
            ),
        ),
        (
            "Ich bezahle die Rechnung morgen.",
            (
                "u: Ich hab die Rechnung bezahlt.",
                "a: Haben Sie die Rechnung bezahlt?\nu: Ja, am Dienstag.",
                "a: Ihre Zahlung für die Rechnung ist da, danke.",
                "u: Die Rechnung ist bezahlt.",
            ),
            (
                "u: Die Rechnung hab ich noch nicht bezahlt.",
                "a: Und die Rechnung?\nu: Ich warte auf mein Gehalt.",
            ),
        ),
    ),
    "es": (
        (
            "Llevo el formulario el viernes.",
            (
                "u: Llevé el formulario el viernes.",
                "a: Gracias por el formulario.",
                "a: ¿Trajo el formulario?\nu: Sí, lo dejé en recepción.",
                "u: Ya tienen mi formulario.",
                "a: Ya tenemos su formulario, gracias.",
            ),
            (
                "u: Se me olvidó el formulario.",
                "u: No encuentro el formulario.",
                "a: ¿Y el formulario?\nu: Lo sigo buscando.",
            ),
        ),
        (
            "Esta noche llamo a mi hermana.",
            (
                "u: Llamé a mi hermana.",
                "a: ¿Llamó a su hermana?\nu: Sí, hablamos una hora.",
                "u: Mi hermana se alegró de que la llamara.",
                "a: ¿Qué tal su hermana?\nu: Bien, le manda recuerdos.",
            ),
            (
                "u: No llamé a mi hermana.",
                "a: ¿Llamó a su hermana?\nu: No, todavía no.",
                "u: Al final no pude llamar a mi hermana.",
                "a: ¿Ha llamado a su hermana?\nu: No me cogió el teléfono.",
            ),
        ),
        (
            "Mañana pago la factura.",
            (
                "u: Ya pagué la factura.",
                "a: ¿Pagó la factura?\nu: Sí, el martes.",
                "a: Ha llegado su pago de la factura, gracias.",
                "u: La factura está pagada.",
            ),
            (
                "u: Todavía no he pagado la factura.",
                "a: ¿Y la factura?\nu: Estoy esperando la nómina.",
            ),
        ),
    ),
    "fr": (
        (
            "J'apporte le formulaire vendredi.",
            (
                "u: J'ai apporté le formulaire vendredi.",
                "a: Merci pour le formulaire.",
                "a: Vous avez apporté le formulaire ?\nu: Oui, je l'ai laissé à l'accueil.",
                "u: Vous avez mon formulaire maintenant.",
                "a: On a bien votre formulaire, merci.",
            ),
            (
                "u: J'ai oublié le formulaire.",
                "u: Je n'ai pas encore trouvé le formulaire.",
                "a: Et le formulaire ?\nu: Je le cherche encore.",
            ),
        ),
        (
            "J'appelle ma sœur ce soir.",
            (
                "u: J'ai appelé ma sœur.",
                "a: Vous avez appelé votre sœur ?\nu: Oui, on a parlé une heure.",
                "u: Ma sœur était contente que je l'appelle.",
                "a: Comment va votre sœur ?\nu: Bien, elle vous salue.",
            ),
            (
                "u: Je n'ai pas appelé ma sœur.",
                "a: Vous avez appelé votre sœur ?\nu: Non, pas encore.",
                "u: Je n'ai pas eu le temps d'appeler ma sœur.",
                "a: Vous avez appelé votre sœur ?\nu: Elle n'a pas décroché.",
            ),
        ),
        (
            "Je paie la facture demain.",
            (
                "u: J'ai payé la facture.",
                "a: Vous avez payé la facture ?\nu: Oui, mardi.",
                "a: On a bien reçu votre paiement de la facture, merci.",
                "u: La facture est payée.",
            ),
            (
                "u: Je ne peux pas payer la facture avant lundi.",
                "u: Je n'ai pas encore payé la facture.",
                "a: Et la facture ?\nu: J'attends ma paie.",
            ),
        ),
    ),
    "it": (
        (
            "Porto il modulo venerdì.",
            (
                "u: Ho portato il modulo venerdì.",
                "a: Grazie per il modulo.",
                "a: Ha portato il modulo?\nu: Sì, l'ho lasciato alla reception.",
                "u: Il mio modulo ce l'avete.",
                "a: Abbiamo il suo modulo, grazie.",
            ),
            (
                "u: Ho dimenticato il modulo.",
                "u: Non ho ancora trovato il modulo.",
                "a: E il modulo?\nu: Lo sto ancora cercando.",
            ),
        ),
        (
            "Stasera chiamo mia sorella.",
            (
                "u: Ho chiamato mia sorella.",
                "a: Ha chiamato sua sorella?\nu: Sì, abbiamo parlato un'ora.",
                "u: Mia sorella era contenta che l'ho chiamata.",
                "a: Come sta sua sorella?\nu: Bene, la saluta.",
            ),
            (
                "u: Non ho chiamato mia sorella.",
                "a: Ha chiamato sua sorella?\nu: No, non ancora.",
                "u: Non ho fatto in tempo a chiamare mia sorella.",
                "a: Ha chiamato sua sorella?\nu: Non ha risposto.",
            ),
        ),
        (
            "Domani pago la fattura.",
            (
                "u: Ho pagato la fattura.",
                "a: Ha pagato la fattura?\nu: Sì, martedì.",
                "a: È arrivato il suo pagamento della fattura, grazie.",
                "u: La fattura è pagata.",
            ),
            (
                "u: Non posso pagare la fattura prima di lunedì.",
                "u: Non ho ancora pagato la fattura.",
                "a: E la fattura?\nu: Aspetto lo stipendio.",
            ),
        ),
    ),
    "pt": (
        (
            "Levo o formulário na sexta.",
            (
                "u: Levei o formulário na sexta.",
                "a: Obrigada pelo formulário.",
                "a: Trouxe o formulário?\nu: Sim, deixei-o na receção.",
                "u: Já têm o meu formulário.",
                "a: Já temos o seu formulário, obrigada.",
            ),
            (
                "u: Esqueci-me do formulário.",
                "u: Ainda não encontrei o formulário.",
                "a: E o formulário?\nu: Ainda ando à procura.",
            ),
        ),
        (
            "Hoje à noite ligo à minha irmã.",
            (
                "u: Liguei à minha irmã.",
                "a: Ligou à sua irmã?\nu: Sim, falámos uma hora.",
                "u: A minha irmã ficou contente por eu ter ligado.",
                "a: Como está a sua irmã?\nu: Bem, manda cumprimentos.",
            ),
            (
                "u: Não liguei à minha irmã.",
                "a: Ligou à sua irmã?\nu: Não, ainda não.",
                "u: Não tive tempo de ligar à minha irmã.",
                "a: Ligou à sua irmã?\nu: Ela não atendeu.",
            ),
        ),
        (
            "Pago a fatura amanhã.",
            (
                "u: Já paguei a fatura.",
                "a: Pagou a fatura?\nu: Sim, na terça.",
                "a: O seu pagamento da fatura chegou, obrigada.",
                "u: A fatura está paga.",
            ),
            (
                "u: Não posso pagar a fatura antes de segunda.",
                "u: Ainda não paguei a fatura.",
                "a: E a fatura?\nu: Estou à espera do ordenado.",
            ),
        ),
    ),
    "nl": (
        (
            "Ik breng het formulier vrijdag.",
            (
                "u: Ik heb het formulier vrijdag gebracht.",
                "a: Bedankt voor het formulier.",
                "a: Heeft u het formulier gebracht?\nu: Ja, ik heb het aan de balie afgegeven.",
                "u: Jullie hebben mijn formulier nu.",
                "a: We hebben uw formulier, dank u.",
            ),
            (
                "u: Ik ben het formulier vergeten.",
                "u: Ik heb het formulier nog niet gevonden.",
                "a: En het formulier?\nu: Dat zoek ik nog.",
            ),
        ),
        (
            "Ik bel vanavond mijn zus.",
            (
                "u: Ik heb mijn zus gebeld.",
                "a: Heeft u uw zus gebeld?\nu: Ja, we hebben een uur gepraat.",
                "u: Mijn zus was blij dat ik belde.",
                "a: Hoe gaat het met uw zus?\nu: Goed, u krijgt de groeten.",
            ),
            (
                "u: Ik heb mijn zus niet gebeld.",
                "a: Heeft u uw zus gebeld?\nu: Nee, nog niet.",
                "u: Ik ben er niet aan toegekomen om mijn zus te bellen.",
                "a: Heeft u uw zus gebeld?\nu: Ze nam niet op.",
            ),
        ),
        (
            "Ik betaal de factuur morgen.",
            (
                "u: Ik heb de factuur betaald.",
                "a: Heeft u de factuur betaald?\nu: Ja, dinsdag.",
                "a: Uw betaling van de factuur is binnen, dank u.",
                "u: De factuur is betaald.",
            ),
            (
                "u: Ik kan de factuur pas maandag betalen.",
                "u: Ik heb de factuur nog niet betaald.",
                "a: En de factuur?\nu: Ik wacht op mijn loon.",
            ),
        ),
    ),
}


@pytest.mark.parametrize("language", MEANT)
def test_what_the_user_meant_to_do_is_over_when_it_is_told_as_done(is_over: IsOver, language: str) -> None:
    for meant, done, _ in MEANT[language]:
        assert [one for one in done if not is_over(language, meant, f"{one}\na: –")] == []


@pytest.mark.parametrize("language", MEANT)
def test_what_the_user_did_not_do_stays_open(is_over: IsOver, language: str) -> None:
    for meant, _, undone in MEANT[language]:
        assert [one for one in undone if is_over(language, meant, f"{one}\na: –")] == []


@pytest.mark.parametrize(
    ("language", "meant", "said"),
    [
        ("en", "I'll bring it on Friday.", "I've taken the dog round the park."),
        ("en", "I'll bring the key round on Friday.", "I left the key off the list."),
        ("nl", "Ik breng jullie ladder vrijdag.", "Ik heb jullie ladder nu."),
        ("it", "Chiamo mia sorella domenica.", "Mio marito la saluta."),
        ("nl", "Ik bel mijn zus zondag.", "Mijn moeder was zo blij dat ik langskwam."),
    ],
)
def test_another_thing_or_person_leaves_it_open(
    is_over: IsOver, language: str, meant: str, said: str
) -> None:
    assert not is_over(language, meant, f"u: {said}\na: –")
