"""Policy.files: what libraries may do with files, with the capability and without it. The kernel
decides, so every library is bound by it."""

from __future__ import annotations

import importlib.util
import os
from pathlib import Path
from typing import Any

import pytest

from fumehood import CodeAgent, LocalPythonExecutor, Mount, Policy, PolicyError
from fumehood.language.run import FILES_HINT

from .conftest import MakeExecutor
from .test_identities import as_identity  # a fixture  # noqa: F401

# What each program gives with files. Without them each must fail, and the error names the
# capability.
PROGRAMS: dict[str, tuple[str, Any]] = {
    "open, written": ("open('a.txt', 'w').write('abc')", 3),
    "open, read": ("open('in.csv').read()", "n\n1\n2\n"),
    "open in /tmp": ("open('/tmp/a', 'x').write('abc')", 3),
    "open by an absolute path": ("open('/home/user/in.csv').readline()", "n\n"),
    "pathlib": (
        "from pathlib import Path\nPath('p.txt').write_text('a')\nPath('p.txt').read_text()",
        "a",
    ),
    "tempfile": (
        "import tempfile\nwith tempfile.TemporaryDirectory() as d: pass\nd.startswith('/tmp/')",
        True,
    ),
    "sqlite3": (
        "import sqlite3\nc = sqlite3.connect('x.db')\nc.execute('create table t (a)')\n"
        "c.execute('insert into t values (7)')\nc.commit()\n"
        "sqlite3.connect('x.db').execute('select a from t').fetchall()",
        [(7,)],
    ),
    "zipfile": (
        "import zipfile\nwith zipfile.ZipFile('z.zip', 'w') as z: z.writestr('a', 'b')\n"
        "zipfile.ZipFile('z.zip').namelist()",
        ["a"],
    ),
    "shelve": ("import shelve\nwith shelve.open('s') as s: s['a'] = 1\n1", 1),
    "logging": ("import logging\nlogging.FileHandler('l.log').close()\n1", 1),
    "os.mkdir": ("import os\nos.makedirs('d/e')\nsorted(os.listdir('d'))", ["e"]),
    "pandas": (
        "import pandas as pd\npd.read_csv('in.csv').to_csv('out.csv')\n"
        "int(pd.read_csv('out.csv').n.sum())",
        3,
    ),
    "numpy text": ("import numpy as np\nint(np.loadtxt('in.csv', skiprows=1).sum())", 3),
    "lxml": (
        "from lxml import etree\netree.ElementTree(etree.XML('<a/>')).write('a.xml')\n"
        "etree.parse('a.xml').getroot().tag",
        "a",
    ),
    "torch": ("import torch\ntorch.save(torch.ones(2), 't')\nfloat(torch.load('t').sum())", 2.0),
    "numpy": ("import numpy as np\nnp.save('a.npy', np.arange(3))\nint(np.load('a.npy').sum())", 3),
    "matplotlib": (
        "import matplotlib.pyplot as plt\nplt.plot([1, 2])\nplt.savefig('p.png')\nplt.close()\n"
        "open('p.png', 'rb').read(4)",
        b"\x89PNG",
    ),
    "PIL": (
        "from PIL import Image\nImage.new('RGB', (3, 2)).save('i.png')\nImage.open('i.png').size",
        (3, 2),
    ),
    "joblib": ("import joblib\njoblib.dump([1], 'j')\njoblib.load('j')", [1]),
}
LOCKS = {
    "multiprocessing lock": ("import multiprocessing as mp\nwith mp.Lock(): x = 1\nx", 1),
    "shared memory": (
        "from multiprocessing import shared_memory\n"
        "m = shared_memory.SharedMemory(create=True, size=8)\n"
        "m.buf[0] = 5\nx = m.buf[0]\nm.close()\nm.unlink()\nx",
        5,
    ),
    "a pool of processes": (
        "from concurrent.futures import ProcessPoolExecutor\n"
        "with ProcessPoolExecutor(2) as pool: x = list(pool.map(abs, [-1, -2]))\nx",
        [1, 2],
    ),
}
OF_LIBRARIES = ("pandas", "numpy", "matplotlib", "PIL", "joblib", "lxml", "torch")
LIBRARIES = [name for name in OF_LIBRARIES if importlib.util.find_spec(name)]


def _programs(imports: list[str], more: dict[str, Any]) -> dict[str, tuple[str, Any]]:
    return {
        name: row
        for name, row in {**PROGRAMS, **more}.items()
        if name.split()[0] in imports or name.split()[0] not in OF_LIBRARIES
    }


def _fails_with_the_hint(executor: LocalPythonExecutor, programs: dict[str, Any]) -> list[str]:
    """The programs that do not."""
    wrong = []
    for name, (code, _value) in programs.items():
        error = executor.run(code).error
        if error is None or FILES_HINT not in error.message or FILES_HINT not in error.traceback:
            wrong.append(f"{name}: {error}")
    return wrong


def test_without_files_every_library_fails_and_the_error_names_the_capability(
    make_jailed: MakeExecutor,
) -> None:
    executor = make_jailed(policy=Policy(language="off"))
    more = {} if type(executor).__name__ == "DockerExecutor" else LOCKS
    assert _fails_with_the_hint(executor, _programs([], more)) == []
    with pytest.raises(PolicyError, match="files=True"):
        executor.files.list()


def test_with_files_every_library_reads_and_writes_by_path(make_jailed: MakeExecutor) -> None:
    executor = make_jailed(policy=Policy(files=True, language="off"))
    executor.files.write("in.csv", "n\n1\n2\n")
    more = {} if type(executor).__name__ == "DockerExecutor" else LOCKS  # it has no /dev/shm
    for name, (code, value) in _programs([], more).items():
        execution = executor.run(code)
        assert (execution.error, execution.value) == (None, value), name
    assert executor("import os\nos.getcwd()").output == "/home/user"
    assert executor("os.environ['HOME'], os.environ['TMPDIR']").output == ("/home/user", "/tmp")
    assert executor("os.path.realpath('a.txt')").output == "/home/user/a.txt"


@pytest.mark.extended
def test_installed_libraries_are_bound_by_it_too() -> None:
    with LocalPythonExecutor(policy=Policy(LIBRARIES, language="off")) as executor:
        assert _fails_with_the_hint(executor, _programs(LIBRARIES, {})) == []
        # what needs no file works all the same
        if "matplotlib" in LIBRARIES:
            drawn = executor.run(
                "import io, matplotlib.pyplot as plt\nb = io.BytesIO()\nplt.plot([1])\n"
                "plt.savefig(b)\nb.getvalue()[:4]"
            )
            assert drawn.value == b"\x89PNG", drawn.error
    with LocalPythonExecutor(policy=Policy(LIBRARIES, files=True, language="off")) as executor:
        executor.files.write("in.csv", "n\n1\n2\n")
        for name, (code, value) in _programs(LIBRARIES, {}).items():
            execution = executor.run(code)
            assert (execution.error, execution.value) == (None, value), name


@pytest.mark.extended
@pytest.mark.skipif("matplotlib" not in LIBRARIES, reason="matplotlib is not installed")
@pytest.mark.parametrize("files", [False, True])
def test_matplotlib_can_be_imported_late_where_nothing_is_writable(files: bool) -> None:
    with LocalPythonExecutor(policy=Policy(["*"], files=files, language="off")) as executor:
        drawn = executor("import matplotlib.pyplot as plt\nplt.plot([1])\n1")
        assert (drawn.output, drawn.logs) == (1, "")
        if files:
            assert executor.files.list() == {}


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can become somebody else")
@pytest.mark.parametrize("identity", ["root", "nobody", "container", "contained"])
def test_whoever_the_host_is_nothing_is_writable_without_files(
    identity: str,
    as_identity: Any,  # noqa: F811
) -> None:
    program = """
    executor = LocalPythonExecutor(policy=Policy(language="off"))
    found = []
    for place in ("/home/user", "/tmp", "/dev/shm", "/labs", "/", ".", "/packages"):
        if executor.run(f"open('{place}/attempt', 'x').write('x')").error is None:
            found.append(place)
    say(found)
    """
    assert as_identity(identity, program) == []


def test_files_and_tmp_are_rolled_back_and_forked_together() -> None:
    with LocalPythonExecutor(
        policy=Policy(files=True, language="off"), on_error="rollback"
    ) as executor:
        executor("open('a', 'w').write('1')\nopen('/tmp/b', 'w').write('1')\nimport os")
        failed = executor.run(
            "open('a', 'w').write('2')\nopen('/tmp/b', 'w').write('2')\n"
            "open('/dev/shm/c', 'w').write('2')\n1 / 0"
        )
        assert failed.rolled_back
        look = "open('a').read(), open('/tmp/b').read(), os.listdir('/dev/shm'), os.getcwd()"
        assert executor(look).output == ("1", "1", [], "/home/user")
        with executor.fork() as fork:
            fork("open('a', 'w').write('3')\nopen('/tmp/b', 'w').write('3')")
            assert fork(look).output == ("3", "3", [], "/home/user")
        assert executor(look).output == ("1", "1", [], "/home/user")


def test_a_mount_below_tmp_leaves_tmp_writable(tmp_path: Path) -> None:
    tmp_path.chmod(0o755)
    (tmp_path / "data").write_text("of the host")
    mount = Mount(str(tmp_path), "/tmp/some/where")
    policy = Policy(files=True, mounts=(mount,), language="off")
    with LocalPythonExecutor(policy=policy) as executor:
        assert executor("open('/tmp/some/where/data').read()").output == "of the host"
        assert executor("open('/tmp/own', 'w').write('x')").output == 1
        assert executor.run("open('/tmp/some/where/new', 'w')").error is not None
    with pytest.raises(PolicyError, match="mounts need the capability files=True"):
        Policy(mounts=(mount,))


def test_files_is_an_argument_of_executors_and_agents() -> None:
    with LocalPythonExecutor(files=True) as executor:
        assert executor.policy.files
    with pytest.raises(PolicyError, match=r"contradicts policy\.files=False"):
        LocalPythonExecutor(files=True, policy=Policy())
    with CodeAgent([], lambda messages: "", files=True) as agent:
        assert agent.python_executor.policy.files  # type: ignore[attr-defined]


# -- saving them on this machine


def test_files_are_saved_without_links_and_nothing_is_replaced(tmp_path: Path) -> None:
    outside = tmp_path / "outside"
    outside.mkdir()
    target = tmp_path / "made" / "here"
    with LocalPythonExecutor(policy=Policy(files=True, language="off")) as executor:
        executor(
            "import os\nos.makedirs('d/e')\nopen('d/e/f', 'w').write('content')\n"
            "open('g', 'w').write('other')\nos.symlink('/etc/passwd', 'link')\n"
            "os.symlink('/etc', 'd/etc')\nopen('/tmp/t', 'w').write('not saved')"
        )
        assert executor.files.save(target) == ["d/e/f", "g"]
        assert executor.files.save(target) == ["d/e/f", "g"], "they are the same"
        found = {str(path.relative_to(target)) for path in target.rglob("*") if path.is_file()}
        assert found == {"d/e/f", "g"}
        executor("open('g', 'w').write('changed')\nopen('h', 'w').write('new')")
        with pytest.raises(FileExistsError, match="1 of 3 files exist"):
            executor.files.save(target)
        assert (target / "g").read_text() == "other"
        assert (target / "h").read_text() == "new"
        # a link on this machine is not followed
        linked = tmp_path / "linked"
        linked.mkdir()
        (linked / "d").symlink_to(outside)
        (linked / "g").symlink_to(outside / "g")
        with pytest.raises(FileExistsError, match="2 of 3 files exist"):
            executor.files.save(linked)
        assert list(outside.iterdir()) == []
        executor(
            "os.truncate('g', 100 << 20)\nfor n in 'abc': os.truncate(os.open(n, 65), 120 << 20)"
        )
        with pytest.raises(ValueError, match="hold more than"):
            executor.files.save(tmp_path / "sparse")
