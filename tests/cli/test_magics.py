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


def test_of_two_snapshots_with_one_label_the_later_is_meant(session):
    answers, _errors = session(
        "x = 1", "%snapshot here", "x = 2", "%snapshot here", "x = 3", "%restore here", "x"
    )
    assert answers[-2:] == ["back at snapshot 2: here", "2"]


def test_without_a_name_the_last_snapshot_on_the_way_here_is_meant(session):
    answers, _errors = session(
        "x = 1", "%snapshot", "x = 2", "%snapshot", "%restore 1", "x = 3", "%restore", "x"
    )
    assert answers[-2:] == ["back at snapshot 1", "1"]


def test_a_snapshot_ahead_is_meant_when_there_is_none_behind(session):
    answers, _errors = session("x = 1", "%snapshot", "%undo", "%restore", "x")
    assert answers[-3:] == ["undone: x = 1", "back at snapshot 1", "1"]


def test_files_go_back_with_the_variables(session):
    lines = [
        "n = open('kept.txt', 'w').write('before')",
        "%snapshot",
        "n = open('kept.txt', 'w').write('!')",
        "%restore",
    ]
    answers, _errors = session(*lines, "open('kept.txt').read()", options=["--files"])
    assert answers[-1] == "'before'"


def test_a_discarded_snapshot_is_gone_and_the_others_stay(session):
    answers, errors = session(
        "x = 1", "%snapshot a", "%snapshot b", "%discard a", "%restore a", "%restore b", "%history"
    )
    assert answers[-4:] == [
        "discarded snapshot 1",
        "back at snapshot 2: b",
        "  2: b (after 1 cell)",
        "*   main, 1 cell",
    ]
    assert errors == ["fumehood: no snapshot 'a'; %history shows those there are"]


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


def test_only_the_last_cells_can_be_undone(session):
    answers, errors = session(
        "x = 0", *["x += 1"] * MOST_UNDONE, *["%undo"] * (MOST_UNDONE + 1), "x"
    )
    assert answers[-1] == "0"
    assert len(errors) == 1


def test_a_cell_that_raised_halfway_can_be_undone(session):
    answers, _errors = session("x = [1]", "x.append(2); 1 / 0", "%undo", "x")
    assert answers[-1] == "[1]"


def test_a_restore_can_be_undone(session):
    answers, _errors = session("x = 1", "%snapshot", "x = 2", "%restore", "%undo", "x")
    assert answers[-2:] == ["undone: %restore 1", "2"]


def test_a_cell_that_was_rolled_back_is_not_undone_again(session):
    lines = ["x = 1", "x = 2", "while True: x = 3", "", "%undo", "x"]
    answers, errors = session(*lines, options=["--timeout", "0.2"])
    assert answers == ["1", "2", "undone: x = 2", "1"]
    assert "\n".join(errors).count("as they were before") == 1


def test_a_crash_is_told_to_have_been_undone_once(session):
    answers, errors = session(
        "import ctypes", "x = 1", "ctypes.string_at(0)", "x", options=["--import", "ctypes"]
    )
    assert answers == ["1", "1"]
    assert "\n".join(errors).count("as they were before") == 1


def test_a_cell_of_many_lines_is_named_in_one(session):
    answers, _errors = session(
        "for letter in 'ab':", "    x = letter * 1_000_000", "    y = len(x)", "", "%undo"
    )
    assert len(answers) == 2
    assert answers[-1].startswith("undone: for letter in 'ab': x = letter")
    assert len(answers[-1]) < 100


def test_undoing_makes_way_for_snapshots_and_the_limit_is_one_line(session):
    room = Limits().branches
    answers, errors = session(*["0"] * MOST_UNDONE, *["%snapshot"] * room, "1 + 1", "%undo")
    assert answers[-1] == "2"
    assert answers.count("0") == MOST_UNDONE
    made = sum(line.startswith("snapshot ") for line in answers)
    assert room - 4 <= made < room
    assert all(f"there are {made} snapshots already" in line for line in errors)


@pytest.mark.parametrize(
    ("memory", "fewest", "most"), [("2G", MOST_UNDONE, MOST_UNDONE), ("64M", 1, 2)]
)
def test_of_large_variables_fewer_cells_can_be_undone_so_that_their_memory_is_left_to_cells(
    session, memory, fewest, most
):
    """A sandbox has its limit for all its processes together, and each of these would hold all of
    the variable."""
    lines = [
        "large = bytearray(24_000_000); None",
        *["large.reverse()"] * (MOST_UNDONE + 1),
        "%history all",
        "%undo",
    ]
    answers, errors = session(*lines, options=["--memory", memory])
    assert (
        fewest <= sum(line.strip().startswith("before large.reverse()") for line in answers) <= most
    )
    assert answers[-1] == "undone: large.reverse()"
    assert errors == []


def test_a_second_interrupt_ends_the_process_and_not_the_variables(prompt, capsys, monkeypatch):
    prompt.talking = True
    prompt.take("x = 1")

    def press_twice(text):
        signal.raise_signal(signal.SIGINT)
        signal.raise_signal(signal.SIGINT)

    monkeypatch.setattr(prompt.executor._worker, "on_output", press_twice)
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


def test_the_prompt_says_which_branch_it_is_on(prompt):
    assert prompt.prompt() == ">>> "
    prompt.take("%fork faster")
    assert prompt.prompt() == "faster >>> "
    prompt.take("if True:")
    assert prompt.prompt() == "faster ... "


def test_a_branch_can_go_to_a_snapshot_of_another(session):
    answers, _errors = session(
        "x = 1", "%fork", "x = 2", "%snapshot", "%switch main", "%restore 1", "x"
    )
    assert answers[-2:] == ["back at snapshot 1", "2"]


def test_what_came_before_the_fork_can_be_undone_on_both(session):
    answers, _errors = session(
        "x = 1", "x = 2", "%fork", "%undo", "x", "%switch main", "x", "%undo", "%undo", "x"
    )
    assert answers[3:] == ["undone: x = 2", "1", "on main", "2", "undone: x", "undone: x = 2", "1"]


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


def test_the_first_branch_can_be_discarded_too(session):
    answers, errors = session("x = 1", "%fork", "%discard main", "x", "%fork main", "x")
    assert answers[-2:] == ["on main, a fork of fork1", "1"]
    assert errors == []


def test_reset_begins_a_new_tree(session):
    answers, errors = session("x = 1", "%snapshot", "%fork", "%reset", "%history", "%undo", "%who")
    assert answers[-1] == "* main, 0 cells"
    assert len(errors) == 1


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


def test_what_undo_goes_back_to_is_shown_only_when_asked_for(session):
    answers, _errors = session("x = 1", "%history", "%history all")
    assert answers[1:] == ["* main, 1 cell", "  before x = 1 (after 0 cells)", "*   main, 1 cell"]


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


def test_help_tells_every_command(session):
    answers, _errors = session("%help")
    for name, command in COMMANDS.items():
        assert any(
            line.startswith(f"{name} {command.takes}") and line.endswith(command.says)
            for line in answers
        )
