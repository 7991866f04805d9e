"""`fumehood images unpack`: layers, what they remove, damaged and hostile images; and a root that
sandboxes run in."""

from __future__ import annotations

import hashlib
import io
import json
import os
import shutil
import subprocess
import tarfile
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from fumehood import LocalPythonExecutor, Policy, PolicyError
from fumehood.cli.images import unpack

from ..executors.test_identities import as_identity  # a fixture  # noqa: F401

Entry = tuple[str, str | bytes | None] | tuple[str, str, bytes]


def _layer(*entries: Any) -> bytes:
    """A tar: (name, content), (name, None) for a directory, (name, target, type) for a link."""
    made = io.BytesIO()
    with tarfile.open(fileobj=made, mode="w") as tar:
        for name, content, *kind in entries:
            member = tarfile.TarInfo(name)
            if kind:
                member.type, member.linkname = kind[0], content
                tar.addfile(member)
            elif content is None:
                member.type, member.mode = tarfile.DIRTYPE, 0o755
                tar.addfile(member)
            else:
                member.size = len(content)
                tar.addfile(member, io.BytesIO(content))
    return made.getvalue()


LAYERS = (
    _layer(("etc", None), ("etc/kept", b"1"), ("etc/gone", b"2"), ("d", None), ("d/a", b"3")) + b"",
    _layer(("etc/.wh.gone", b""), ("d/.wh..wh..opq", b""), ("d/b", b"4"), ("bin", "usr/bin", b"2")),
)


def _docker_archive(path: Path, *layers: bytes) -> Path:
    names = [f"layer-{number}/layer.tar" for number in range(len(layers))]
    manifest = json.dumps([{"Layers": names}]).encode()
    entries = [("manifest.json", manifest), *zip(names, layers, strict=True)]
    path.write_bytes(_layer(*entries))
    return path


def _oci_layout(path: Path, *layers: bytes) -> Path:
    blobs = path / "blobs" / "sha256"
    blobs.mkdir(parents=True)

    def add(data: bytes) -> str:
        digest = hashlib.sha256(data).hexdigest()
        (blobs / digest).write_bytes(data)
        return f"sha256:{digest}"

    manifest = add(json.dumps({"layers": [{"digest": add(each)} for each in layers]}).encode())
    (path / "index.json").write_text(json.dumps({"manifests": [{"digest": manifest}]}))
    return path


def _seen(root: Path) -> dict[str, str]:
    return {
        str(path.relative_to(root)): str(path.readlink()) if path.is_symlink() else path.read_text()
        for path in root.rglob("*")
        if path.is_symlink() or path.is_file()
    }


@pytest.mark.parametrize("make", [_docker_archive, _oci_layout])
def test_layers_are_applied_in_order(make: Any, tmp_path: Path, fumehood_here: Any) -> None:
    image = make(tmp_path / "image", *LAYERS)
    done = fumehood_here("images", "unpack", image, tmp_path / "root")
    assert (done.returncode, done.stderr) == (0, "")
    assert _seen(tmp_path / "root") == {"etc/kept": "1", "d/b": "4", "bin": "usr/bin"}


@pytest.mark.parametrize(
    "hostile",
    [
        _layer(("../outside", b"x")),
        _layer(("link", "../..", b"2"), ("link/outside", b"x")),
        _layer(("link", "/tmp", b"2"), ("link/outside", b"x")),
        _layer(("shadow", "../../../../../../../../etc/passwd", b"1")),
        _layer(("link", "..", b"2"), ("link/.wh.image", b"")),
    ],
    ids=["parent", "link", "absolute link", "hard link", "removal"],
)
def test_nothing_outside_is_written_read_or_removed(
    hostile: bytes, tmp_path: Path, fumehood_here: Any
) -> None:
    image = _docker_archive(tmp_path / "image", hostile)
    before = sorted(tmp_path.iterdir())
    done = fumehood_here("images", "unpack", image, tmp_path / "root")
    assert (done.returncode, done.stderr.count("\n")) == (2, 1), done
    assert sorted(tmp_path.iterdir()) == before
    assert not Path("/tmp/outside").exists()


def test_bad_input_is_one_line(tmp_path: Path, fumehood_here: Any) -> None:
    damaged = _oci_layout(tmp_path / "damaged", *LAYERS)
    next(path for path in (damaged / "blobs/sha256").iterdir()).write_bytes(b"x")
    (tmp_path / "text").write_text("no image")
    (tmp_path / "empty").mkdir()
    there = _docker_archive(tmp_path / "image", *LAYERS)
    for image, target in (
        (damaged, "root"),
        (tmp_path / "text", "root"),
        (tmp_path / "empty", "root"),
        (there, "empty"),
    ):
        done = fumehood_here("images", "unpack", image, tmp_path / target)
        assert (done.returncode, done.stderr.count("\n")) == (2, 1), done
    assert not (tmp_path / "root").exists()


def test_a_root_without_python_or_that_is_none_is_refused(tmp_path: Path) -> None:
    with pytest.raises(PolicyError, match="absolute path"):
        Policy(programs="relative/root")
    for root in (tmp_path, tmp_path / "missing"):
        with pytest.raises(PolicyError, match=str(root)):
            LocalPythonExecutor(policy=Policy(programs=str(root)))


@pytest.fixture(scope="module")
def root() -> Iterator[Path]:
    """An image of this machine's own system, if its Python is in /usr/bin. Every user can read
    it."""
    if not any(Path(f"/usr/bin/python3.{minor}").exists() for minor in range(11, 15)):
        pytest.skip("this machine has no Python 3.11 or newer in /usr/bin")
    directory = Path(tempfile.mkdtemp(dir="/tmp", prefix="root-"))
    directory.chmod(0o755)
    (directory / "usr").mkdir()
    for name in ("bin", "lib", "lib64"):
        if Path(f"/{name}").is_symlink():
            (directory / name).symlink_to(Path(f"/{name}").readlink())
    copy = ["cp", "-a", "--reflink=auto", "-l"] if os.geteuid() == 0 else ["cp", "-r"]
    for name in ("bin", "lib"):
        subprocess.run([*copy, f"/usr/{name}", str(directory / "usr")], check=False)
    if Path("/usr/lib64").exists():
        subprocess.run([*copy, "/usr/lib64", str(directory / "usr")], check=False)
    (directory / "etc").mkdir()
    (directory / "etc/of-this-root").write_text("its own\n")
    (directory / "etc/shadow").write_text("root:secret\n")
    yield directory
    shutil.rmtree(directory)


_IN_ANOTHER_ROOT = """
    executor = LocalPythonExecutor(policy=Policy.full(programs={root!r}))
    python = executor.run("import sys; sys.executable").value
    own = executor.commands.run("cat /etc/of-this-root; pwd").stdout
    secret = executor.commands.run("cat /etc/shadow").exit_code
    executor.run("x = 1; open('f', 'w').write('1')")
    snapshot = executor.snapshot()
    executor.run("x = 2; open('f', 'w').write('2')")
    fork = executor.fork()
    executor.restore(snapshot)
    files = [each.commands.run("cat f").stdout for each in (executor, fork)]
    executor.close()
    say([python, own, secret, files])
"""


@pytest.mark.extended
@pytest.mark.skipif(os.geteuid() != 0, reason="only root can become another user")
@pytest.mark.parametrize("identity", ["root", "nobody"])
def test_cells_and_programs_run_in_another_root(
    root: Path,
    as_identity: Any,  # noqa: F811
    identity: str,
) -> None:
    program = _IN_ANOTHER_ROOT.format(root=str(root))
    python, own, secret, files = as_identity(identity, program)
    assert python.startswith("/usr/bin/python3.") and own == "its own\n/home/user\n"
    assert secret == 1 and files == ["1", "2"]


def test_unpacking_leaves_nothing_when_it_fails(tmp_path: Path) -> None:
    image = _docker_archive(tmp_path / "image", b"no tar at all, and long enough to be read" * 50)
    with pytest.raises(tarfile.TarError):
        unpack(image, tmp_path / "root")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["image"]
