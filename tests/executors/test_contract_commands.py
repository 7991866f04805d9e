"""Real programs do real work in every place: git, a C compiler, scripts, pipelines, many commands.

A program that the place lacks skips its test and is named.
"""

from __future__ import annotations

import hashlib
from typing import Any

import pytest

from fumehood import Limits, LocalPythonExecutor, Policy

from .conftest import MakeExecutor, maker, skip_where_nothing_can_be_branched

LIMITS = Limits(lab_bytes=64 << 20, memory_bytes=512 << 20, output_bytes=4 << 20)
POLICY = Policy(files=True, programs=True, limits=LIMITS)


@pytest.fixture(params=["jail", "docker", "e2b", "ray"])
def make(request: pytest.FixtureRequest) -> Any:
    yield from maker(request.param, request)


@pytest.fixture
def executor(make: MakeExecutor) -> LocalPythonExecutor:
    executor = make(policy=POLICY)
    skip_where_nothing_can_be_branched(executor)
    return executor


def needs(executor: LocalPythonExecutor, *programs: str) -> None:
    for name in programs:
        if executor.commands.run(f"command -v {name}").exit_code != 0:
            pytest.skip(f"{name} is not installed in this place")


def succeed(executor: LocalPythonExecutor, line: str) -> str:
    done = executor.commands.run(line, timeout=300)
    assert (done.exit_code, done.error) == (0, None), done.stderr
    return done.stdout


def test_a_git_repository_is_cloned_and_committed_to(executor: LocalPythonExecutor) -> None:
    needs(executor, "git")
    identity = "-c user.name=a -c user.email=a@example.com -c init.defaultBranch=main"
    script = f"""
        set -e
        git {identity} init -q --bare origin
        git clone -q origin first 2>/dev/null
        cd first
        for n in 1 2 3; do echo $n > file$n; git add .; git {identity} commit -qm "file $n"; done
        git push -q origin HEAD
        cd ..
        git clone -q origin second
        cd second
        git log --format=%s
        git diff --stat HEAD~2 | tail -1
        git status --short
    """
    shown = succeed(executor, script).splitlines()
    assert shown == ["file 3", "file 2", "file 1", " 2 files changed, 2 insertions(+)"]
    assert executor.files.read("second/file3") == b"3\n"


def test_a_c_program_is_built_with_make_and_runs(executor: LocalPythonExecutor) -> None:
    needs(executor, "gcc", "make")
    executor.files.write("sum.h", "long sum(long from, long to);\n")
    executor.files.write(
        "sum.c",
        '#include "sum.h"\nlong sum(long a, long b) { return a > b ? 0 : a + sum(a + 1, b); }\n',
    )
    executor.files.write(
        "main.c",
        '#include <stdio.h>\n#include <stdlib.h>\n#include "sum.h"\n'
        'int main(int n, char **a) { printf("%ld\\n", sum(1, atol(a[1]))); return n - 2; }\n',
    )
    executor.files.write(
        "Makefile",
        "program: main.o sum.o\n\t$(CC) -o $@ $^\n%.o: %.c sum.h\n\t$(CC) -O2 -Wall -c $<\n",
    )
    assert "main.o sum.o" in succeed(executor, "make")
    assert succeed(executor, "./program 1000") == "500500\n"
    assert "up to date" in succeed(executor, "make program")
    assert executor.commands.run(["./program", "3", "x"]).exit_code == 1


def test_other_languages_run_where_they_are_installed(executor: LocalPythonExecutor) -> None:
    lines = {
        "python3": "python3 -c 'print(sum(range(101)))'",
        "perl": "perl -e 'my $s = 0; $s += $_ for 1..100; print \"$s\\n\"'",
        "node": "node -e 'console.log([...Array(101).keys()].reduce((a, b) => a + b))'",
        "awk": "seq 100 | awk '{s += $1} END {print s}'",
        "bash": "s=0; for n in {1..100}; do ((s += n)); done; echo $s",
    }
    wrong = {}
    for program, line in lines.items():
        if executor.commands.run(f"command -v {program}").exit_code == 0:
            done = executor.commands.run(line)
            if done.stdout != "5050\n":
                wrong[program] = done
    assert not wrong


def test_an_archive_keeps_files_directories_links_and_modes(executor: LocalPythonExecutor) -> None:
    needs(executor, "tar", "gzip")
    script = """
        set -e
        mkdir -p tree/deep/deeper
        seq 10000 > tree/numbers
        echo x > "tree/deep/a name with spaces"
        ln -s ../numbers tree/deep/link
        printf '#!/bin/sh\\necho ran\\n' > tree/deep/deeper/script
        chmod 750 tree/deep/deeper/script
        tar czf tree.tgz tree
        mkdir copy
        tar xzf tree.tgz -C copy
        diff -r tree copy/tree && echo equal
        stat -c %a copy/tree/deep/deeper/script
        readlink copy/tree/deep/link
        ./copy/tree/deep/deeper/script
    """
    assert succeed(executor, script).split("\n") == ["equal", "750", "../numbers", "ran", ""]


# Functions, arrays, a here document, traps, subshells, redirections, globs, arithmetic, `case`,
# `read`, process substitution and job control: what scripts that agents write consist of.
SCRIPT = r"""#!/usr/bin/env bash
set -euo pipefail
shopt -s nullglob

readonly ROOT="$PWD/work"
declare -A counts=()
declare -a order=()
log() { printf '%s: %s\n' "$1" "${*:2}" >&2; }

cleanup() {
    local status=$?
    rm -rf "$ROOT/tmp"
    echo "cleanup $status"
}
trap cleanup EXIT

setup() {
    mkdir -p "$ROOT"/{in,out,tmp}
    local n
    for n in {1..12}; do
        printf 'line %d\n' $(seq "$n") > "$ROOT/in/$(printf 'part%02d.txt' "$n")"
    done
    cat > "$ROOT/in/table.csv" <<'TABLE'
name,kind,amount
apple,fruit,3
carrot,vegetable,5
pear,fruit,4
leek,vegetable,1
TABLE
}

count_lines() {
    local file total=0 lines
    for file in "$ROOT"/in/*.txt; do
        lines=$(wc -l < "$file")
        (( total += lines )) || true
        counts[$(basename "$file" .txt)]=$lines
        order+=("$(basename "$file" .txt)")
    done
    echo "total $total in ${#order[@]} files"
    echo "last ${order[-1]} ${counts[${order[-1]}]}"
}

sum_table() {
    local name kind amount
    local -A sums=()
    while IFS=, read -r name kind amount; do
        case "$name" in
            name) continue ;;
            *) sums[$kind]=$(( ${sums[$kind]:-0} + amount )) ;;
        esac
    done < "$ROOT/in/table.csv"
    for kind in $(printf '%s\n' "${!sums[@]}" | sort); do
        echo "$kind ${sums[$kind]}"
    done
}

in_parallel() {
    local n pids=()
    for n in 1 2 3; do
        ( echo $(( n * n )) > "$ROOT/out/square$n" ) &
        pids+=($!)
    done
    for pid in "${pids[@]}"; do wait "$pid"; done
    cat "$ROOT"/out/square* | paste -sd+ | { read -r sum; echo "$sum = $(( sum ))"; }
}

compare() {
    if diff <(sort -r "$ROOT/in/part03.txt") <(printf 'line %d\n' 3 2 1) > /dev/null; then
        echo "same"
    else
        echo "different"
    fi
}

fail_on_purpose() {
    if ( cd no/such/directory 2> /dev/null ); then echo "wrong"; else echo "failed as expected"; fi
    local status=0
    bash -c 'kill -TERM $$' || status=$?
    echo "status $status"
}

texts() {
    local text="The quick brown fox"
    echo "${text^^}" "${text//o/0}" "${text:4:5}" "${#text}" "${text##* }"
    [[ $text =~ ([a-z]+)\ fox$ ]] && echo "matched ${BASH_REMATCH[1]}"
    tr ' ' '\n' <<< "$text" | sed -E 's/^(.)(.*)$/\2\1/' | grep -v '^he' | xargs
}

setup
log info "ready" 2> "$ROOT/out/log"
count_lines
sum_table
in_parallel
compare
fail_on_purpose
texts
echo "${0##*/} done"
cat "$ROOT/out/log"
exit 7
"""
SHOWN = """\
total 78 in 12 files
last part12 12
fruit 7
vegetable 6
1+4+9 = 14
same
failed as expected
status 143
THE QUICK BROWN FOX The quick br0wn f0x quick 19 fox
matched brown
uickq rownb oxf
script.sh done
info: ready
cleanup 7
"""


def test_a_script_of_a_hundred_lines_does_what_it_does_elsewhere(
    executor: LocalPythonExecutor,
) -> None:
    assert SCRIPT.count("\n") >= 100
    executor.files.write("script.sh", SCRIPT)
    done = executor.commands.run("chmod +x script.sh; ./script.sh")
    assert (done.stdout, done.exit_code) == (SHOWN, 7), done.stderr


def test_two_hundred_commands_in_a_row(executor: LocalPythonExecutor) -> None:
    for number in range(200):
        done = executor.commands.run(["printf", "%s", str(number)])
        assert (done.stdout, done.exit_code) == (str(number), 0)
    assert executor.commands.list() == []


@pytest.mark.extended
def test_a_pipeline_passes_a_hundred_megabytes(executor: LocalPythonExecutor) -> None:
    size = 100 << 20
    block = bytes(range(256)) * 4096
    executor.files.write("block", block)
    line = (
        f"for n in $(seq {size // len(block)}); do cat block; done | tr '\\000' '\\001' | sha256sum"
    )
    expected = hashlib.sha256()
    for _ in range(size // len(block)):
        expected.update(block.replace(b"\0", b"\1"))
    assert succeed(executor, line).split()[0] == expected.hexdigest()
    assert (
        succeed(executor, f"head -c {size} /dev/zero | cat | gzip | gzip -d | wc -c") == f"{size}\n"
    )
