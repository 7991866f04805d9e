"""Every kind of bad input gets one clear line, on stderr, and exit code 2, whichever command reads
it."""

from __future__ import annotations

import pytest

from fumehood.cli.source import LONGEST_SOURCE, syntax_problem


@pytest.fixture(params=[pytest.param("run", marks=pytest.mark.extended), "check"])
def refused(request, fumehood, fumehood_here):
    """Runs a command on bad input and gives the one line it says."""

    def call(*arguments, **options):
        if request.param == "run":
            done = fumehood("run", "--inline", *arguments, **options)
        else:
            done = fumehood_here("check", *arguments, **options)
        assert done.returncode == 2, done
        assert done.stdout == ""
        assert done.stderr.startswith("fumehood: ")
        assert done.stderr.count("\n") == 1, done.stderr
        return done.stderr.rstrip("\n")

    return call


def test_a_missing_file_is_named(refused):
    assert refused("absent.py") == "fumehood: absent.py: no such file"


def test_a_missing_permission_is_reported_as_such(monkeypatch, capsys):
    import typer

    from fumehood.cli import source

    def refuse(path):
        raise PermissionError(13, "Permission denied", path)

    monkeypatch.setattr(source, "_read_bytes", refuse)
    with pytest.raises(typer.Exit) as left:
        source.read_source("secret.py")
    assert left.value.exit_code == 2
    assert capsys.readouterr().err == "fumehood: secret.py: permission denied\n"


def test_a_path_that_is_too_long_for_the_system_is_one_line(refused):
    assert "cannot be read: File name too long" in refused("x" * 5000)


def test_escape_sequences_in_a_path_do_not_reach_the_terminal(refused):
    assert refused("\x1b[31mred\x1b[0m\x07.py") == "fumehood: red.py: no such file"


def test_bytes_that_are_not_utf8_are_named_with_their_offset(refused, program):
    path = program(b"price = '\xa4'\n")
    assert refused(path) == f"fumehood: {path}: not UTF-8: byte 0xa4 at offset 9"


def test_nul_bytes_are_named_with_their_offset(refused, program):
    path = program("x = 1\0\n")
    assert (
        refused(path)
        == f"fumehood: {path}: contains a NUL byte at offset 5: this is not Python source"
    )


def test_ten_megabytes_are_too_much(refused, program):
    path = program(b"x = 1\n" * (10_000_000 // 6))
    assert (
        refused(path)
        == f"fumehood: {path}: longer than the limit of {LONGEST_SOURCE:,} characters for one"
        " program"
    )


def test_a_syntax_error_is_given_with_its_place(refused, program):
    path = program("x = 1\nif x\n    pass\n")
    assert refused(path) == f"fumehood: {path}:2:5: syntax error: expected ':'"


@pytest.mark.parametrize(
    "nested",
    [
        pytest.param("(" * 5000 + ")" * 5000, id="parentheses"),
        pytest.param("-" * 100_000 + "1", id="signs"),
        pytest.param("not " * 100_000 + "x", id="negations"),
        pytest.param("1" + "+1" * 200_000, id="sums"),
        pytest.param("a" + ".b" * 200_000, id="attributes"),
        pytest.param("a" + "()" * 200_000, id="calls"),
        pytest.param("lambda: " * 50_000 + "1", id="lambdas"),
        pytest.param("if a: pass\n" + "elif b: pass\n" * 50_000, id="branches"),
        pytest.param(
            "\n".join(" " * depth + "if 1:" for depth in range(500)) + "\n" + " " * 500 + "pass",
            id="blocks",
        ),
        pytest.param("2 ** " * 50_000 + "2", id="powers"),
        pytest.param("[x for x in " * 5000 + "y" + "]" * 5000, id="comprehensions"),
    ],
)
def test_deep_nesting_is_one_line(refused, program, nested):
    assert "nested too deeply for Python's parser" in refused(program(nested))


@pytest.mark.parametrize(
    "text", ["", "\n", "# nothing\n", "x = 1", "await thing()", "async with a: pass", "'\\d'"]
)
def test_programs_that_parse_have_no_problem(text):
    assert syntax_problem(text) is None


def test_a_closed_standard_input_is_one_line(fumehood, tmp_path):
    import subprocess
    import sys

    done = subprocess.run(
        ["/bin/sh", "-c", f"exec {sys.executable} -m fumehood.cli check - <&-"],
        capture_output=True,
        text=True,
        cwd=tmp_path,
        check=False,
    )
    assert done.returncode == 2
    assert done.stderr == "fumehood: <stdin>: cannot be read: standard input is closed\n"
