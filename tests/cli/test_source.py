"""Every kind of bad input gets one clear line, on stderr, and exit code 2, whichever command reads
it."""

from __future__ import annotations

import os

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


def test_a_directory_is_not_a_program(refused, tmp_path):
    assert refused(tmp_path) == f"fumehood: {tmp_path}: is a directory, not a file"


def test_an_empty_path_is_no_file(refused):
    assert refused("") == "fumehood: : no such file"


@pytest.mark.skipif(os.geteuid() == 0, reason="root may read every file")
def test_an_unreadable_file_is_named(refused, program):
    path = program("1")
    path.chmod(0)
    assert refused(path) == f"fumehood: {path}: permission denied"


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


def test_bytes_that_are_not_utf8_are_found_on_standard_input_too(refused):
    assert refused("-", stdin=b"\xff\xfe") == "fumehood: <stdin>: not UTF-8: byte 0xff at offset 0"


def test_an_encoding_line_does_not_change_that_sources_are_utf8(refused, program):
    path = program(b"# coding: latin-1\nname = '\xe9'\n")
    assert refused(path).endswith("not UTF-8: byte 0xe9 at offset 26")


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


def test_an_endless_file_is_not_read_to_its_end(refused):
    assert "longer than the limit" in refused("/dev/zero")


def test_the_limit_counts_characters_and_not_bytes(fumehood_here, program):
    most = "#" + "é" * (LONGEST_SOURCE - 1)
    assert fumehood_here("check", program(most)).returncode == 0
    assert "longer than the limit" in fumehood_here("check", program(most + "é")).stderr


def test_a_syntax_error_is_given_with_its_place(refused, program):
    path = program("x = 1\nif x\n    pass\n")
    assert refused(path) == f"fumehood: {path}:2:5: syntax error: expected ':'"


def test_a_syntax_error_on_standard_input_is_given_with_its_place(refused):
    assert refused("-", stdin="def f(:\n") == "fumehood: <stdin>:1:7: syntax error: invalid syntax"


def test_code_that_parses_and_cannot_be_compiled_is_a_syntax_error_too(refused):
    assert (
        refused("-", stdin="x = 1\nreturn x\n")
        == "fumehood: <stdin>:2:1: syntax error: 'return' outside function"
    )


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


def test_a_byte_order_mark_is_no_part_of_the_program(fumehood, program):
    done = fumehood("run", "--inline", program(b"\xef\xbb\xbfprint('hello')\n"))
    assert (done.returncode, done.stdout) == (0, "hello\n")


def test_windows_line_ends_are_line_ends(fumehood, program):
    done = fumehood("run", "--inline", program(b"if True:\r\n    print('hello')\r\n"))
    assert (done.returncode, done.stdout) == (0, "hello\n")


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
