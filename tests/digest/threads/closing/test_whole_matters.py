"""A whole matter in two calls: a question the agent takes along, a reminder, a brochure; and what became of
it."""

import re
from collections.abc import Callable, Mapping, Sequence
from zoneinfo import ZoneInfo

import pytest

from voice_server.digest.threads.changes import thread_changes
from voice_server.domain.conversation import Message
from voice_server.domain.digest import EarlierThread

Call = Callable[[str], list[Message]]

BERLIN = ZoneInfo("Europe/Berlin")
WHO = re.compile(r"^[au]: ", re.MULTILINE)
#: Per language: a first call, later ones that end its matter, and later ones that leave it open.
CALLS: Mapping[str, Sequence[tuple[str, Sequence[str], Sequence[str]]]] = {
    "en": (
        (
            "u: Could I bring a dog?\na: I'll ask the owner and let you know.",
            (
                "a: Hello, it's about the dog: that's fine.",
                "a: The owner says yes to the dog.",
                "u: You rang me about the dog, thanks.",
                "a: I've asked the owner, dogs are welcome.",
                "u: Did you ask about the dog?\na: I did, he's fine with it.",
            ),
            (
                "u: Any news about the dog?\na: Not yet, I'm sorry.",
                "u: Did you ask about the dog?\na: He's away till Monday.",
                "u: I'm ringing about the dog again.",
            ),
        ),
        (
            "u: Can you remind me on Friday to call the vet?\na: Of course.",
            (
                "a: You asked me to remind you to call the vet.",
                "u: I've called the vet already.",
                "u: You don't need to remind me about the vet any more.",
                "u: The vet's done, thanks.",
            ),
            (
                "u: You'll remember the vet, won't you?\na: Yes.",
                "u: I haven't called the vet yet.",
            ),
        ),
        (
            "a: I'll post you the brochure today.",
            (
                "u: Your brochure came.",
                "u: I've been reading the brochure.",
                "a: Did you get the brochure?\nu: I did, thanks.",
                "u: I like the look of the blue one in your brochure.",
            ),
            (
                "u: The brochure hasn't come.",
                "a: Did you get the brochure?\nu: No, nothing's come.",
                "u: You were going to send me a brochure.",
            ),
        ),
    ),
    "de": (
        (
            "u: Darf ich einen Hund mitbringen?\na: Ich frage den Besitzer und sage Ihnen Bescheid.",
            (
                "a: Hallo, es geht um den Hund: das ist in Ordnung.",
                "a: Der Besitzer sagt ja zum Hund.",
                "u: Sie haben mich wegen dem Hund angerufen, danke.",
                "a: Ich habe den Besitzer gefragt, Hunde sind willkommen.",
                "u: Haben Sie wegen dem Hund gefragt?\na: Ja, er hat nichts dagegen.",
            ),
            (
                "u: Gibt's was Neues wegen dem Hund?\na: Leider noch nicht.",
                "u: Haben Sie wegen dem Hund gefragt?\na: Er ist bis Montag weg.",
                "u: Ich rufe noch mal wegen dem Hund an.",
            ),
        ),
        (
            "u: Können Sie mich am Freitag daran erinnern, den Tierarzt anzurufen?\na: Natürlich.",
            (
                "a: Ich sollte Sie an den Tierarzt erinnern.",
                "u: Den Tierarzt hab ich schon angerufen.",
                "u: An den Tierarzt müssen Sie mich nicht mehr erinnern.",
                "u: Das mit dem Tierarzt ist erledigt, danke.",
            ),
            (
                "u: An den Tierarzt denken Sie doch?\na: Ja.",
                "u: Den Tierarzt hab ich noch nicht angerufen.",
            ),
        ),
        (
            "a: Ich schicke Ihnen heute den Prospekt.",
            (
                "u: Ihr Prospekt ist gekommen.",
                "u: Ich hab den Prospekt gelesen.",
                "a: Haben Sie den Prospekt bekommen?\nu: Ja, danke.",
                "u: Das Blaue in Ihrem Prospekt gefällt mir.",
            ),
            (
                "u: Der Prospekt ist nicht gekommen.",
                "a: Haben Sie den Prospekt bekommen?\nu: Nein, da kam nichts.",
                "u: Sie wollten mir einen Prospekt schicken.",
            ),
        ),
    ),
    "es": (
        (
            "u: ¿Puedo llevar un perro?\na: Le pregunto al dueño y le digo.",
            (
                "a: Hola, es por lo del perro: no hay problema.",
                "a: El dueño dice que sí al perro.",
                "u: Me llamó usted por el perro, gracias.",
                "a: He preguntado al dueño, los perros son bienvenidos.",
                "u: ¿Preguntó por el perro?\na: Sí, no le importa.",
            ),
            (
                "u: ¿Se sabe algo del perro?\na: Todavía no, lo siento.",
                "u: ¿Preguntó por el perro?\na: Está fuera hasta el lunes.",
                "u: Llamo otra vez por lo del perro.",
            ),
        ),
        (
            "u: ¿Me puede recordar el viernes que llame al veterinario?\na: Claro.",
            (
                "a: Me pidió que le recordara lo del veterinario.",
                "u: Ya llamé al veterinario.",
                "u: Ya no hace falta que me recuerde lo del veterinario.",
                "u: Lo del veterinario ya está, gracias.",
            ),
            (
                "u: Se acuerda de lo del veterinario, ¿no?\na: Sí.",
                "u: Todavía no he llamado al veterinario.",
            ),
        ),
        (
            "a: Hoy le mando el folleto.",
            (
                "u: Ha llegado su folleto.",
                "u: He leído el folleto.",
                "a: ¿Le llegó el folleto?\nu: Sí, gracias.",
                "u: Me gusta el azul de su folleto.",
            ),
            (
                "u: El folleto no ha llegado.",
                "a: ¿Le llegó el folleto?\nu: No, no ha llegado nada.",
                "u: Me iba a mandar un folleto.",
            ),
        ),
    ),
    "fr": (
        (
            "u: Je peux amener un chien ?\na: Je demande au propriétaire et je vous dis.",
            (
                "a: Bonjour, c'est pour le chien : pas de problème.",
                "a: Le propriétaire dit oui pour le chien.",
                "u: Vous m'avez appelé pour le chien, merci.",
                "a: J'ai demandé au propriétaire, les chiens sont les bienvenus.",
                "u: Vous avez demandé pour le chien ?\na: Oui, ça ne le dérange pas.",
            ),
            (
                "u: Du nouveau pour le chien ?\na: Pas encore, désolé.",
                "u: Vous avez demandé pour le chien ?\na: Il est absent jusqu'à lundi.",
                "u: Je rappelle pour le chien.",
            ),
        ),
        (
            "u: Vous pouvez me rappeler vendredi d'appeler le vétérinaire ?\na: Bien sûr.",
            (
                "a: Vous m'aviez demandé de vous rappeler le vétérinaire.",
                "u: J'ai déjà appelé le vétérinaire.",
                "u: Plus besoin de me rappeler le vétérinaire.",
                "u: Le vétérinaire, c'est fait, merci.",
            ),
            (
                "u: Vous pensez au vétérinaire, hein ?\na: Oui.",
                "u: Je n'ai pas encore appelé le vétérinaire.",
            ),
        ),
        (
            "a: Je vous envoie la brochure aujourd'hui.",
            (
                "u: Votre brochure est arrivée.",
                "u: J'ai lu la brochure.",
                "a: Vous avez reçu la brochure ?\nu: Oui, merci.",
                "u: Le bleu dans votre brochure me plaît.",
            ),
            (
                "u: La brochure n'est pas arrivée.",
                "a: Vous avez reçu la brochure ?\nu: Non, rien n'est arrivé.",
                "u: Vous deviez m'envoyer une brochure.",
            ),
        ),
    ),
    "it": (
        (
            "u: Posso portare un cane?\na: Chiedo al proprietario e le faccio sapere.",
            (
                "a: Buongiorno, è per il cane: nessun problema.",
                "a: Il proprietario dice di sì al cane.",
                "u: Mi ha chiamato per il cane, grazie.",
                "a: Ho chiesto al proprietario, i cani sono benvenuti.",
                "u: Ha chiesto per il cane?\na: Sì, per lui va bene.",
            ),
            (
                "u: Novità per il cane?\na: Non ancora, mi spiace.",
                "u: Ha chiesto per il cane?\na: È via fino a lunedì.",
                "u: Richiamo per il cane.",
            ),
        ),
        (
            "u: Mi può ricordare venerdì di chiamare il veterinario?\na: Certo.",
            (
                "a: Mi aveva chiesto di ricordarle il veterinario.",
                "u: Ho già chiamato il veterinario.",
                "u: Non serve più che mi ricordi del veterinario.",
                "u: Il veterinario è fatto, grazie.",
            ),
            (
                "u: Si ricorda del veterinario, vero?\na: Sì.",
                "u: Non ho ancora chiamato il veterinario.",
            ),
        ),
        (
            "a: Oggi le mando l'opuscolo.",
            (
                "u: È arrivato il vostro opuscolo.",
                "u: Ho letto l'opuscolo.",
                "a: Ha ricevuto l'opuscolo?\nu: Sì, grazie.",
                "u: Mi piace quello blu nel vostro opuscolo.",
            ),
            (
                "u: L'opuscolo non è arrivato.",
                "a: Ha ricevuto l'opuscolo?\nu: No, non è arrivato niente.",
                "u: Doveva mandarmi un opuscolo.",
            ),
        ),
    ),
    "pt": (
        (
            "u: Posso levar um cão?\na: Pergunto ao dono e digo-lhe.",
            (
                "a: Bom dia, é por causa do cão: não há problema.",
                "a: O dono diz que sim ao cão.",
                "u: Ligou-me por causa do cão, obrigada.",
                "a: Perguntei ao dono, os cães são bem-vindos.",
                "u: Perguntou por causa do cão?\na: Sim, ele não se importa.",
            ),
            (
                "u: Há novidades do cão?\na: Ainda não, desculpe.",
                "u: Perguntou por causa do cão?\na: Ele está fora até segunda.",
                "u: Estou a ligar outra vez por causa do cão.",
            ),
        ),
        (
            "u: Pode lembrar-me na sexta de ligar ao veterinário?\na: Claro.",
            (
                "a: Pediu-me que lhe lembrasse o veterinário.",
                "u: Já liguei ao veterinário.",
                "u: Já não precisa de me lembrar do veterinário.",
                "u: O veterinário já está, obrigada.",
            ),
            (
                "u: Lembra-se do veterinário, não é?\na: Sim.",
                "u: Ainda não liguei ao veterinário.",
            ),
        ),
        (
            "a: Envio-lhe hoje o folheto.",
            (
                "u: O vosso folheto chegou.",
                "u: Li o folheto.",
                "a: Recebeu o folheto?\nu: Sim, obrigada.",
                "u: Gosto do azul do vosso folheto.",
            ),
            (
                "u: O folheto não chegou.",
                "a: Recebeu o folheto?\nu: Não, não chegou nada.",
                "u: Ficou de me enviar um folheto.",
            ),
        ),
    ),
    "nl": (
        (
            "u: Mag ik een hond meenemen?\na: Ik vraag het aan de eigenaar en laat het u weten.",
            (
                "a: Goedemiddag, het gaat over de hond: dat is goed.",
                "a: De eigenaar zegt ja tegen de hond.",
                "u: U heeft me gebeld over de hond, bedankt.",
                "a: Ik heb het de eigenaar gevraagd, honden zijn welkom.",
                "u: Heeft u het gevraagd van de hond?\na: Ja, hij vindt het goed.",
            ),
            (
                "u: Al nieuws over de hond?\na: Nog niet, sorry.",
                "u: Heeft u het gevraagd van de hond?\na: Hij is weg tot maandag.",
                "u: Ik bel nog eens over de hond.",
            ),
        ),
        (
            "u: Kunt u me vrijdag eraan herinneren de dierenarts te bellen?\na: Natuurlijk.",
            (
                "a: Ik zou u aan de dierenarts herinneren.",
                "u: Ik heb de dierenarts al gebeld.",
                "u: U hoeft me niet meer aan de dierenarts te herinneren.",
                "u: De dierenarts is geregeld, bedankt.",
            ),
            (
                "u: U denkt toch aan de dierenarts?\na: Ja.",
                "u: Ik heb de dierenarts nog niet gebeld.",
            ),
        ),
        (
            "a: Ik stuur u vandaag de folder.",
            (
                "u: Uw folder is gekomen.",
                "u: Ik heb de folder gelezen.",
                "a: Heeft u de folder gekregen?\nu: Ja, bedankt.",
                "u: Ik vind die blauwe in uw folder mooi.",
            ),
            (
                "u: De folder is niet gekomen.",
                "a: Heeft u de folder gekregen?\nu: Nee, er is niets gekomen.",
                "u: U zou me een folder sturen.",
            ),
        ),
    ),
}


@pytest.mark.parametrize("language", CALLS)
def test_a_matter_is_over_when_a_later_call_ends_it(call: Call, language: str) -> None:
    for first, ending, _ in CALLS[language]:
        assert [later for later in ending if not is_over(call, language, first, later)] == []


@pytest.mark.parametrize("language", CALLS)
def test_a_matter_stays_open_while_nobody_ends_it(call: Call, language: str) -> None:
    for first, _, leaving in CALLS[language]:
        assert [later for later in leaving if is_over(call, language, first, later)] == []


def is_over(call: Call, language: str, first: str, later: str) -> bool:
    opened = thread_changes(call(f"{first}\nu: OK."), language, BERLIN).opened
    assert len(opened) == 1, first
    one = opened[0]
    known = EarlierThread(1, one.kind, one.said_by, one.text, one.due, around=WHO.sub("", first))
    return thread_changes(call(f"{later}\na: –"), language, BERLIN, open_before=[known]).closes == (1,)
