"""The queue library's queries, without those whose answer is known or asked for by nobody. Each change in the
queue wakes every worker to ask for jobs, and why there are none; a worker that runs as many as it may knows
that it gets none."""

from dataclasses import dataclass, field
from datetime import timedelta

from pgqueuer.models import Job, TracebackRecord
from pgqueuer.ports.repository import EntrypointExecutionParameter
from pgqueuer.queries import Queries
from pgqueuer.types import JOB_STATUS, JobId, QueueEntrypoint, QueueManagerId


@dataclass
class WorkerQueries(Queries):
    """The queries of one worker. It holds a job from when it is handed out until Postgres knows the
    outcome."""

    _held: set[JobId] = field(default_factory=set, init=False)
    _most: int | None = field(default=None, init=False)

    async def dequeue(
        self,
        batch_size: int,
        entrypoints: dict[QueueEntrypoint, EntrypointExecutionParameter],
        queue_manager_id: QueueManagerId,
        global_concurrency_limit: int | None,
        heartbeat_timeout: timedelta,
    ) -> list[Job]:
        self._most = global_concurrency_limit
        if self._is_full():
            return []
        jobs = await super().dequeue(
            batch_size, entrypoints, queue_manager_id, global_concurrency_limit, heartbeat_timeout
        )
        self._held.update(job.id for job in jobs)
        return jobs

    async def eligible_queued_work(self, entrypoints: list[QueueEntrypoint]) -> int:
        """Return a number above 0 when it is worth asking for jobs again soon."""
        return 1 if self._is_full() else await super().eligible_queued_work(entrypoints)

    async def log_jobs(self, job_status: list[tuple[Job, JOB_STATUS, TracebackRecord | None]]) -> None:
        await super().log_jobs(job_status)
        self._held.difference_update(job.id for job, _, _ in job_status)

    async def retry_job(self, job: Job, delay: timedelta, traceback_record: TracebackRecord | None) -> None:
        await super().retry_job(job, delay, traceback_record)
        self._held.discard(job.id)

    async def aggregate_logs(self) -> None:
        """Leave the log as it is. Every half minute the library would add up what is new in it, reading a
        week's log twice to find that and writing it anew, into a table that nobody reads and nothing
        prunes."""

    def _is_full(self) -> bool:
        return self._most is not None and len(self._held) >= self._most
