"""files.*, as E2B's own SDK calls it."""

from __future__ import annotations

import gzip
import io
import time
from typing import Any

import httpx
import pytest
from e2b import (
    FileNotFoundException,
    FilesystemEventType,
    FileType,
    InvalidArgumentException,
    SandboxException,
)
from e2b_code_interpreter import Sandbox

from .service import Service, until


def test_a_file_is_written_and_read_as_text_as_bytes_and_as_a_stream(sandbox: Sandbox) -> None:
    written = sandbox.files.write("texts/hello.txt", "hällo")
    assert (written.name, written.path, written.type) == (
        "hello.txt",
        "/home/user/texts/hello.txt",
        FileType.FILE,
    )
    for path in (
        "texts/hello.txt",
        "/home/user/texts/hello.txt",
        "~/texts/hello.txt",
        "./texts/../texts/hello.txt",
    ):
        assert sandbox.files.read(path) == "hällo"
    assert sandbox.files.read("texts/hello.txt", format="bytes") == "hällo".encode()
    assert b"".join(sandbox.files.read("texts/hello.txt", format="stream")) == "hällo".encode()
    assert sandbox.run_code("open('/home/user/texts/hello.txt').read()").text == "hällo"


LARGE = bytes(range(256)) * 10_000


@pytest.mark.parametrize(
    ("data", "options"),
    [
        pytest.param(LARGE, {}, id="bytes in a form"),
        pytest.param(LARGE, {"use_octet_stream": True}, id="bytes as they are"),
        pytest.param(LARGE, {"gzip": True}, id="packed"),
        pytest.param(io.BytesIO(LARGE), {}, id="a file"),
        pytest.param(iter([LARGE[:1_000_000], LARGE[1_000_000:]]), {}, id="pieces"),
        pytest.param(b"", {}, id="nothing in a form"),
        pytest.param(b"", {"use_octet_stream": True}, id="nothing as it is"),
    ],
)
def test_every_way_to_upload_writes_the_same_bytes(
    sandbox: Sandbox, data: Any, options: dict[str, Any]
) -> None:
    expected = b"" if data == b"" else LARGE
    sandbox.files.write("large.bin", b"something longer that was there before")
    sandbox.files.write("large.bin", data, **options)
    assert sandbox.files.read("large.bin", format="bytes") == expected
    assert b"".join(sandbox.files.read("large.bin", format="stream")) == expected


def test_entries_are_listed_as_deep_as_was_asked_for(sandbox: Sandbox) -> None:
    sandbox.files.write("tree/a/b/c.txt", "12345")
    sandbox.run_code(
        "import os\nos.symlink('a/b/c.txt', 'tree/link')\nos.chmod('tree/a/b/c.txt', 0o640)"
    )
    assert [entry.path for entry in sandbox.files.list("tree")] == [
        "/home/user/tree/a",
        "/home/user/tree/link",
    ]
    deep = {
        entry.path.removeprefix("/home/user/tree/"): entry
        for entry in sandbox.files.list("/home/user/tree", depth=3)
    }
    assert set(deep) == {"a", "a/b", "a/b/c.txt", "link"}
    file = deep["a/b/c.txt"]
    assert (file.name, file.type, file.size, file.mode, file.permissions) == (
        "c.txt",
        FileType.FILE,
        5,
        0o640,
        "-rw-r-----",
    )
    assert abs(file.modified_time.timestamp() - time.time()) < 3600
    assert (deep["link"].type, deep["link"].symlink_target) == (FileType.SYMLINK, "a/b/c.txt")
    assert deep["a"].type is FileType.DIR
    assert {entry.path for entry in sandbox.files.list("/")} == {"/home", "/tmp"}
    assert {entry.path for entry in sandbox.files.list("/home")} == {"/home/user"}


def test_names_are_looked_for_made_changed_and_removed(sandbox: Sandbox) -> None:
    files = sandbox.files
    assert files.make_dir("made/deep") is True and files.make_dir("made/deep") is False
    assert files.exists("made/deep") and not files.exists("made/not") and files.exists("/home/user")
    files.write("made/deep/old.txt", "content")
    renamed = files.rename("made/deep/old.txt", "moved/new.txt")
    assert (renamed.path, files.exists("made/deep/old.txt"), files.read("moved/new.txt")) == (
        "/home/user/moved/new.txt",
        False,
        "content",
    )
    assert files.get_info("moved/new.txt").size == 7
    files.remove("moved")
    assert not files.exists("moved")


WRONG: dict[str, tuple[Any, type[Exception], str]] = {
    "a file that is not there": (
        lambda files: files.read("nowhere.txt"),
        FileNotFoundException,
        "there is no file 'nowhere.txt'",
    ),
    "what is not there": (
        lambda files: files.get_info("nowhere"),
        FileNotFoundException,
        "there is no file or directory",
    ),
    "a list of what is not there": (
        lambda files: files.list("nowhere"),
        FileNotFoundException,
        "nowhere",
    ),
    "a list of a file": (lambda files: files.list("plain"), InvalidArgumentException, "plain"),
    "a directory that is read": (
        lambda files: files.read("folder"),
        InvalidArgumentException,
        "folder",
    ),
    "a file of the machine's": (
        lambda files: files.read("/etc/passwd"),
        InvalidArgumentException,
        "cannot be reached",
    ),
    "a path that leads out": (
        lambda files: files.read("../../etc/passwd"),
        InvalidArgumentException,
        "cannot be reached",
    ),
    "a path that leads out, written": (
        lambda files: files.write("../../etc/x", ""),
        InvalidArgumentException,
        "cannot be reached",
    ),
    "a null character": (lambda files: files.list("a\0b"), InvalidArgumentException, "null"),
    "a name that is too long": (
        lambda files: files.write("n" * 300, ""),
        (InvalidArgumentException, SandboxException),
        "",
    ),
    "home removed": (
        lambda files: files.remove("/home/user"),
        InvalidArgumentException,
        "neither moved nor removed",
    ),
    "what is not there, renamed": (
        lambda files: files.rename("nowhere", "x"),
        FileNotFoundException,
        "nowhere",
    ),
    "a file in the place of a directory": (
        lambda files: files.write("plain/x", ""),
        InvalidArgumentException,
        "",
    ),
    "a watch of what is not there": (
        lambda files: files.watch_dir("nowhere"),
        FileNotFoundException,
        "there is no directory",
    ),
    "a watch of a file": (
        lambda files: files.watch_dir("plain"),
        InvalidArgumentException,
        "is no directory",
    ),
}


@pytest.mark.parametrize("what", WRONG)
def test_what_cannot_be_is_the_sdks_own_exception_with_one_line(
    sandbox: Sandbox, what: str
) -> None:
    sandbox.files.write("plain", "")
    sandbox.files.make_dir("folder")
    call, kind, text = WRONG[what]
    with pytest.raises(kind) as caught:
        call(sandbox.files)
    assert text in str(caught.value) and "\n" not in str(caught.value)


def test_links_out_of_the_sandbox_lead_nowhere(sandbox: Sandbox) -> None:
    sandbox.run_code("import os\nos.symlink('/etc/passwd', 'out')\nos.symlink('/', 'root')")
    for path in ("out", "root/etc/passwd", "root/proc/1/environ"):
        with pytest.raises(SandboxException):
            sandbox.files.read(path)
    with pytest.raises(SandboxException):
        sandbox.files.write("root/home/user/x", "")


def test_metadata_stays_with_a_file(sandbox: Sandbox) -> None:
    written = sandbox.files.write("labelled.txt", "x", metadata={"Origin": "here"})
    assert written.metadata == {"origin": "here"}
    assert sandbox.files.get_info("labelled.txt").metadata == {"origin": "here"}
    assert sandbox.files.rename("labelled.txt", "relabelled.txt").metadata == {"origin": "here"}
    sandbox.files.remove("relabelled.txt")
    sandbox.files.write("relabelled.txt", "x")
    assert sandbox.files.get_info("relabelled.txt").metadata is None


def test_a_watched_directory_tells_what_happens_in_it(sandbox: Sandbox) -> None:
    sandbox.files.make_dir("watched/inner")
    handle = sandbox.files.watch_dir("watched", include_entry=True)
    sandbox.files.write("watched/new.txt", "1")
    sandbox.files.write("watched/inner/unseen.txt", "1")
    seen: list[Any] = []

    def has_written() -> bool:
        seen.extend(handle.get_new_events())
        return any(event.type is FilesystemEventType.WRITE for event in seen)

    until(has_written)
    assert {event.name for event in seen} == {"new.txt"}
    assert (
        seen[0].type is FilesystemEventType.CREATE
        and seen[0].entry.path == "/home/user/watched/new.txt"
    )
    handle.stop()
    with pytest.raises(SandboxException):
        handle.get_new_events()


def test_links_for_others_are_good_for_one_file_one_way_and_as_long_as_they_say(
    sandbox: Sandbox, service: Service
) -> None:
    sandbox.files.write("given.txt", "for you")
    link = sandbox.download_url("given.txt")
    assert httpx.get(link, timeout=60).text == "for you"
    assert (
        httpx.get(sandbox.download_url("given.txt", use_signature_expiration=60), timeout=60).text
        == "for you"
    )
    uploaded = httpx.post(
        sandbox.upload_url("from-you.txt"),
        files={"file": ("whatever", b"thanks")},
        timeout=60,
    )
    assert uploaded.json() == [
        {"name": "from-you.txt", "type": "file", "path": "/home/user/from-you.txt"}
    ]
    assert sandbox.files.read("from-you.txt") == "thanks"
    for bad in (
        link.replace("given.txt", "other.txt"),
        sandbox.upload_url("given.txt"),
        sandbox.download_url("given.txt", use_signature_expiration=-10),
        f"{service.served.url}/files?path=given.txt&signature=v1_guess",
    ):
        refused = httpx.get(bad, timeout=60)
        assert refused.status_code == 401 and "for you" not in refused.text


def test_a_link_to_read_a_file_is_none_to_write_another_whatever_the_file_is_called(
    sandbox: Sandbox, service: Service
) -> None:
    """What is signed has colons between its parts, and so may a name."""
    sandbox.files.write("mine.txt", "as it was")
    sandbox.files.write("mine.txt:write:x", "for you")
    link = httpx.URL(sandbox.download_url("mine.txt:write:x"))
    assert httpx.get(link, timeout=60).text == "for you"
    user = link.params.get("username", "")
    turned = link.copy_merge_params({"path": "mine.txt", "username": f"x:read:{user}"})
    refused = httpx.post(
        turned,
        content=b"changed",
        headers={"content-type": "application/octet-stream"},
        timeout=60,
    )
    assert refused.status_code == 400
    assert sandbox.files.read("mine.txt") == "as it was"


def _post(
    sandbox: Sandbox,
    service: Service,
    content: bytes,
    headers: dict[str, str],
    path: str | None = "x",
) -> httpx.Response:
    own = {"E2b-Sandbox-Id": sandbox.sandbox_id, "X-Access-Token": sandbox._envd_access_token or ""}
    params = {} if path is None else {"path": path}
    return httpx.post(
        f"{service.served.url}/files",
        params=params,
        content=content,
        headers={**own, **headers},
        timeout=60,
    )


BODIES: dict[str, tuple[bytes, dict[str, str], str | None, int]] = {
    "gzip that is none": (
        b"no gzip",
        {"content-type": "application/octet-stream", "content-encoding": "gzip"},
        "x",
        400,
    ),
    "gzip that ends early": (
        gzip.compress(b"x" * 9999)[:-12],
        {"content-type": "application/octet-stream", "content-encoding": "gzip"},
        "x",
        400,
    ),
    "gzip that grows without end": (
        gzip.compress(bytes(140 << 20), 1),
        {"content-type": "application/octet-stream", "content-encoding": "gzip"},
        "x",
        413,
    ),
    "no name": (b"x", {"content-type": "application/octet-stream"}, None, 400),
    "another kind": (b"x", {"content-type": "text/plain"}, "x", 415),
    "a form without a boundary": (b"x", {"content-type": "multipart/form-data"}, "x", 400),
    "a form that is none": (
        b"nonsense",
        {"content-type": "multipart/form-data; boundary=b"},
        "x",
        400,
    ),
    "a form without a file": (
        b'--b\r\nContent-Disposition: form-data; name="other"\r\n\r\nx\r\n--b--\r\n',
        {"content-type": "multipart/form-data; boundary=b"},
        "x",
        400,
    ),
    "a file without a name": (
        b'--b\r\nContent-Disposition: form-data; name="file"\r\n\r\nx\r\n--b--\r\n',
        {"content-type": "multipart/form-data; boundary=b"},
        None,
        400,
    ),
    "a name that leads out": (
        (
            b'--b\r\nContent-Disposition: form-data; name="file";'
            b' filename="../../etc/x"\r\n\r\nx\r\n--b--\r\n'
        ),
        {"content-type": "multipart/form-data; boundary=b"},
        None,
        400,
    ),
}


@pytest.mark.parametrize("what", BODIES)
def test_a_body_that_cannot_be_read_is_refused(
    sandbox: Sandbox, service: Service, what: str
) -> None:
    content, headers, path, status = BODIES[what]
    answer = _post(sandbox, service, content, headers, path)
    assert answer.status_code == status and answer.json()["message"]
