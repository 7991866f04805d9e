"""`fumehood docker`: images are built, listed and removed; and what is said where there is no
engine."""

from __future__ import annotations

import contextlib
import json
import os
import pty
import secrets
import subprocess
import sys

import pytest

from fumehood.docker import images, inventory
from fumehood.docker.containers import Container
from fumehood.errors import DockerFailed
from fumehood.policy import Policy

from ..docker import bases
from ..executors.hosts import wait_until


@pytest.fixture(scope="module")
def base(engine):
    """With an image on it that is kept, so that the engine has all steps of the builds here
    already."""
    name = bases.base_of(engine)
    images.Image.for_(base=name).ensure(engine)
    return name


@pytest.fixture
def repository(engine, monkeypatch):
    """A name for images that nobody else has: others use the same engine."""
    name = f"fumehood-test-{secrets.token_hex(6)}"
    monkeypatch.setattr(images, "REPOSITORY", name)
    yield name
    for image in inventory.take(engine).images:
        if image.tag:
            with contextlib.suppress(DockerFailed):
                engine.ask("DELETE", f"/images/{image.tag}", {"force": 1})


@pytest.fixture
def old(engine, base, repository, monkeypatch):
    """An image of another version of fumehood."""
    with monkeypatch.context() as then:
        then.setattr(images, "digest", lambda: "0123456789abcdef")
        return own_image(base, repository).ensure(engine)


def own_image(base, repository):
    """One that is no other test's: two that are built within a second would be the same."""
    return images.Image.for_(base=base, build_kwargs={"labels": {"test": repository}})


def rows(found, name):
    return [image for image in json.loads(found.stdout)["images"] if image["tag"] == name]


# -- build


def test_an_image_is_built_and_its_name_printed(fumehood_here, base, repository):
    first = fumehood_here("docker", "build", "--base", base)
    assert first.returncode == 0
    assert first.stdout.startswith(f"{repository}:") and first.stdout.count("\n") == 1
    assert (
        "Step 1/" in first.stderr and f"fumehood: an image from {base} was built in" in first.stderr
    )
    again = fumehood_here("docker", "build", "--base", base)
    assert (again.returncode, again.stdout) == (0, first.stdout)
    assert again.stderr == f"fumehood: an image from {base} is there already\n"


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (
            ["--base", "a", "--dockerfile", "/no/such/file"],
            "fumehood: base and dockerfile both say what to build on: give one of them\n",
        ),
        (
            ["--dockerfile", "/no/such/file"],
            "fumehood: dockerfile must be a path or the text of one",
        ),
        (["--package", "-x"], "fumehood: a package must be what pip installs"),
        (
            ["--host", "nonsense"],
            "fumehood: host= 'nonsense' is not the address of a Docker engine",
        ),
    ],
)
def test_bad_input_is_one_line(fumehood_here, arguments, told):
    done = fumehood_here("docker", "build", *arguments)
    assert (done.returncode, done.stdout, done.stderr.count("\n")) == (2, "", 1)
    assert done.stderr.startswith(told)


@pytest.mark.parametrize("command", ["build", "ls", "prune"])
def test_without_an_engine_one_line_says_what_to_do(fumehood, command, tmp_path):
    done = fumehood("docker", command, environment={"DOCKER_HOST": f"unix://{tmp_path}/no.sock"})
    assert (done.returncode, done.stdout, done.stderr.count("\n")) == (3, "", 1)
    assert done.stderr.startswith(
        f"fumehood: no Docker engine listens at unix://{tmp_path}/no.sock"
    )


def test_without_the_docker_package_one_line_says_what_to_install(engine, tmp_path, base):
    (tmp_path / "sitecustomize.py").write_text("import sys\nsys.modules['docker'] = None\n")
    path = os.pathsep.join([str(tmp_path), os.environ.get("PYTHONPATH", "")])
    done = subprocess.run(
        [
            sys.executable,
            "-m",
            "fumehood.cli",
            "docker",
            "build",
            "--base",
            base,
            "--package",
            "no-such-package",
        ],
        capture_output=True,
        text=True,
        env={**os.environ, "PYTHONPATH": path},
        check=False,
    )
    assert (done.returncode, done.stdout) == (2, "")
    assert (
        done.stderr == "fumehood: code in containers needs the package docker: pip install"
        " 'fumehood[docker]'\n"
    )


# -- ls


def test_images_and_containers_are_listed(
    fumehood_here, engine, base, repository, old, monkeypatch
):
    monkeypatch.setenv("COLUMNS", "160")
    ready = own_image(base, repository).ensure(engine)
    container = Container.start(
        engine, ready, ["python3", "-c", "import time; time.sleep(600)"], policy=Policy()
    )
    try:
        shown = fumehood_here("docker", "ls")
        found = fumehood_here("docker", "ls", "--json")
    finally:
        container.remove()
    assert (shown.returncode, shown.stderr) == (0, "")
    [current] = [line for line in shown.stdout.splitlines() if line.startswith(ready.name)]
    assert current.split()[1] == base and current.rstrip().endswith("  1  current")
    [stale] = [line for line in shown.stdout.splitlines() if line.startswith(old.name)]
    assert stale.rstrip().endswith("  -  stale")
    [own] = [line for line in shown.stdout.splitlines() if line.startswith(container.name)]
    assert ready.name in own and " ".join(own.split()).endswith(f"process {os.getpid()} is there")
    assert [
        (image["base"], image["is_current"], image["containers"])
        for image in rows(found, ready.name)
    ] == [(base, True, 1)]
    [told] = [each for each in json.loads(found.stdout)["containers"] if each["id"] == container.id]
    assert (told["is_gone"], told["pid"], told["state"]) == (False, str(os.getpid()), "running")


# -- prune


def test_what_is_of_another_version_is_removed_and_what_is_current_stays(
    fumehood_here, engine, base, repository, old
):
    ready = own_image(base, repository).ensure(engine)
    done = fumehood_here("docker", "prune", "--yes", "--json")
    assert done.returncode == 0
    told = json.loads(done.stdout)
    assert old.name in told["images"] and ready.name not in told["images"]
    assert images.find(engine, old.name) is None and images.find(engine, ready.name) is not None
    shown = fumehood_here("docker", "prune", "--yes")
    assert shown.stdout.startswith(("nothing to remove", "removed 0 images"))


def test_containers_of_processes_that_are_gone_are_removed(fumehood_here, engine, base, is_there):
    program = "import json; from fumehood.docker import containers as owners; print(json.dumps(owners.labels()))"
    gone = json.loads(
        subprocess.run(
            [sys.executable, "-c", program], capture_output=True, text=True, check=True
        ).stdout
    )
    made = engine.ask(
        "POST",
        "/containers/create",
        body={"Image": images.find(engine, base).id, "Cmd": ["python3"], "Labels": gone},
    )
    assert fumehood_here("docker", "prune", "--yes").returncode == 0
    # Another process's sweep may be removing it: prune does not wait for that.
    wait_until(lambda: not is_there(made["Id"]), "it is removed")


@pytest.mark.parametrize(("answer", "code"), [("n", 1), ("y", 0)])
def test_at_a_terminal_it_shows_what_would_go_and_asks(engine, repository, old, answer, code):
    program = (
        f"from fumehood.docker import images; images.REPOSITORY = {repository!r}\nfrom"
        " fumehood.cli.app import app; app()"
    )
    wide = {**os.environ, "COLUMNS": "150"}
    ours, theirs = pty.openpty()
    process = subprocess.Popen(
        [sys.executable, "-c", program, "docker", "prune"],
        stdin=theirs,
        stdout=theirs,
        stderr=theirs,
        env=wide,
    )
    os.close(theirs)
    os.write(ours, f"{answer}\n".encode())
    shown = b""
    with contextlib.suppress(OSError):
        while data := os.read(ours, 4096):
            shown += data
    assert process.wait(60) == code
    os.close(ours)
    assert old.name.encode() in shown and b"Remove them?" in shown
    assert (images.find(engine, old.name) is None) is (answer == "y")
