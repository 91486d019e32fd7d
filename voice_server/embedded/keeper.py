"""Keeps the services of a long-lived process up: a supervisor restarts them, and is itself restarted here.

serve ── keeper ── looks every second: are the supervisor's, Postgres's and Valkey's locks held?
"""

import threading
import time
from collections.abc import Callable

from voice_server.embedded.layout import DataGoneError, EmbeddedError
from voice_server.embedded.services import EmbeddedServices

_LOOK = 1.0  # seconds between two looks, and between two attempts
_HUNG = 15.0  # seconds without services after which a supervisor that lives counts as hanging
_PATIENCE = 60.0  # seconds of attempts: a disk that was full for a moment is no reason to go


class Keeper:
    """Replaces a supervisor that was killed or hangs; `report` hears that the services are back."""

    def __init__(
        self,
        embedded: EmbeddedServices,
        report: Callable[[str], None],
        *,
        look: float = _LOOK,
        hung: float = _HUNG,
        patience: float = _PATIENCE,
    ) -> None:
        self._embedded = embedded
        self._report = report
        self._look = look
        self._hung = hung
        self._patience = patience

    def run(self, stop: threading.Event) -> None:
        """Block until told to stop: run it in a thread. Raises EmbeddedError when the services do not come
        back."""
        while not stop.wait(self._look):
            if not self._embedded.is_up():
                self._bring_back(stop, time.monotonic())

    def _bring_back(self, stop: threading.Event, since: float) -> None:
        while not stop.is_set():
            try:
                self._embedded.bring_back(timeout=self._hung / 3)
            except DataGoneError:
                raise
            except EmbeddedError as error:
                self._lose_patience(time.monotonic() - since, error)
                stop.wait(self._look)
            else:
                self._report(f"embedded services are back after {time.monotonic() - since:.1f} s")
                return

    def _lose_patience(self, seconds: float, error: EmbeddedError) -> None:
        """Give up a supervisor that may be hanging, later everything."""
        if seconds > self._patience:
            raise error
        if seconds > self._hung:
            self._embedded.kill_supervisor()
