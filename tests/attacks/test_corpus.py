"""The programs as data: their headers, their categories, and that no two are the same."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

from fumehood.attack.categories import CATEGORIES
from fumehood.attack.corpus import JAIL, LANGUAGE, PROGRAMS, SERVER, categories, names, read
from fumehood.executors.inline import REPORT

EVERY = [read(name) for name in names()]
PAGE = Path(__file__).parents[2] / "docs" / "security" / "attacks.md"

# There is nothing of the kind in a plain process: what is attacked is the host's end. That its
# judges notice is in test_judging.py.
ONLY_IN_FUMEHOOD = {"agent", "aftermath", "audit", "floods", "snapshots", "wire"}


def test_there_are_many_programs_and_every_part_stops_some() -> None:
    assert len(EVERY) >= 1000
    assert {program.language for program in EVERY} == {*LANGUAGE, None}
    assert {part for program in EVERY for part in program.jail} == JAIL.keys()
    assert {part for program in EVERY for part in program.server} == SERVER.keys()


def test_every_category_is_described_and_has_programs() -> None:
    assert sorted(CATEGORIES) == categories()
    assert all(len(names(category)) >= 5 for category in CATEGORIES)


def test_no_two_programs_are_the_same() -> None:
    sources = Counter(program.sessions for program in EVERY)
    aims = Counter((program.aim, program.fields["mechanism"]) for program in EVERY)
    assert [source for source, times in sources.items() if times > 1] == []
    assert [aim for aim, times in aims.items() if times > 1] == []


@pytest.mark.parametrize("category", [name for name in CATEGORIES if name not in ONLY_IN_FUMEHOOD])
def test_a_category_has_programs_that_are_shown_to_work_where_nothing_holds_them(
    category: str,
) -> None:
    shown = [name for name in names(category) if read(name).plain != "none"]
    assert shown


def test_most_programs_are_shown_to_work() -> None:
    assert sum(program.plain != "none" for program in EVERY) >= 800


def test_what_inline_isolation_does_not_stop_is_in_its_report() -> None:
    told = " ".join(REPORT.split())
    assert [program.name for program in EVERY if program.fields.get("limit", "") not in told] == []


def test_the_page_has_every_category_with_its_count() -> None:
    rows = [f"| {name} | {len(names(name))} | {about} |" for name, about in CATEGORIES.items()]
    text = PAGE.read_text(encoding="utf-8")
    assert [row for row in rows if row not in text] == []
    assert f"{len(EVERY):,} programs" in text
    assert (
        f"{sum('source' in program.fields for program in EVERY)} programs name the vulnerability"
        in text
    )


_OF_A_CLIENT: dict[str, str | None] = {
    **dict.fromkeys(("language", "reason", "jail", "expect")),
    "server": "gate",
    "plain": "naive",
}
_GOOD = {
    "aim": "x",
    "mechanism": "y",
    "language": "check",
    "reason": "z",
    "jail": "seccomp",
    "plain": "succeeds",
    "expect": "held",
}


@pytest.mark.parametrize(
    ("changes", "complaint"),
    [
        ({"plain": None}, "lacks plain"),
        ({"jail": "luck"}, "no such part of the jail"),
        ({"language": "luck"}, "no such part of the language"),
        ({"language": "nothing (why)"}, "a reason belongs to"),
        ({"expect": "nothing bad"}, "cannot be expected"),
        ({"plain": "none"}, "not a plain outcome"),
        ({"plain": "loot"}, "judges itself"),
        (
            {"luck": "x"},
            r", line \d+: not a header line: '# luck: x'; each is '# key: text', once, of aim, ",
        ),
        ({"limits": "luck=1"}, "no such limit"),
        ({"hosts": "martian"}, "no such host"),
        ({"server": "gate"}, "does not belong to a program of a client"),
        ({**_OF_A_CLIENT, "server": "luck"}, "no such part of the server"),
        ({**_OF_A_CLIENT, "plain": "succeeds"}, "not a plain outcome of a client's"),
        ({**_OF_A_CLIENT, "aim": None}, "lacks aim"),
    ],
)
def test_a_header_that_says_something_else_is_refused(
    changes: dict[str, str | None], complaint: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "group").mkdir()
    header = "".join(
        f"# {key}: {text}\n" for key, text in {**_GOOD, **changes}.items() if text is not None
    )
    (tmp_path / "group" / "attack.py").write_text(header + "1\n")
    monkeypatch.setattr(f"{read.__module__}.PROGRAMS", tmp_path)
    with pytest.raises(ValueError, match=complaint):
        read("group/attack")


def test_nothing_but_programs_and_their_words_is_in_the_folder() -> None:
    found = {
        path.relative_to(PROGRAMS).as_posix()
        for path in PROGRAMS.rglob("*")
        if path.is_file() and "__pycache__" not in path.parts
    }
    assert found == {f"{name}.py" for name in names()} | {"prelude.py", "guarded_words.py"}
