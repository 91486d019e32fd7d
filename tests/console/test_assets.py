"""What pages load beside themselves."""

import hashlib
import re
import tomllib
from importlib import resources

from console.conftest import Browser

STATIC = resources.files("voice_server.console").joinpath("static")


def test_what_is_not_ours_is_as_its_package_has_it() -> None:
    vendor = STATIC.joinpath("vendor")
    listed = tomllib.loads(vendor.joinpath("VENDORED.toml").read_text("utf-8"))["files"]

    there = {one.name for one in vendor.iterdir() if one.name != "VENDORED.toml"}
    assert there == listed.keys()
    for name, (_, expected) in listed.items():
        assert hashlib.sha256(vendor.joinpath(name).read_bytes()).hexdigest() == expected, name


def test_a_browser_keeps_what_changes_its_address_when_it_changes(browser: Browser) -> None:
    paths = re.findall(r'(?:href|src)="/console(/static/[^"]+)"', browser.page())

    assert len(paths) == 4
    for path in paths:
        asset = browser.get(path)
        assert "immutable" in asset.headers["cache-control"], path
        assert browser.get(path.partition("?")[0]).headers["cache-control"] == "no-store", path


def test_no_sign_on_a_page_needs_a_font_that_has_it() -> None:
    ours = resources.files("voice_server.console")
    written = [*ours.joinpath("templates").iterdir(), STATIC.joinpath("console.css")]

    signs = {one for file in written for one in file.read_text("utf-8") if ord(one) > 0xFF}

    assert signs <= set("–’…‹›−")


def test_the_stylesheet_is_small() -> None:
    assert len(STATIC.joinpath("console.css").read_bytes()) < 12_000


def test_what_is_no_asset_is_not_there(browser: Browser) -> None:
    for name in ("../templates/_page.html", "vendor/VENDORED.toml", "nothing.css"):
        assert browser.get(f"/static/{name}").status_code == 404, name
