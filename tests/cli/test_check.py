"""`fumehood check` lists violations and runs nothing."""

from __future__ import annotations

import json


def test_a_clean_program_says_nothing(fumehood, program):
    done = fumehood("check", program("print(sum(range(10)))\n"))
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")


def test_every_violation_is_listed_with_its_place(fumehood_here, program):
    path = program("import subprocess\n\nx = ().__class__.__subclasses__()\nopen('x')\n")
    done = fumehood_here("check", "--inline", path)
    assert (done.returncode, done.stderr) == (1, "")
    places = [line.split(": ")[0] for line in done.stdout.splitlines() if not line.startswith(" ")]
    assert f"{path}:1:8" in places
    assert f"{path}:3:5" in places
    assert f"{path}:4:1" in places


def test_only_imports_are_refused_in_the_jail_and_the_option_for_each_is_named(
    fumehood_here, program
):
    path = program("import socket, os\n\nx = ().__class__.__subclasses__()\nopen('x')\n")
    done = fumehood_here("check", path)
    assert (done.returncode, done.stdout) == (
        1,
        f"{path}:1:1: import socket: this module is not authorized [import]\n"
        "    allow it with --import socket\n"
        f"{path}:1:1: import os: this module is not authorized [import]\n"
        "    allow it with --files or --import os\n",
    )
    done = fumehood_here("check", "--files", "--import", "socket", path)
    assert (done.returncode, done.stdout) == (0, "")


def test_the_program_is_not_run(fumehood_here, program):
    done = fumehood_here("check", program("print('ran')\nwhile True: pass\n"))
    assert (done.returncode, done.stdout) == (0, "")


def test_json_is_one_object(fumehood_here):
    done = fumehood_here("check", "--json", "-", stdin="import subprocess")
    assert (done.returncode, done.stderr) == (1, "")
    found = json.loads(done.stdout)
    assert found["source"] == "<stdin>"
    [violation] = found["violations"]
    assert violation["rule"] == "import"
    assert violation["reason"] == "this module is not authorized"


def test_names_in_violations_cannot_carry_escape_sequences(fumehood_here):
    done = fumehood_here("check", "-", stdin="from . import x\nimport subprocess as s\n")
    assert done.returncode == 1
    assert "\x1b" not in done.stdout
