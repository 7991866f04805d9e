"""`fumehood run` in the jail, which is where programs run unless asked otherwise."""

from __future__ import annotations

import base64
import json
import os
import signal
import subprocess
import sys

import pytest

pytestmark = pytest.mark.usefixtures("jail")

PICTURE = (
    "class Picture:\n    def _repr_png_(self): return b'\\x89PNG data'\n    def __repr__(self):"
    " return 'a picture'\n"
)
TABLE = (
    "class Table:\n    def _repr_html_(self): return '<b>table</b>'\n    def __repr__(self): return"
    " 'a table'\n"
)


@pytest.fixture
def run(fumehood_here):
    def call(source, *options):
        return fumehood_here("run", *options, "-", stdin=source)

    return call


@pytest.fixture
def shared(tmp_path):
    """A directory that code may read and write whoever it runs as."""
    for above in (tmp_path.parent.parent, tmp_path.parent, tmp_path):
        if above.stat().st_uid == os.getuid():
            above.chmod(0o755)
    directory = tmp_path / "shared"
    directory.mkdir()
    directory.chmod(0o777)
    (directory / "data.txt").write_text("from the host")
    return directory


def test_output_value_and_exit_code_are_as_everywhere(fumehood):
    done = fumehood("run", "-", stdin="print('hello')\n6 * 7\n")
    assert (done.returncode, done.stdout, done.stderr) == (0, "hello\n42\n", "")


def test_output_is_shown_while_the_program_runs_and_an_interrupt_ends_it(program):
    command = [
        sys.executable,
        "-m",
        "fumehood.cli",
        "run",
        program("print('begun')\nwhile True: pass"),
    ]
    with subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as process:
        assert process.stdout.readline() == "begun\n"
        process.send_signal(signal.SIGINT)
        stdout, stderr = process.communicate(timeout=120)
    assert (process.returncode, stdout, stderr) == (130, "", "fumehood: interrupted\n")


def test_a_program_whose_output_nobody_reads_any_more_is_ended(tmp_path):
    command = (
        f"echo 'while True: print(1)' | {sys.executable} -m fumehood.cli run --timeout 100 - | head"
        " -n 1"
    )
    done = subprocess.run(
        ["/bin/sh", "-c", command],
        capture_output=True,
        text=True,
        cwd=tmp_path,
        check=False,
        timeout=90,
    )
    assert (done.stdout, done.stderr) == ("1\n", "")


def test_a_mounted_directory_can_be_read_and_not_written(run, shared):
    assert run(f"open('{shared}/data.txt').read()", "--mount", shared).stdout == "'from the host'\n"
    assert (
        run("open('/in/data.txt').read()", "--mount", f"{shared}:/in").stdout == "'from the host'\n"
    )
    done = run("open('/in/new.txt', 'w')", "--mount", f"{shared}:/in")
    assert done.returncode == 1
    assert "Read-only file system" in done.stderr
    assert [path.name for path in shared.iterdir()] == ["data.txt"]


def test_memory_is_limited_to_what_was_asked_for(run):
    assert run("len(bytearray(100 << 20))").stdout == "104857600\n"
    done = run("len(bytearray(100 << 20))", "--memory", "64M", "--json")
    assert done.returncode == 1
    assert json.loads(done.stdout)["fault"] == "memory"


@pytest.mark.parametrize(
    "options", [["--memory", "64M"], ["--files"], ["--mount", "/usr/share:/data"]]
)
def test_what_needs_the_jail_is_refused_inline(run, options):
    done = run("1", "--inline", *options)
    assert (done.returncode, done.stdout, done.stderr.count("\n")) == (2, "", 1)
    assert "needs the jail" in done.stderr


def test_displays_are_lines_below_the_output(run):
    done = run(
        f"{PICTURE}{TABLE}display(Picture())\ndisplay('text')\nprint('printed', end='')\nTable()"
    )
    assert (
        done.stdout
        == "printed\n[image/png 9 bytes] a picture\n'text'\n[text/html 12 bytes]\na table\n"
    )


def test_displays_are_saved_when_asked(run, tmp_path):
    done = run(
        f"{PICTURE}{TABLE}display(Picture())\ndisplay(Table())\ndisplay(3)",
        "--save-displays",
        "new/place",
    )
    assert done.returncode == 0
    saved = {path.name: path.read_bytes() for path in (tmp_path / "new" / "place").iterdir()}
    assert saved == {"01.png": b"\x89PNG data", "02.html": b"<b>table</b>", "03.txt": b"3"}


def test_json_holds_displays_and_usage_and_nothing_else_is_printed(run):
    done = run(f"{PICTURE}print('printed')\ndisplay(Picture())", "--json")
    outcome = json.loads(done.stdout)
    assert (done.stderr, outcome["logs"]) == ("", "printed\n")
    [display] = outcome["displays"]
    assert base64.b64decode(display["image/png"]["base64"]) == b"\x89PNG data"
    assert display["text/plain"] == "a picture"
    assert outcome["usage"]["peak_memory_bytes"] > 0


@pytest.mark.extended
def test_a_seed_and_a_clock_make_a_program_print_the_same_each_time(fumehood, jail):
    program = "import random, datetime\nprint(random.random(), datetime.datetime.now())"
    same = [
        fumehood("run", "-", "--seed", "1", "--clock", "2026-01-01T00:00Z", stdin=program).stdout
        for _ in range(2)
    ]
    assert same[0] == same[1] and "2026-01-01 00:00:00" in same[0]


def test_files_are_saved_also_if_the_program_fails_and_its_exit_code_stays(run, tmp_path):
    saved = tmp_path / "new" / "saved"
    done = run("open('a.txt', 'w').write('made')\n1 / 0\n", "--save-files", str(saved))
    assert done.returncode == 1
    assert (saved / "a.txt").read_text() == "made"
    other = run("open('a.txt', 'w').write('other')\n", "--save-files", str(saved))
    assert other.returncode == 2
    assert "--save-files: 1 of 1 files exist" in other.stderr
    assert (saved / "a.txt").read_text() == "made"
