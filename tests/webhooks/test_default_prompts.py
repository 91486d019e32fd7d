"""The prompts of callers nobody knows."""

from pathlib import Path

from voice_server.context.layout import tokens
from voice_server.templates.library import TemplateLibrary
from voice_server.webhooks.default_prompts import DefaultPrompts
from voice_server.webhooks.pre_call import Defaults


def test_of_two_edits_before_either_is_kept_both_are_to_be_kept(templates: Path) -> None:
    count = tokens.counter()
    library = TemplateLibrary(templates, limit=4100, count=count)
    rendered = DefaultPrompts(library, count, lambda: 1_790_000_000.0, limit=4100, timezone="UTC")
    defaults = Defaults(rendered.of(""))
    served = [defaults.fallback.version]

    for who in ("A robin.", "A wren."):
        (templates / "default" / "persona.jinja").write_text(f"# Who you are\n{who}")
        rendered.refresh(defaults, set())
        served.append(defaults.fallback.version)

    assert {version for _, version in rendered.unkept} == set(served)
    assert len(set(served)) == 3
