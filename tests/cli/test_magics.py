"""The commands of `fumehood repl` that go back and forth: %snapshot, %restore, %undo, %fork and
their kin."""

from __future__ import annotations

import signal

import pytest

from fumehood.cli.magics import COMMANDS, LONGEST_LABEL, MOST_UNDONE
from fumehood.cli.options import Place
from fumehood.cli.repl import Prompt
from fumehood.policy import Limits


@pytest.fixture
def session(jail, fumehood_here):
    """Types lines into a jailed session; gives what was answered, and on stderr."""

    def call(*lines, options=()):
        done = fumehood_here("repl", *options, stdin="".join(f"{line}\n" for line in lines))
        assert done.returncode == 0
        return done.stdout.splitlines(), done.stderr.splitlines()

    return call


@pytest.fixture
def prompt(jail, capsys):
    """The same, for looking inside between the lines."""
    with Prompt(Place()) as opened:
        yield opened


# -- snapshots


def test_a_snapshot_can_be_gone_back_to_again_and_again(session):
    answers, errors = session(
        "x = [1]", "%snapshot", "x.append(2)", "%restore", "x", "x.append(3)", "%restore", "x"
    )
    assert answers == [
        "[1]",
        "snapshot 1",
        "back at snapshot 1",
        "[1]",
        "back at snapshot 1",
        "[1]",
    ]
    assert errors == []


def test_a_snapshot_is_found_by_number_and_by_label(session):
    lines = [
        "x = 1",
        "%snapshot first one",
        "x = 2",
        "%snapshot",
        "x = 3",
        "%restore 2",
        "x",
        "%restore first  one",
        "x",
    ]
    answers, errors = session(*lines)
    assert answers[-4:] == ["back at snapshot 2", "2", "back at snapshot 1: first one", "1"]
    assert errors == []


def test_files_go_back_with_the_variables(session):
    lines = [
        "n = open('kept.txt', 'w').write('before')",
        "%snapshot",
        "n = open('kept.txt', 'w').write('!')",
        "%restore",
    ]
    answers, _errors = session(*lines, "open('kept.txt').read()", options=["--files"])
    assert answers[-1] == "'before'"


def test_a_snapshot_whose_process_was_killed_is_told_as_gone(prompt, capsys):
    prompt.take("%snapshot\nx = 1")
    prompt.magics.tree.marks[0].snapshot.discard()
    prompt.take("%restore\nx\n%history")
    shown = capsys.readouterr()
    assert shown.err.startswith("fumehood: snapshot 1 is gone")
    assert shown.out.splitlines()[1:] == [
        "1",
        "1",
        "  1 (after 0 cells, gone)",
        "*   main, 2 cells",
    ]


# -- undoing


def test_undo_goes_back_one_cell_at_a_time(session):
    answers, errors = session(
        "x = 1", "x += 1", "x += 2", "%undo", "%undo", "%who", "%undo", "%who", "%undo"
    )
    assert answers == ["1", "2", "4", "undone: x += 2", "undone: x += 1", "x  1", "undone: x = 1"]
    assert errors == [f"fumehood: nothing to undo; at most the last {MOST_UNDONE} cells can be"]


def test_undoing_makes_way_for_snapshots_and_the_limit_is_one_line(session):
    room = Limits().branches
    answers, errors = session(*["0"] * MOST_UNDONE, *["%snapshot"] * room, "1 + 1", "%undo")
    assert answers[-1] == "2"
    assert answers.count("0") == MOST_UNDONE
    made = sum(line.startswith("snapshot ") for line in answers)
    assert room - 4 <= made < room
    assert all(f"there are {made} snapshots already" in line for line in errors)


def test_a_second_interrupt_ends_the_process_and_not_the_variables(prompt, capsys, monkeypatch):
    prompt.talking = True
    prompt.take("x = 1")

    def press_twice(text):
        signal.raise_signal(signal.SIGINT)
        signal.raise_signal(signal.SIGINT)

    monkeypatch.setattr(prompt.executor._session, "on_output", press_twice)
    with pytest.raises(KeyboardInterrupt):
        prompt.take("for x in iter(int, 1): print('running')\n")
    monkeypatch.undo()
    assert (
        capsys.readouterr().err
        == "fumehood: the cell's process was ended; the variables are as they were before it\n"
    )
    prompt.take("x + 1")
    assert capsys.readouterr().out == "2\n"


# -- branches


def test_a_fork_begins_here_and_changes_nothing_there(session):
    lines = [
        "x = [1]",
        "%fork",
        "x.append(2)",
        "%switch main",
        "x",
        "%switch fork1",
        "x",
        "%branches",
    ]
    answers, errors = session(*lines)
    assert answers == [
        "[1]",
        "on fork1, a fork of main",
        "on main",
        "[1]",
        "on fork1",
        "[1, 2]",
        "  main, 2 cells",
        "* fork1, 3 cells",
    ]
    assert errors == []


def test_a_discarded_branch_takes_its_snapshots_along(session):
    lines = [
        "%fork",
        "x = 1",
        "%snapshot s",
        "%switch main",
        "%discard fork1",
        "%history",
        "%switch fork1",
        "%restore s",
    ]
    answers, errors = session(*lines)
    assert answers[-2:] == ["discarded branch fork1", "* main, 0 cells"]
    assert errors == [
        "fumehood: no branch 'fork1'; there is main",
        "fumehood: there is no snapshot yet; %snapshot makes one",
    ]


# -- the tree


def test_history_is_a_tree_with_the_branches_where_they_have_got_to(session):
    lines = [
        "x = 1",
        "%snapshot base",
        "x = 2",
        "%snapshot",
        "%restore base",
        "%fork other",
        "x = 3",
        "%snapshot third",
    ]
    answers, _errors = session(*lines, "%history")
    assert answers[-5:] == [
        "  1: base (after 1 cell)",
        "    2 (after 2 cells)",
        "    3: third (after 2 cells)",
        "*     other, 2 cells",
        "    main, 1 cell",
    ]


# -- misuse

MISUSED = {
    "%restore": "there is no snapshot yet",
    "%restore 7": "there is no snapshot yet",
    "%undo": "nothing to undo",
    "%undo 2": "%undo takes nothing, and was given '2'",
    "%switch": "%switch takes NAME",
    "%switch nowhere": "no branch 'nowhere'; there is main",
    "%fork main": "there is a branch 'main' already",
    "%fork two words": "a branch has a name such as",
    "%fork \x1b[2J": "a branch has a name such as",
    "%snapshot 12": "a label cannot be a number",
    f"%snapshot {'x' * (LONGEST_LABEL + 1)}": f"a label has at most {LONGEST_LABEL} characters",
    "%history everything": "%history takes 'all' or nothing",
    "%discard": "%discard takes WHAT",
    "%discard main": "the prompt is on main",
    "%discard 1": "there is no snapshot yet",
    "%snap": "no command '%snap'; there are ",
    "%": "no command '%'; there are ",
}


def test_misuse_is_one_line_that_says_what_is_wrong(session):
    answers, errors = session(*MISUSED, "1 + 1")
    assert answers == ["2"]
    assert len(errors) == len(MISUSED)
    for line, expected in zip(errors, MISUSED.values(), strict=True):
        assert line.startswith(f"fumehood: {expected}")
        assert "\x1b" not in line


def test_inline_each_of_these_commands_is_one_line(fumehood_here):
    names = [name for name, command in COMMANDS.items() if command.branches]
    assert {"%snapshot", "%restore", "%undo", "%fork", "%history"} <= {*names}
    given = "".join(f"{name} {COMMANDS[name].takes and 'all'}\n" for name in names)
    done = fumehood_here("repl", "--inline", stdin=f"x = 1\n{given}x\n")
    assert (done.returncode, done.stdout) == (0, "1\n1\n")
    assert done.stderr == "".join(
        f"fumehood: {name} needs the jail; --inline has none\n" for name in names
    )


def test_a_label_cannot_do_anything_to_the_terminal(session):
    answers, _errors = session("%snapshot \x1b[2Jred\tand\x07 bold", "%history")
    assert answers == [
        "snapshot 1: red and bold",
        "  1: red and bold (after 0 cells)",
        "*   main, 0 cells",
    ]
