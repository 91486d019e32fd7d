"""The entry of scripts/bench: `python tests/benchmarks/run.py [NAME…] [--quick]` (suite.py says what there
is)."""

import sys
from pathlib import Path

sys.path.append(
    str(Path(__file__).parent.parent)
)  # `benchmarks` is a folder of the tests, no installed package

from benchmarks import suite

if __name__ == "__main__":
    sys.exit(suite.main())
