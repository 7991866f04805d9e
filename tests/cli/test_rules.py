"""`fumehood rules` prints the tables that the language and the jail really go by."""

from __future__ import annotations

import json
from dataclasses import fields

import pytest

from fumehood.cli.rules import all_tables
from fumehood.jail import landlock, syscalls
from fumehood.policy import Limits, Policy


def test_every_row_of_every_table_is_printed_one_per_line(fumehood):
    done = fumehood("rules")
    assert (done.returncode, done.stderr) == (0, "")
    printed = done.stdout.splitlines()
    expected = [
        "\t".join([table.name, *row]) for table in all_tables(Policy()) for row in table.rows
    ]
    assert printed == expected


def test_every_row_has_its_reason():
    for table in all_tables(Policy()):
        assert table.rows, table.name
        for row in table.rows:
            assert len(row) == len(table.columns), (table.name, row)
            assert row[-1].strip(), (table.name, row)


def test_a_name_chooses_rows(fumehood_here):
    done = fumehood_here("rules", "subprocess")
    assert done.returncode == 0
    lines = done.stdout.splitlines()
    assert lines
    assert all("subprocess" in line.split("\t")[1] for line in lines)


@pytest.mark.parametrize(
    ("table", "names"),
    [
        ("limits", [field.name for field in fields(Limits)]),
        ("syscalls", [row.name for row in syscalls.ROWS]),
        (
            "landlock",
            [
                right.name
                for right in (*landlock.FILE_RIGHTS, *landlock.NETWORK_RIGHTS, *landlock.SCOPES)
            ],
        ),
    ],
)
def test_a_table_of_the_jail_is_printed_whole_and_alone(fumehood_here, table, names):
    lines = fumehood_here("rules", table).stdout.splitlines()
    assert [line.split("\t")[:2] for line in lines] == [[table, name] for name in names]


def test_the_condition_of_a_system_call_is_in_words(fumehood_here):
    lines = fumehood_here("rules", "syscalls").stdout.splitlines()
    rows = {line.split("\t")[1]: line.split("\t")[2:4] for line in lines}
    assert rows["read"] == ["allow", ""]
    assert rows["clone3"] == ["refuse", "answers ENOSYS"]
    assert rows["fork"] == ["allow", "only with leave to start processes; else EPERM"]
    assert "TCGETS" in rows["ioctl"][1] and rows["ioctl"][1].endswith("else EPERM")
    assert "not asked with namespaces of its own" in rows["kill"][1]


def test_a_name_that_nothing_has_is_one_line(fumehood_here):
    done = fumehood_here("rules", "no-such-thing")
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr == "fumehood: no table and no rule has 'no-such-thing' in its name\n"


def test_json_gives_each_row_by_column(fumehood_here):
    done = fumehood_here("rules", "--json")
    assert (done.returncode, done.stderr) == (0, "")
    printed = json.loads(done.stdout)
    for table, shown in zip(all_tables(Policy()), printed, strict=True):
        assert (shown["name"], shown["about"]) == (table.name, table.about)
        assert shown["rows"] == [dict(zip(table.columns, row, strict=True)) for row in table.rows]
