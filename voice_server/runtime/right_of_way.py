"""Who goes first in a process that does several things at once.

    a step of a page ─┐
    a step of a chat ─┼─ is a call under way? ── no ──→ the step
    a step of …      ─┘            └─ yes: when it is answered, or 2 ms later

Tasks take turns; a step lasts until its task awaits something. A call needs several turns, and would wait for
steps of other tasks before each. Here it waits only for the step that runs when it arrives.
"""

import asyncio
import types
from collections.abc import Coroutine, Generator
from contextvars import Context, ContextVar
from time import monotonic
from typing import Any, TypeVar

_T = TypeVar("_T")
_Work = Coroutine[Any, Any, _T]

_PATIENCE = 0.002  # seconds that a step waits at most: whoever goes first keeps nobody from all work


class RightOfWay:
    """The right of way of work that cannot wait. `taken` counts such work: who begins it adds 1, and takes it
    away at the end."""

    def __init__(self) -> None:
        self.taken = 0

    async def let_pass(self, work: _Work[_T]) -> _T:
        """Do `work`, and after `spread` the tasks it starts, each step when no work is under way that cannot
        wait. A step is never cut in two: work that computes for long sleeps (0) now and then."""
        _given.set(self)
        return await self._in_turn(work)

    @types.coroutine
    def _in_turn(self, work: _Work[_T]) -> Generator[Any, None, _T]:
        error = yield from self._caught(self._passed())
        while True:
            try:
                awaited = work.send(None) if error is None else work.throw(error)
            except StopIteration as ended:
                result: _T = ended.value
                return result
            error = yield from self._caught(self._awaited(awaited))

    def _awaited(self, future: "asyncio.Future[Any] | None") -> Generator[Any]:
        """Await it first: the event loop hears of new calls before it goes on with tasks."""
        yield future
        yield from self._passed()

    def _passed(self) -> Generator[None]:
        until = monotonic() + _PATIENCE if self.taken else 0.0
        while self.taken and monotonic() < until:
            yield

    @staticmethod
    def _caught(waiting: Generator[Any]) -> Generator[Any, None, BaseException | None]:
        try:
            yield from waiting
        except BaseException as error:  # noqa: BLE001 (it is raised where the work waits)
            return error
        return None


_given: ContextVar[RightOfWay | None] = ContextVar("right_of_way", default=None)


def spread() -> None:
    """Let tasks pass that are started on this event loop, if the task that starts them does."""
    asyncio.get_running_loop().set_task_factory(_task)


def fresh_context() -> Context:
    """Return a context that knows only who goes first."""
    context = Context()
    context.run(_given.set, _given.get())
    return context


def _task(
    loop: asyncio.AbstractEventLoop, work: Coroutine[Any, Any, _T] | Generator[Any, None, _T], **more: Any
) -> "asyncio.Future[_T]":
    context: Context | None = more.get("context")
    given = _given.get() if context is None else context.get(_given)
    if given is None or not isinstance(work, Coroutine):
        return asyncio.Task(work, loop=loop, **more)
    task = asyncio.Task(given.let_pass(work), loop=loop, **more)
    task.add_done_callback(lambda _task: work.close())  # which has not begun if the task was cancelled first
    return task
