"""The benchmarks, all or those named:

pre_call     requests a second, CPU and latency against a bare server and a naive one
post_call    acknowledgement, CPU and memory with events of 60 KB and with 30 MB of audio
tools        a tool's round trip, and what it adds to the search
freshness    webhook answered → new prompt in Redis
burst        the same for others, while one user delivers many calls at once
backlog      calls that wait, worked off by one worker and by two; what a call leaves in Postgres
rebuild      prompts a second per worker core
context      a whole build of one prompt, for somebody with years of calls
chat         what a text agent is told, in a chat of a hundred thousand messages
search       how long a look-up takes among a million messages of others, and the indexing of a call
memory       Redis bytes per cached user
scale        what lists and periodic passes read among 10,000 people and 100,000 (--full: a million)
console      how long the console's pages take, and what calls notice of who looks (--full: a million
             conversations)
redis_line   our Redis client against redis-py
digest       the digest without a model: quality and speed
evidence     how much of what is asked later the prompt carries, on long dialogues (--dialogues)
recall       how much of what answers a question the search finds, on the same dialogues

Figures are printed beside their goals. A missed goal fails nothing; a server that fails does, and so does
`scale` when a figure that should be flat is not.
"""

import argparse
import os
import subprocess
import sys
import time
from pathlib import Path

from benchmarks import (
    backlog,
    burst,
    chat,
    console,
    context,
    freshness,
    post_call,
    pre_call,
    processes,
    rebuild,
    redis_memory,
    scale,
    search,
    tool_call,
)
from benchmarks.house import opened
from benchmarks.load import LoadError
from benchmarks.memory import evidence, recall
from benchmarks.processes import ProcessError

from voice_server.embedded.layout import EmbeddedError

_IN_A_HOUSE = {
    "pre_call": pre_call.run,
    "post_call": post_call.run,
    "tools": tool_call.run,
    "freshness": freshness.run,
    "backlog": backlog.run,
    "rebuild": rebuild.run,
    "context": context.run,
    "chat": chat.run,
    "search": search.run,
    "memory": redis_memory.run,
}
# Programs of their own, with the words that make them quick.
_PROGRAMS = {"redis_line": ["--requests", "1000", "--rounds", "3"], "digest": []}
_ON_DIALOGUES = {"evidence": evidence.run, "recall": recall.run}
_IN_HOUSES = {"burst": burst.run}
_GROWING = {"scale": scale.run, "console": console.run}
_NAMES = (*_IN_A_HOUSE, *_IN_HOUSES, *_GROWING, *_PROGRAMS, *_ON_DIALOGUES)


def main() -> int:
    """Run what the command line names; 1 when something failed."""
    options = _options()
    started = time.monotonic()
    if not sys.platform.startswith("linux"):
        print("the benchmarks read CPU and memory from /proc: they need Linux", file=sys.stderr)
        return 1
    processes.stand_aside()
    failures = [
        name
        for name in options.names or _NAMES
        if not _ran(name, options.dialogues, quick=options.quick, full=options.full)
    ]
    print(f"\n{time.monotonic() - started:.0f} s" + (f", failed: {', '.join(failures)}" if failures else ""))
    return 1 if failures else 0


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        prog="bench", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("names", nargs="*", metavar="NAME", choices=[*_NAMES, []], help="which ones; all")
    parser.add_argument("--quick", action="store_true", help="fewer and shorter rounds: a look, not a figure")
    parser.add_argument(
        "--full", action="store_true", help="scale, console: up to a million, which takes long"
    )
    given = os.environ.get("BENCH_DIALOGUES")
    parser.add_argument(
        "--dialogues",
        type=Path,
        default=given and Path(given),
        help="their file or folder; or BENCH_DIALOGUES",
    )
    return parser.parse_args()


def _ran(name: str, dialogues: Path | None, *, quick: bool, full: bool) -> bool:
    if name in _PROGRAMS:
        given = ["--dialogues", str(dialogues)] if name == "digest" and dialogues else []
        return _run_program(name, [*given, *(_PROGRAMS[name] if quick else [])])
    try:
        if name in _ON_DIALOGUES:
            _ON_DIALOGUES[name](dialogues, quick=quick)
        elif name in _IN_HOUSES:
            _IN_HOUSES[name](quick=quick)
        elif name in _GROWING:
            _GROWING[name](quick=quick, full=full)
        else:
            with opened() as house:
                _IN_A_HOUSE[name](house, quick=quick)
    except (LoadError, ProcessError, EmbeddedError) as error:
        print(f"{name}: {error}", file=sys.stderr)
        return False
    return True


def _run_program(name: str, words: list[str]) -> bool:
    print(f"\n{name}:", flush=True)
    program = Path(__file__).with_name(f"{name}.py")
    return subprocess.run([*processes.python(str(program)), *words], check=False).returncode == 0
