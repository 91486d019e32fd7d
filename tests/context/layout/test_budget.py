"""Fitting into budgets: nothing is over, nothing is lost without need, and what is lost is recorded."""

from collections.abc import Callable, Sequence

from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from voice_server.context.layout import budget, tokens
from voice_server.context.layout.budget import (
    CAP_RULE,
    ELLIPSIS,
    GIVES_WAY,
    LIMIT_RULE,
    Content,
    FittedSection,
    Item,
    Section,
    dropped,
    fit_all,
    sentences,
    trim,
)
from voice_server.domain.agent import Budget

count = tokens.counter()

_WORDS = (
    "Ada asked the recipe … Übung 日本語でも大丈夫です。はい。 👋🏽 plum-cake! "
    "walnuts? x. e.g. ไทยภาษา 3.5 \n"
).split(" ")
prose = st.lists(st.sampled_from(_WORDS) | st.text(max_size=8), max_size=40).map(" ".join)
line = st.lists(st.sampled_from(_WORDS), min_size=1, max_size=12).map(" ".join)


def within(limit: int) -> Callable[[str], bool]:
    return lambda text: not text or count(text) <= limit


def section(name: str, *contents: Content, target: int = 30, cap: int = 60, shares: str = "") -> Section:
    """A section that shows everything it keeps, between markers."""

    def render(_variant: int, content: Content) -> str:
        lines = [content.prose, *(f"- {item.text}" for item in content.items)]
        return "\n".join([f"[{name.upper()}]", *filter(None, lines), f"[/{name.upper()}]"]) if content else ""

    return Section(name, render, contents, Budget(target, cap), shares)


def fixed(name: str, text: str) -> Section:
    return Section(name, lambda _variant, _content: text, (Content(),))


def items(*texts: str) -> tuple[Item, ...]:
    return tuple(Item(text, f"row/{n}") for n, text in enumerate(texts))


SHARES = {"inner_life": "open_threads"}
budgets = st.tuples(st.integers(0, 40), st.integers(0, 120))
contents = st.builds(
    Content, prose=prose | st.just(""), items=st.lists(line, max_size=6).map(lambda texts: items(*texts))
)


@st.composite
def stacks(draw: st.DrawFn) -> list[Section]:
    """Persona, what gives way, and style, in an order of injection and with budgets of all sizes."""
    names = draw(st.permutations(GIVES_WAY))[: draw(st.integers(1, 5))]
    shared = draw(budgets)
    middle = [
        section(
            name, *draw(st.lists(contents, min_size=1, max_size=3)), target=target, cap=cap, shares=shares
        )
        for name in names
        for shares in [SHARES.get(name, "")]
        for target, cap in [shared if shares or name in SHARES.values() else draw(budgets)]
    ]
    return [fixed("persona", "Be kind."), *middle, fixed("response_style", "Be brief.")]


def in_turn(stack: Sequence[Section]) -> list[str]:
    """The names of the sections in the order in which they give way: of two that share, the later one
    first."""
    names = [one.name for one in stack if one.budget]
    firsts = {name: SHARES[name] if SHARES.get(name) in names else name for name in names}
    return sorted(names, key=lambda name: (GIVES_WAY.index(firsts[name]), name == firsts[name]))


def joined(fitted: Sequence[FittedSection], variant: int = 0) -> str:
    texts = [one.texts[min(variant, len(one.texts) - 1)] for one in fitted]
    return "\n\n".join(text for text in texts if text)


def kept(fitted: Sequence[FittedSection]) -> dict[str, tuple[Content, ...]]:
    return {one.section.name: one.kept for one in fitted}


# -- trim


@given(prose, st.integers(0, 80))
def test_trimmed_prose_is_within_its_budget_down_to_nothing(text: str, limit: int) -> None:
    assert within(limit)(trim(text, within(limit)))


@given(prose, st.integers(0, 80))
def test_trimming_twice_changes_nothing_more(text: str, limit: int) -> None:
    once = trim(text, within(limit))

    assert trim(once, within(limit)) == once


@given(prose)
def test_prose_that_fits_is_left_untouched(text: str) -> None:
    assert trim(text, within(count(text))) == text


@given(prose, st.integers(0, 80))
def test_trimmed_prose_is_a_prefix_and_a_mark(text: str, limit: int) -> None:
    trimmed = trim(text, within(limit))

    assert trimmed in ("", text) or (
        trimmed.endswith(ELLIPSIS) and text.startswith(trimmed.removesuffix(ELLIPSIS))
    )


@given(prose, st.integers(0, 80), st.integers(0, 20))
def test_more_budget_never_gives_less_prose(text: str, limit: int, more: int) -> None:
    assert len(trim(text, within(limit))) <= len(trim(text, within(limit + more))) + len(ELLIPSIS)


def test_prose_is_cut_at_a_sentence_end() -> None:
    assert trim("Ada called. She was glad. She rang off.", within(9)) == "Ada called. She was glad.…"


def test_prose_whose_first_sentence_is_too_long_is_cut_at_a_word_end() -> None:
    assert trim("Ada called about the plum cake recipe", within(5)) == "Ada called about the…"


def test_prose_written_without_spaces_is_cut_all_the_same() -> None:
    text = "アダさんは電話しました。とても元気でした。また電話します。"

    assert trim(text, within(count(text) - 1)) == "アダさんは電話しました。とても元気でした。…"
    assert trim(text, within(4)).endswith(ELLIPSIS)


def test_a_number_is_not_the_end_of_a_sentence() -> None:
    assert sentences("It costs 3.50 today. Fine!") == ["It costs 3.50 today.", " Fine!"]


# -- fit_all


@given(stacks(), st.integers(0, 400))
def test_the_joined_prompt_is_within_the_limit_whenever_what_is_never_cut_fits(
    stack: list[Section], limit: int
) -> None:
    uncut = sum(count(text + "\n\n") for text in ("Be kind.", "Be brief."))

    fitted = fit_all(stack, limit, count)

    assert all(count(joined(fitted, variant)) <= max(limit, uncut) for variant in range(3))


@given(stacks())
def test_the_joined_prompt_is_never_more_than_the_sum_of_its_sections(stack: list[Section]) -> None:
    fitted = fit_all(stack, 10_000, count)

    assert count(joined(fitted)) <= sum(one.tokens for one in fitted)


@given(stacks(), st.integers(0, 400))
def test_every_section_is_within_its_cap(stack: list[Section], limit: int) -> None:
    for one in fit_all(stack, limit, count):
        assert one.section.budget is None or one.tokens <= one.section.budget.cap


@given(stacks(), st.integers(0, 400))
def test_what_shares_a_budget_is_within_its_cap_together(stack: list[Section], limit: int) -> None:
    fitted = [one for one in fit_all(stack, limit, count) if one.section.name in {*SHARES, *SHARES.values()}]

    assert all(
        sum(one.tokens for one in fitted) <= one.section.budget.cap for one in fitted if one.section.budget
    )


@given(stacks(), st.integers(0, 400))
def test_once_something_did_not_fit_nothing_of_what_shares_the_budget_is_kept(
    stack: list[Section], limit: int
) -> None:
    fitted = {one.section.name: one for one in fit_all(stack, limit, count)}

    for later, first in SHARES.items():
        if {later, first} <= fitted.keys() and fitted[first].kept != fitted[first].section.variants:
            assert not any(fitted[later].kept)


@given(stacks(), st.integers(0, 400), st.integers(0, 60))
def test_larger_budgets_never_lose_an_item(stack: list[Section], limit: int, more: int) -> None:
    roomy = [
        replace(one, budget=Budget(one.budget.target, one.budget.cap + more)) if one.budget else one
        for one in stack
    ]
    small, large = fit_all(stack, 10_000 + limit, count), fit_all(roomy, 10_000 + limit, count)

    for less, rest in zip(small, large, strict=True):
        for had, has in zip(less.kept, rest.kept, strict=True):
            assert len(had.items) <= len(has.items)
            assert len(had.prose) <= len(has.prose) + len(ELLIPSIS)


@given(stacks(), st.integers(0, 400), contents)
def test_what_the_later_of_two_that_share_says_never_changes_the_first(
    stack: list[Section], limit: int, other: Content
) -> None:
    changed = [replace(one, variants=(other,)) if one.name in SHARES else one for one in stack]

    before, after = kept(fit_all(stack, 10_000 + limit, count)), kept(fit_all(changed, 10_000 + limit, count))

    assert [before.get(first) for first in SHARES.values()] == [after.get(first) for first in SHARES.values()]


@given(stacks(), st.integers(0, 400))
def test_what_is_kept_is_a_prefix_of_what_was_wanted(stack: list[Section], limit: int) -> None:
    for one in fit_all(stack, limit, count):
        for had, wanted in zip(one.kept, one.section.variants, strict=True):
            assert had.items == wanted.items[: len(had.items)]
            assert not had.items or had.prose == wanted.prose


@given(stacks(), st.integers(0, 400), st.integers(0, 100))
def test_a_larger_limit_never_loses_a_section_or_an_item(stack: list[Section], limit: int, more: int) -> None:
    small, large = fit_all(stack, limit, count), fit_all(stack, limit + more, count)

    for less, rest in zip(small, large, strict=True):
        for had, has in zip(less.kept, rest.kept, strict=True):
            assert len(had.items) <= len(has.items)
            assert len(had.prose) <= len(has.prose) + len(ELLIPSIS)


@given(stacks(), st.integers(0, 400), contents)
def test_what_a_lower_section_says_never_changes_which_higher_ones_stay(
    stack: list[Section], limit: int, other: Content
) -> None:
    names = in_turn(stack)
    lowest = names[0]
    changed = [section(lowest, other, shares=one.shares) if one.name == lowest else one for one in stack]

    before, after = kept(fit_all(stack, limit, count)), kept(fit_all(changed, limit, count))

    assert {name: before[name] for name in names if name != lowest} == {
        name: after[name] for name in names if name != lowest
    }


@given(stacks(), st.integers(0, 400))
def test_sections_give_way_in_their_order(stack: list[Section], limit: int) -> None:
    fitted = {one.section.name: one for one in fit_all(stack, limit, count)}
    present = [fitted[name] for name in in_turn(stack)]
    touched = [n for n, one in enumerate(present) if one.kept != one.capped]

    for n in range(max(touched, default=0)):
        assert not any(present[n].kept)


@given(stacks(), st.integers(0, 400))
def test_the_dropped_and_the_kept_together_are_what_was_wanted(stack: list[Section], limit: int) -> None:
    fitted = fit_all(stack, limit, count)

    reported = dropped(fitted, count)

    for one in fitted:
        wanted, had = one.section.variants[0], one.kept[0]
        missing = {drop.item for drop in reported if drop.section == one.section.name and drop.item}
        assert missing == {item.source for item in wanted.items[len(had.items) :]}
        cut = [drop for drop in reported if drop.section == one.section.name and not drop.item]
        assert bool(cut) == (had.prose != wanted.prose)


def test_sections_are_cut_to_their_target_before_anything_of_the_next_is_touched() -> None:
    stack = [
        section("today_so_far", Content(items=items(*["tea and cake " * 3] * 6)), target=30, cap=100),
        section("last_time", Content(items=items(*["plum and pear " * 3] * 6)), target=30, cap=100),
    ]
    whole = sum(one.tokens for one in fit_all(stack, 1000, count))

    today, last = fit_all(stack, whole - 1, count)

    assert today.kept == today.section.variants
    assert 0 < last.tokens <= 30


def test_items_are_kept_until_the_first_that_does_not_fit() -> None:
    long, short = "a very long line indeed " * 20, "short"

    (fitted,) = fit_all([section("open_threads", Content(items=items(short, long, short)))], 1000, count)

    assert fitted.kept[0].items == items(short)


def test_the_report_names_the_rule_that_dropped_each_thing() -> None:
    threads = Content(items=items(*["tea and cake " * 3] * 9))
    stack = [fixed("persona", "Be kind."), section("open_threads", threads, target=20, cap=60)]
    (_, capped) = fit_all(stack, 1000, count)

    reported = dropped(fit_all(stack, 40, count), count)

    by_rule = [drop.rule for drop in reported]
    assert by_rule == [CAP_RULE] * (9 - len(capped.kept[0].items)) + [LIMIT_RULE] * (
        len(by_rule) - 9 + len(capped.kept[0].items)
    )
    assert set(by_rule) == {CAP_RULE, LIMIT_RULE}


def test_what_is_never_cut_stays_above_the_limit() -> None:
    fitted = fit_all([fixed("persona", "Be kind, be brief, be there.")], 1, count)

    assert fitted[0].texts == ("Be kind, be brief, be there.",)


def test_the_largest_variant_counts() -> None:
    (fitted,) = fit_all(
        [section("today_so_far", Content("short"), Content("much longer than that"))], 99, count
    )

    assert fitted.tokens == max(count(f"{text}{budget.SEPARATOR}") for text in fitted.texts)
