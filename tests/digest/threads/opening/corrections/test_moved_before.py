"""An appointment that was moved before another is made stays on its day."""

from collections.abc import Callable
from datetime import date

import pytest

from voice_server.domain.digest import OpenThread

Opened = Callable[..., list[OpenThread]]
FRIDAY, NEXT_TUESDAY = date(2026, 11, 20), date(2026, 11, 24)
TALKS = {
    "en": """
        a: And the talk with Gerard?
        u: It's been moved, it's Friday now.
        a: Our next appointment on Monday the 23rd?
        u: Monday I can't, Tuesday I can.
        a: Tuesday at nine then.
        """,
    "de": """
        a: Und das Gespräch mit Gerhard?
        u: Das ist verschoben, es ist jetzt am Freitag.
        a: Unser nächster Termin am Montag, dem 23.?
        u: Montag kann ich nicht, Dienstag schon.
        a: Dann Dienstag um neun.
        """,
    "es": """
        a: ¿Y la charla con Gerardo?
        u: La han cambiado, ahora es el viernes.
        a: ¿Y la clase de pintura el lunes 23?
        u: El lunes no puedo, el martes sí.
        a: Entonces el martes a las nueve.
        """,
    "fr": """
        a: Et l'entretien avec Gérard ?
        u: Il est déplacé, c'est maintenant vendredi.
        a: Notre prochain rendez-vous lundi 23 ?
        u: Lundi je ne peux pas, mardi oui.
        a: Alors mardi à neuf heures.
        """,
    "it": """
        a: E il colloquio con Gerardo?
        u: L'hanno spostato, adesso è venerdì.
        a: Il nostro prossimo appuntamento lunedì 23?
        u: Lunedì non posso, martedì sì.
        a: Allora martedì alle nove.
        """,
    "nl": """
        a: En het gesprek met Gert-Jan?
        u: Dat is niet doorgegaan. Het is nu vrijdag.
        a: Volgende afspraak maandag de drieëntwintigste?
        u: Maandag kan ik niet, dinsdag wel.
        a: Dinsdag negen uur dan.
        """,
    "pt": """
        a: E a conversa com o Gerardo?
        u: Não deu, agora é na sexta.
        a: A nossa próxima consulta na segunda, dia 23?
        u: Segunda não posso, antes na terça.
        a: Então terça às nove.
        """,
}


@pytest.mark.parametrize("language", TALKS)
def test_what_was_moved_stays_on_its_day_where_another_is_made(opened: Opened, language: str) -> None:
    moved, made = opened(TALKS[language], language)

    assert (moved.due, made.due) == (FRIDAY, NEXT_TUESDAY)
    assert "Ger" not in made.text


def test_what_is_moved_once_more_gives_way(opened: Opened) -> None:
    talk = """
        u: The viewing's been moved, it's Friday now.
        a: Could we move it again, to Monday?
        u: Monday I can't, Tuesday I can.
        a: The viewing is on Tuesday at nine then.
        """

    assert [one.due for one in opened(talk)] == [NEXT_TUESDAY]
