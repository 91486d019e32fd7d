"""What became of what the agent promised: fetched, repaired, sent, rung about; or not, or broken again."""

from collections.abc import Callable, Mapping, Sequence

import pytest

IsOver = Callable[..., bool]

#: Per language: a promise, what tells that it is kept, and what leaves it open.
KEPT: Mapping[str, Sequence[tuple[str, Sequence[str], Sequence[str]]]] = {
    "en": (
        (
            "I'll get the crew to collect the drawers this week.",
            (
                "The drawers have been collected.",
                "They came and took the drawers.",
                "The drawers are gone, thanks.",
                "They fetched the drawers this morning.",
                "the drawers got picked up",
            ),
            (
                "They never came for the drawers.",
                "The drawers are still here.",
                "When are they fetching the drawers?",
                "Nobody's been for the drawers yet.",
            ),
        ),
        (
            "I'll send someone about the boiler tomorrow.",
            (
                "The boiler's working again, thanks.",
                "Your man came and fixed the boiler.",
                "The boiler's been fixed.",
                "boiler's fine now thanks",
            ),
            (
                "The boiler's still not working.",
                "Nobody came about the boiler.",
                "The boiler's broken again.",
                "The boiler's leaking again.",
                "The boiler has stopped again.",
                "The boiler's playing up again.",
                "The boiler's making a terrible noise.",
                "The boiler's gone off again.",
                "The boiler keeps cutting out.",
                "The boiler's worse now.",
                "The boiler's cold.",
                "The boiler's doing the same thing.",
            ),
        ),
        (
            "I'll post you the certificate.",
            (
                "The certificate came.",
                "I've got the certificate.",
                "The certificate arrived on Monday.",
                "certificate turned up today",
            ),
            (
                "I haven't had the certificate yet.",
                "I'm still waiting for the certificate.",
                "Where's the certificate?",
            ),
        ),
        (
            "My colleague will ring you about the invoice.",
            (
                "Your colleague rang me.",
                "I've spoken to your colleague about the invoice.",
                "The invoice is sorted.",
            ),
            (
                "Nobody rang me.",
                "Your colleague hasn't called about the invoice.",
            ),
        ),
    ),
    "de": (
        (
            "Ich lasse die Kommode diese Woche abholen.",
            (
                "Die Kommode ist abgeholt worden.",
                "Die haben die Kommode mitgenommen.",
                "Die Kommode ist weg, danke.",
                "Die Kommode wurde heute früh abgeholt.",
                "die kommode ist jetzt abgeholt",
            ),
            (
                "Die Kommode ist nicht abgeholt worden.",
                "Die Kommode steht immer noch da.",
                "Wann wird die Kommode abgeholt?",
                "Wegen der Kommode war noch keiner da.",
            ),
        ),
        (
            "Ich schicke morgen jemanden wegen der Heizung.",
            (
                "Die Heizung läuft wieder, danke.",
                "Ihr Mann war da und hat die Heizung repariert.",
                "Die Heizung ist repariert.",
                "die heizung geht wieder",
            ),
            (
                "Die Heizung geht immer noch nicht.",
                "Wegen der Heizung ist keiner gekommen.",
                "Die Heizung ist wieder kaputt.",
                "Die Heizung tropft wieder.",
                "Die Heizung ist schon wieder ausgefallen.",
                "Die Heizung spinnt wieder.",
                "Die Heizung macht furchtbaren Lärm.",
                "Die Heizung bleibt kalt.",
                "Die Heizung geht dauernd aus.",
                "Mit der Heizung ist es schlimmer geworden.",
                "Die Heizung ist kalt.",
            ),
        ),
        (
            "Ich schicke Ihnen die Bescheinigung per Post.",
            (
                "Die Bescheinigung ist gekommen.",
                "Ich habe die Bescheinigung bekommen.",
                "Die Bescheinigung ist am Montag angekommen.",
                "bescheinigung ist da",
            ),
            (
                "Ich hab die Bescheinigung noch nicht bekommen.",
                "Ich warte noch auf die Bescheinigung.",
                "Wo bleibt die Bescheinigung?",
            ),
        ),
        (
            "Meine Kollegin ruft Sie wegen der Rechnung an.",
            (
                "Ihre Kollegin hat mich angerufen.",
                "Ich habe mit Ihrer Kollegin über die Rechnung gesprochen.",
                "Die Rechnung ist geklärt.",
            ),
            (
                "Mich hat keiner angerufen.",
                "Ihre Kollegin hat sich nicht gemeldet wegen der Rechnung.",
            ),
        ),
    ),
    "es": (
        (
            "Mando a recoger la cómoda esta semana.",
            (
                "Ya han recogido la cómoda.",
                "Se llevaron la cómoda.",
                "La cómoda ya no está, gracias.",
                "Vinieron esta mañana a por la cómoda.",
                "ya se llevaron la comoda",
            ),
            (
                "No han venido a por la cómoda.",
                "La cómoda sigue aquí.",
                "¿Cuándo recogen la cómoda?",
                "Todavía no se han llevado la cómoda.",
            ),
        ),
        (
            "Mañana le mando a alguien por la caldera.",
            (
                "La caldera ya funciona, gracias.",
                "Vino su técnico y arregló la caldera.",
                "La caldera está arreglada.",
                "la caldera ya va bien",
            ),
            (
                "La caldera sigue sin funcionar.",
                "No vino nadie por la caldera.",
                "La caldera se ha vuelto a estropear.",
                "La caldera gotea otra vez.",
                "La caldera se ha parado otra vez.",
                "La caldera vuelve a fallar.",
                "La caldera hace un ruido horrible.",
                "La caldera se apaga sola.",
                "La caldera está fría.",
                "La caldera va peor.",
            ),
        ),
        (
            "Le mando el certificado por correo.",
            (
                "Ya llegó el certificado.",
                "He recibido el certificado.",
                "El certificado llegó el lunes.",
                "me ha llegado el certificado",
            ),
            (
                "No me ha llegado el certificado.",
                "Sigo esperando el certificado.",
                "¿Y el certificado?",
            ),
        ),
        (
            "Mi compañera la llamará por la factura.",
            (
                "Su compañera ya me llamó.",
                "He hablado con su compañera de la factura.",
                "Lo de la factura ya está arreglado.",
            ),
            (
                "No me ha llamado nadie.",
                "Su compañera no me llamó por la factura.",
            ),
        ),
    ),
    "fr": (
        (
            "Je fais enlever la commode cette semaine.",
            (
                "La commode a été enlevée.",
                "Ils ont emporté la commode.",
                "La commode est partie, merci.",
                "Ils sont venus chercher la commode ce matin.",
                "la commode a été récupérée",
            ),
            (
                "Ils ne sont pas venus pour la commode.",
                "La commode est toujours là.",
                "Quand est-ce qu'ils enlèvent la commode ?",
                "La commode n'a pas encore été enlevée.",
            ),
        ),
        (
            "Je vous envoie quelqu'un demain pour la chaudière.",
            (
                "La chaudière remarche, merci.",
                "Votre technicien est venu et a réparé la chaudière.",
                "La chaudière est réparée.",
                "la chaudière marche maintenant",
            ),
            (
                "La chaudière ne marche toujours pas.",
                "Personne n'est venu pour la chaudière.",
                "La chaudière est de nouveau en panne.",
                "La chaudière fuit encore.",
                "La chaudière s'est encore arrêtée.",
                "La chaudière refait des siennes.",
                "La chaudière fait un bruit terrible.",
                "La chaudière s'éteint tout le temps.",
                "La chaudière est froide.",
                "La chaudière, c'est pire.",
                "La chaudière est de nouveau en panne.",
            ),
        ),
        (
            "Je vous envoie l'attestation par courrier.",
            (
                "L'attestation est arrivée.",
                "J'ai bien reçu l'attestation.",
                "L'attestation est arrivée lundi.",
                "j'ai eu l'attestation",
            ),
            (
                "Je n'ai pas reçu l'attestation.",
                "J'attends toujours l'attestation.",
                "Et l'attestation ?",
            ),
        ),
        (
            "Ma collègue vous appellera pour la facture.",
            (
                "Votre collègue m'a appelé.",
                "J'ai parlé avec votre collègue de la facture.",
                "La facture, c'est réglé.",
            ),
            (
                "Personne ne m'a appelé.",
                "Votre collègue ne m'a pas rappelé pour la facture.",
            ),
        ),
    ),
    "it": (
        (
            "Faccio ritirare il comò questa settimana.",
            (
                "Il comò è stato ritirato.",
                "Hanno portato via il comò.",
                "Il comò non c'è più, grazie.",
                "Sono venuti stamattina a prendere il comò.",
                "il comò l'hanno preso",
            ),
            (
                "Non sono venuti per il comò.",
                "Il comò è ancora qui.",
                "Quando ritirano il comò?",
                "Il comò non l'hanno ancora ritirato.",
            ),
        ),
        (
            "Domani le mando qualcuno per la caldaia.",
            (
                "La caldaia funziona di nuovo, grazie.",
                "È venuto il tecnico e ha aggiustato la caldaia.",
                "La caldaia è riparata.",
                "la caldaia adesso va",
            ),
            (
                "La caldaia non va ancora.",
                "Non è venuto nessuno per la caldaia.",
                "La caldaia si è rotta di nuovo.",
                "La caldaia perde di nuovo.",
                "La caldaia si è fermata di nuovo.",
                "La caldaia fa i capricci.",
                "La caldaia fa un rumore terribile.",
                "La caldaia si spegne sempre.",
                "La caldaia è fredda.",
                "La caldaia va peggio.",
            ),
        ),
        (
            "Le mando il certificato per posta.",
            (
                "È arrivato il certificato.",
                "Ho ricevuto il certificato.",
                "Il certificato è arrivato lunedì.",
                "il certificato ce l'ho",
            ),
            (
                "Non ho ricevuto il certificato.",
                "Sto ancora aspettando il certificato.",
                "E il certificato?",
            ),
        ),
        (
            "La mia collega la chiamerà per la fattura.",
            (
                "La sua collega mi ha chiamato.",
                "Ho parlato con la sua collega della fattura.",
                "La fattura è a posto.",
            ),
            (
                "Non mi ha chiamato nessuno.",
                "La sua collega non mi ha chiamato per la fattura.",
            ),
        ),
    ),
    "pt": (
        (
            "Mando buscar a cómoda esta semana.",
            (
                "Já vieram buscar a cómoda.",
                "Levaram a cómoda.",
                "A cómoda já não está cá, obrigada.",
                "A cómoda foi recolhida hoje.",
                "ja levaram a comoda",
            ),
            (
                "Não vieram buscar a cómoda.",
                "A cómoda ainda cá está.",
                "Quando vêm buscar a cómoda?",
                "Ainda não levaram a cómoda.",
            ),
        ),
        (
            "Amanhã mando alguém por causa da caldeira.",
            (
                "A caldeira já funciona, obrigada.",
                "Veio o técnico e arranjou a caldeira.",
                "A caldeira está arranjada.",
                "a caldeira ja ta boa",
            ),
            (
                "A caldeira continua sem funcionar.",
                "Não veio ninguém por causa da caldeira.",
                "A caldeira avariou outra vez.",
                "A caldeira está a pingar outra vez.",
                "A caldeira parou outra vez.",
                "A caldeira voltou a falhar.",
                "A caldeira faz um barulho horrível.",
                "A caldeira apaga-se sozinha.",
                "A caldeira está fria.",
                "A caldeira está pior.",
            ),
        ),
        (
            "Envio-lhe o certificado pelo correio.",
            (
                "O certificado chegou.",
                "Recebi o certificado.",
                "O certificado chegou na segunda.",
                "já tenho o certificado",
            ),
            (
                "Não recebi o certificado.",
                "Continuo à espera do certificado.",
                "E o certificado?",
            ),
        ),
        (
            "A minha colega liga-lhe por causa da fatura.",
            (
                "A sua colega ligou-me.",
                "Falei com a sua colega sobre a fatura.",
                "A fatura está resolvida.",
            ),
            (
                "Ninguém me ligou.",
                "A sua colega não me ligou por causa da fatura.",
            ),
        ),
    ),
    "nl": (
        (
            "Ik laat de kast deze week ophalen.",
            (
                "De kast is opgehaald.",
                "Ze hebben de kast meegenomen.",
                "De kast is weg, dank u.",
                "Ze kwamen vanmorgen de kast halen.",
                "de kast is nu opgehaald",
            ),
            (
                "Ze zijn niet geweest voor de kast.",
                "De kast staat er nog.",
                "Wanneer halen ze de kast?",
                "De kast is nog niet opgehaald.",
            ),
        ),
        (
            "Ik stuur morgen iemand voor de ketel.",
            (
                "De ketel doet het weer, bedankt.",
                "Uw monteur is geweest en heeft de ketel gemaakt.",
                "De ketel is gerepareerd.",
                "de ketel werkt weer",
            ),
            (
                "De ketel doet het nog steeds niet.",
                "Er is niemand geweest voor de ketel.",
                "De ketel is weer kapot.",
                "De ketel lekt weer.",
                "De ketel is weer uitgevallen.",
                "De ketel doet weer raar.",
                "De ketel maakt een vreselijk lawaai.",
                "De ketel slaat steeds af.",
                "De ketel is koud.",
                "De ketel is erger geworden.",
            ),
        ),
        (
            "Ik stuur u het attest per post.",
            (
                "Het attest is gekomen.",
                "Ik heb het attest ontvangen.",
                "Het attest kwam maandag.",
                "attest is binnen",
            ),
            (
                "Ik heb het attest nog niet gekregen.",
                "Ik wacht nog op het attest.",
                "Waar blijft het attest?",
            ),
        ),
        (
            "Mijn collega belt u over de factuur.",
            (
                "Uw collega heeft gebeld.",
                "Ik heb met uw collega over de factuur gesproken.",
                "De factuur is geregeld.",
            ),
            (
                "Niemand heeft me gebeld.",
                "Uw collega heeft niet gebeld over de factuur.",
            ),
        ),
    ),
}


@pytest.mark.parametrize("language", KEPT)
def test_a_promise_is_over_when_it_is_told_as_done(is_over: IsOver, language: str) -> None:
    for promised, done, _ in KEPT[language]:
        assert [one for one in done if not is_agents_over(is_over, language, promised, one)] == []


@pytest.mark.parametrize("language", KEPT)
def test_a_promise_stays_open_when_nobody_came_or_it_is_still_broken(is_over: IsOver, language: str) -> None:
    for promised, _, undone in KEPT[language]:
        assert [one for one in undone if is_agents_over(is_over, language, promised, one)] == []


def is_agents_over(is_over: IsOver, language: str, promised: str, said: str) -> bool:
    return is_over(language, promised, f"u: {said}\na: –", "promise", "agent")
