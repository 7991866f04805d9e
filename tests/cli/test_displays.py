"""Displays: a line each on the terminal, a file each in a directory, all of them in JSON."""

from __future__ import annotations

import os

import pytest
import typer

from fumehood.cli import displays

PNG = b"\x89PNG\r\n\x1a\n" + bytes(1000)


@pytest.mark.parametrize(
    ("bundle", "line"),
    [
        ({"text/plain": "'abc'"}, "'abc'"),
        ({"image/png": PNG}, "[image/png 1,008 bytes]"),
        ({"text/plain": "<Figure>", "image/png": PNG}, "[image/png 1,008 bytes] <Figure>"),
        ({"text/plain": "   a\n0  1", "text/html": "<table>"}, "[text/html 7 bytes]\n   a\n0  1"),
        ({"text/html": "é", "image/png": b""}, "[text/html 2 bytes, image/png 0 bytes]"),
        ({"text/plain": "\x1b[31mred"}, "red"),
        ({"\x1b]0;evil\x07image/\npng": b"x"}, "[image/ png 1 bytes]"),
        ({"text/plain": b"\xff"}, ""),
        ({}, ""),
    ],
)
def test_a_display_is_shown_by_its_formats_and_its_text(bundle, line):
    assert displays.shown(bundle, "") == line


def test_each_display_is_saved_in_its_best_format(tmp_path):
    bundles = [
        {"text/plain": "figure", "image/png": PNG},
        {"text/plain": "table", "text/html": "<b>\ud800"},
        {"text/plain": "only text"},
        {"application/x-thing": b"\0"},
        {},
    ]
    saved = displays.save(bundles, tmp_path)
    assert [path.name for path in saved] == ["01.png", "02.html", "03.txt", "04.bin", "05.bin"]
    assert [path.read_bytes() for path in saved] == [PNG, b"<b>\\ud800", b"only text", b"\0", b""]


def test_a_link_or_pipe_that_the_program_left_in_the_directory_is_replaced_and_not_followed(
    tmp_path,
):
    precious = tmp_path / "precious"
    precious.write_text("untouched")
    (tmp_path / "01.txt").symlink_to(precious)
    os.mkfifo(tmp_path / "02.txt")
    displays.save([{"text/plain": "one"}, {"text/plain": "two"}], tmp_path)
    assert precious.read_text() == "untouched"
    assert [(tmp_path / name).read_text() for name in ("01.txt", "02.txt")] == ["one", "two"]


@pytest.mark.parametrize(
    "attempt",
    [
        lambda path: displays.prepare(path / "file" / "below"),
        lambda path: displays.save([{}], path / "file"),
    ],
)
def test_a_directory_that_cannot_be_is_one_line(attempt, tmp_path, capsys):
    (tmp_path / "file").write_text("")
    with pytest.raises(typer.Exit) as left:
        attempt(tmp_path)
    assert left.value.exit_code == 2
    assert capsys.readouterr().err.count("\n") == 1
