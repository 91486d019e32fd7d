"""The browser that the tests and the screenshots drive: one that the machine has, or the one that
`browser.download` has put into .venv."""

import os
import re
import shutil
from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).parent.parent.parent
VERSION = "153.0.0"  # of the package that is downloaded
FOLDER = ROOT / ".venv" / "browser" / VERSION
FLAGS = ("--disable-gpu", "--disable-quic", "--disable-sync")
WHAT_TO_DO = (
    "there is no browser: install Chromium or Chrome, name one in BROWSER, or, on Linux x86_64 with npm, "
    "run scripts/test without arguments, which downloads one"
)
_COMMANDS = (
    "chromium-headless-shell",
    "chromium",
    "chromium-browser",
    "google-chrome",
    "google-chrome-stable",
)
_APPLICATIONS = (
    "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
    "/Applications/Chromium.app/Contents/MacOS/Chromium",
)
# What desktops and editors set BROWSER to is often another browser, or a script of theirs.
_DRIVEABLE = re.compile(r"chrom|edge", re.IGNORECASE)


class Executable(NamedTuple):
    """`environment` is what it needs to be told beside what it inherits."""

    path: str
    environment: Mapping[str, str]


def find() -> Executable | None:
    named = os.environ.get("BROWSER", "")
    wanted = (named,) if _DRIVEABLE.search(named) else ()
    for name in (*wanted, *_COMMANDS, *_APPLICATIONS):
        if path := shutil.which(name):
            return Executable(path, {})
    return downloaded(FOLDER) if (FOLDER / "chromium").is_file() else None


def downloaded(folder: Path) -> Executable:
    """It brings the libraries and the fonts that a small machine lacks."""
    told = {"LD_LIBRARY_PATH": str(folder / "lib"), "FONTCONFIG_FILE": str(folder / "fonts.conf")}
    return Executable(str(folder / "chromium"), told)
