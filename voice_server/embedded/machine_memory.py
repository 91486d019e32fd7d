"""How much memory there is for Valkey."""

import os
from pathlib import Path

_SHARE, _LEAST = 4, 64  # a quarter of the machine's; MB
_MB = 1 << 20
_LIMITS = (  # of a container, as the two versions of the kernel's control groups tell it
    Path("/sys/fs/cgroup/memory.max"),
    Path("/sys/fs/cgroup/memory/memory.limit_in_bytes"),
)


def share_for_valkey() -> int:
    """Return a quarter of the memory of the machine, or of the container where that has less; in MB."""
    physical = os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
    return share_of(physical, [path.read_text() for path in _LIMITS if path.is_file()])


def share_of(physical: int, limits: list[str]) -> int:
    """Take limits of a container that are no numbers for none. `physical` is in bytes, the share in MB."""
    given = [int(limit) for limit in limits if limit.strip().isdecimal()]
    return max(_LEAST, min([physical, *given]) // _SHARE // _MB)
