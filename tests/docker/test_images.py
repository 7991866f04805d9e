"""Images: built once, found again, and what is said when they cannot be built."""

from __future__ import annotations

import contextlib
import functools
import http.server
import json
import secrets
import shutil
import subprocess
import sys
import threading
import zipfile

import pytest

from fumehood.docker import images as inside
from fumehood.docker.images import BASE, INSIDE, PACKAGES, Image, find
from fumehood.errors import DockerFailed, ImageBuildFailed, ImageMissing, PolicyError


@pytest.fixture
def removed(engine):
    """Removes images by their names when the test is over."""
    names: list[str] = []
    yield names.append
    for name in names:
        with contextlib.suppress(DockerFailed):
            engine.ask("DELETE", f"/images/{name}", {"force": 1})


@pytest.fixture
def own_base(engine, base, removed):
    """The base under a name that no other test uses."""
    name = f"fumehood-test-{secrets.token_hex(6)}"
    engine.ask("POST", f"/images/{base}/tag", {"repo": name, "tag": "1"})
    removed(f"{name}:1")
    return f"{name}:1"


@pytest.fixture
def lines():
    return []


# -- what is asked for


@pytest.mark.parametrize(
    ("asked", "told"),
    [
        ({"base": ""}, "base must be the name of an image, such as 'python:3.12-slim', not ''"),
        ({"base": "a b"}, "base must be the name of an image"),
        ({"image": 7}, "image must be the name of an image"),
        ({"image": "a", "base": "b"}, "image and base both say what to build on: give one of them"),
        ({"base": "b", "dockerfile": "FROM x\n"}, "base and dockerfile both say what to build on"),
        ({"packages": "numpy"}, r"packages must be a list, not one string; write \['numpy'\]"),
        ({"packages": ["--index-url=http://evil"]}, "a package must be what pip installs"),
        ({"packages": ["numpy\nRUN evil"]}, "a package must be what pip installs"),
        ({"packages": [7]}, "a package must be what pip installs"),
        (
            {"dockerfile": "/no/such/file"},
            "dockerfile must be a path or the text of one, and '/no/such/file' cannot be read",
        ),
        ({"dockerfile": "RUN x\nRUN y"}, "dockerfile has no FROM"),
        (
            {"build_kwargs": {"tag": "mine"}},
            "build_kwargs cannot hold 'tag': images are tagged by what they hold",
        ),
    ],
)
def test_what_cannot_be_is_told_before_anything_is_done(asked, told):
    with pytest.raises(PolicyError, match=told):
        Image.for_(**asked)


# -- being there


def test_an_image_is_built_once_and_found_again(engine, own_base, lines, removed):
    built = Image.for_(base=own_base).ensure(engine, lines.append)
    removed(built.name)
    assert any(line.startswith("Step 1/") for line in lines)
    assert built.name == Image.for_(base=own_base).tag(find(engine, own_base).id)
    assert (
        built.labels[INSIDE] == inside.digest()
        and built.labels[BASE] == own_base
        and built.labels[PACKAGES] == ""
    )
    lines.clear()
    assert Image.for_(base=own_base).ensure(engine, lines.append) == built
    assert lines == []


def test_an_image_of_ours_is_used_as_it_is_and_any_other_is_a_base(
    engine, image, own_base, removed
):
    assert Image.for_(image=image.name).ensure(engine).id == image.id
    on_top = Image.for_(image=own_base).ensure(engine)
    removed(on_top.name)
    assert on_top.labels[BASE] == own_base
    assert Image.for_(image=on_top.id).ensure(engine).id == on_top.id


def test_two_that_want_the_same_image_at_once_build_it_once(engine, own_base, removed):
    lines: list[list[str]] = [[], []]
    found: list[str] = []

    def want(mine):
        found.append(Image.for_(base=own_base).ensure(engine, mine.append).id)

    threads = [threading.Thread(target=want, args=(mine,)) for mine in lines]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    removed(Image.for_(base=own_base).tag(find(engine, own_base).id))
    assert len(set(found)) == 1 and len(found) == 2
    waited = ["another process is building the same image: waiting for it"]
    assert [mine for mine in lines if not any(line.startswith("Step") for line in mine)] in (
        [[]],
        [waited],
    )


# -- with packages


@pytest.fixture
def wheel(tmp_path):
    """A package of one module, made by hand."""
    path = tmp_path / "fumehood_test_package-1.0-py3-none-any.whl"
    with zipfile.ZipFile(path, "w") as file:
        file.writestr("fumehood_test_package.py", "ANSWER = 42\n")
        info = "fumehood_test_package-1.0.dist-info"
        file.writestr(
            f"{info}/METADATA", "Metadata-Version: 2.1\nName: fumehood-test-package\nVersion: 1.0\n"
        )
        file.writestr(
            f"{info}/WHEEL",
            "Wheel-Version: 1.0\nGenerator: hand\nRoot-Is-Purelib: true\nTag: py3-none-any\n",
        )
        file.writestr(
            f"{info}/RECORD",
            f"fumehood_test_package.py,,\n{info}/METADATA,,\n{info}/WHEEL,,\n{info}/RECORD,,\n",
        )
    return str(path)


@pytest.mark.long
def test_packages_are_installed_from_a_file(engine, own_base, wheel, start, output, removed):
    built = Image.for_(base=own_base, packages=[wheel]).ensure(engine)
    removed(built.name)
    program = """import fumehood_test_package, os
print(fumehood_test_package.ANSWER, os.path.exists(fumehood_test_package.__cached__), os.path.exists("/opt/fumehood/wheels"))
print([name for name in os.environ if name.startswith("PIP")])"""
    assert output(start(program, image=built)) == "42 True False\n[]\n"


@pytest.fixture
def index(wheel, tmp_path):
    """An index of packages with one in it, on this machine; gives its address."""
    directory = tmp_path / "simple" / "fumehood-test-package"
    directory.mkdir(parents=True)
    shutil.copy(wheel, directory)
    handler = functools.partial(http.server.SimpleHTTPRequestHandler, directory=str(tmp_path))
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://someone:secret@127.0.0.1:{server.server_port}/simple"
        server.shutdown()


@pytest.mark.long
def test_packages_are_brought_from_where_the_callers_pip_looks_for_them(
    engine, own_base, index, start, output, removed, monkeypatch, lines
):
    if not engine.is_local:
        pytest.skip("the engine is on another machine, and the index on this one")
    monkeypatch.setenv("PIP_INDEX_URL", index)
    wanted = Image.for_(
        base=own_base, packages=["fumehood-test-package>=1"], build_kwargs={"network_mode": "host"}
    )
    built = wanted.ensure(engine, lines.append)
    removed(built.name)
    program = (
        "import fumehood_test_package, os; print(fumehood_test_package.ANSWER, 'PIP_INDEX_URL' in"
        " os.environ)"
    )
    assert output(start(program, image=built)) == "42 False\n"
    assert (
        "the password in PIP_INDEX_URL will be readable in the history of the image; do not"
        " publish it" in lines
    )


@pytest.mark.long
def test_a_package_that_does_not_exist_is_told(engine, own_base, monkeypatch):
    monkeypatch.setenv("PIP_RETRIES", "0")
    with pytest.raises(
        ImageBuildFailed, match=r"building an image from .* with no-such-package-7f failed: "
    ) as failed:
        Image.for_(
            base=own_base, packages=["no-such-package-7f"], build_kwargs={"network_mode": "none"}
        ).ensure(engine)
    assert "\n" not in str(failed.value)
    assert any("no-such-package-7f" in line for line in failed.value.output)


# -- with a Dockerfile


@pytest.mark.long
def test_a_dockerfile_makes_the_base(engine, base, start, output, tmp_path, removed):
    (tmp_path / "data.txt").write_text("from the directory")
    marker = secrets.token_hex(4)
    text = f"""FROM {base}
ARG SAID
COPY data.txt /data.txt
RUN ["python3", "-c", "import os; open('/said.txt', 'w').write(os.environ['SAID'])"]
ENV MARKER={marker}
USER 1000
"""
    (tmp_path / "Dockerfile").write_text(text)
    wanted = Image.for_(
        dockerfile=tmp_path / "Dockerfile", build_kwargs={"buildargs": {"SAID": "by the caller"}}
    )
    built = wanted.ensure(engine)
    removed(built.name)
    removed(wanted.base_tag)
    program = (
        "import os; print(open('/data.txt').read(), '|', open('/said.txt').read(), '|',"
        " os.environ['MARKER'])"
    )
    assert output(start(program, image=built)) == f"from the directory | by the caller | {marker}\n"
    lines: list[str] = []
    assert wanted.ensure(engine, lines.append).id == built.id and lines == []


def test_a_dockerfile_that_fails_is_told_with_its_output(engine, base):
    program = json.dumps(["python3", "-c", "print('all is not well'); raise SystemExit(7)"])
    with pytest.raises(
        ImageBuildFailed,
        match=r"building the base by the Dockerfile failed: .*returned a non-zero code: 7",
    ) as failed:
        Image.for_(dockerfile=f"FROM {base}\nRUN {program}\n").ensure(engine)
    assert "all is not well" in failed.value.output
    assert "\n" not in str(failed.value)


# -- bases that will not do


def test_a_base_that_is_nowhere_is_told(engine):
    with pytest.raises(
        ImageMissing,
        match=(
            r"the image 'localhost:1/no/such:image' is not on this engine and cannot be pulled:"
            r" .*docker load"
        ),
    ) as missing:
        Image.for_(base="localhost:1/no/such:image").ensure(engine)
    assert "\n" not in str(missing.value)


@pytest.mark.long
def test_a_base_without_python_is_told(engine, removed):
    name = f"fumehood-test-{secrets.token_hex(6)}"
    with engine.client() as client:
        client.import_image_from_data(b"\0" * 10240, repository=name, tag="empty")
    removed(f"{name}:empty")
    with pytest.raises(
        ImageBuildFailed,
        match=(
            r"the base has no python3. fumehood needs Python 3.11 or newer: name a base that"
            r" holds it"
        ),
    ):
        Image.for_(base=f"{name}:empty").ensure(engine)


def test_a_build_that_fails_leaves_no_container(engine, base):
    marker = secrets.token_hex(6)
    program = json.dumps(["python3", "-c", f"raise SystemExit('{marker}')"])
    with pytest.raises(ImageBuildFailed):
        Image.for_(dockerfile=f"FROM {base}\nLABEL marker={marker}\nRUN {program}\n").ensure(engine)
    filters = json.dumps({"label": [f"marker={marker}"]})
    assert engine.ask("GET", "/containers/json", {"all": 1, "filters": filters}) == []


def test_without_the_docker_package_the_extra_is_named(base):
    program = f"""import sys; sys.modules["docker"] = None
from fumehood.docker.engine import Engine
from fumehood.docker.images import Image
try: Image.for_(base={base!r}).ensure(Engine())
except ImportError as error: print(type(error).__name__, error)"""
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True
    )
    assert done.stdout == (
        "MissingExtra code in containers needs the package docker: pip install 'fumehood[docker]'\n"
    )
