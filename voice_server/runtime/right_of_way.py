"""Who goes first in a process that does several things at once.

    a step of a page ─┐
    a step of a chat ─┼─ is a call under way? ── no ──→ the step
    a step of …      ─┘            └─ yes: when it is answered, or 2 ms later

Tasks take turns, step by step, each until it awaits something. A call needs several turns itself, and would
wait for steps of other tasks before each. Here it waits for the one that runs when it arrives.
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
    """Of what cannot wait, over all else. `taken` counts what is under way of it: whoever begins such work
    adds one, and takes it away at the end."""

    def __init__(self) -> None:
        self.taken = 0

    async def let_pass(self, work: _Work[_T]) -> _T:
        """Do `work`, each step of it when nothing is under way that cannot wait; and so all tasks that it
        starts, where `spread` was called. A step is never cut in two: work that computes for long sleeps
        (0) now and then."""
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
        """The event loop hears of new calls before it goes on with tasks: none is overlooked."""
        yield future
        yield from self._passed()

    def _passed(self) -> Generator[None]:
        until = monotonic() + _PATIENCE if self.taken else 0.0
        while self.taken and monotonic() < until:
            yield

    @staticmethod
    def _caught(waiting: Generator[Any]) -> Generator[Any, None, BaseException | None]:
        """A cancellation, or what became of a future, is the work's own affair."""
        try:
            yield from waiting
        except BaseException as error:  # noqa: BLE001 (it is raised where the work waits)
            return error
        return None


_given: ContextVar[RightOfWay | None] = ContextVar("right_of_way", default=None)


def spread() -> None:
    """From now on, on the running event loop, whatever lets pass starts no task that does not."""
    asyncio.get_running_loop().set_task_factory(_task)


def fresh_context() -> Context:
    """A context that knows nothing of the current one but who goes first."""
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
