"""The shell and its commands do what the machine's own do: run both on the same line, in
directories that are equal, and compare what is printed, how it ends and what is left. The lines are
in the files of alike/, with --- between them."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

import pytest

from .conftest import Bench

FILES = {
    "poem.txt": "the rose is red\nthe violet is blue\nSugar is sweet\n\nand so are you\n",
    "numbers.txt": "10\n9\n2\n33\n2\n-1\n0.5\n",
    "table.csv": "name,age,town\nann,31,Rome\nbob,9,Oslo\ncid,200,Bern\nann,31,Rome\n",
    "spaces.txt": "  a  b\tc \n\n\n x\n",
    "no_end.txt": "one\ntwo",
    "empty.txt": "",
    "dir/one.py": "import os\nprint('one')\n",
    "dir/two.txt": "two\nTWO\n",
    "dir/deep/three.txt": "three\n",
    ".hidden": "hidden\n",
    "with space.txt": "space\n",
    "umlaut.txt": "äöü\nß\n",
}
LINES = [
    pytest.param(line, id=f"{file.stem}-{number}")
    for file in sorted(Path(__file__).with_name("alike").glob("*.sh"))
    for number, line in enumerate(file.read_text().removesuffix("\n").split("\n---\n"))
]

pytestmark = pytest.mark.skipif(
    shutil.which("bash") is None, reason="this machine has no bash to compare with"
)


def furnish(directory: Path) -> Path:
    for name, text in FILES.items():
        (directory / name).parent.mkdir(parents=True, exist_ok=True)
        (directory / name).write_text(text)
    for number, name in enumerate(sorted(FILES)):
        os.utime(directory / name, (1_700_000_000 + number, 1_700_000_000 + number))
    return directory


def left_in(directory: Path) -> dict[str, str]:
    found = {}
    for path in sorted(directory.rglob("*")):
        name = path.relative_to(directory).as_posix()
        found[name] = (
            f"link to {path.readlink()}"
            if path.is_symlink()
            else ""
            if path.is_dir()
            else path.read_text()
        )
    return found


@pytest.mark.parametrize("line", LINES)
def test_a_line_does_what_it_does_in_the_machine_s_shell(
    line: str, bench: Bench, tmp_path: Path
) -> None:
    theirs, ours = furnish(tmp_path / "theirs" / "lab"), furnish(tmp_path / "ours" / "lab")
    environment = {
        "HOME": str(theirs),
        "PATH": os.environ["PATH"],
        "LC_ALL": "C",
        "TZ": "UTC",
        "LANG": "C",
    }
    done = subprocess.run(
        ["bash", "-c", line],
        cwd=theirs,
        env=environment,
        capture_output=True,
        stdin=subprocess.DEVNULL,
        timeout=60,
    )
    if (
        done.returncode == 127
        and b"command not found" in done.stderr
        and b"nosuch" not in done.stderr
    ):
        pytest.skip(f"this machine lacks a program: {done.stderr.decode().splitlines()[0]}")
    outcome = bench.run(line, ours)
    assert outcome.out.replace("bash", "sh") == done.stdout.decode(
        "utf-8", "surrogateescape"
    ).replace("bash", "sh"), outcome.err
    assert outcome.code == done.returncode
    assert bool(outcome.err) == bool(done.stderr), (outcome.err, done.stderr)
    assert left_in(ours) == left_in(theirs)
