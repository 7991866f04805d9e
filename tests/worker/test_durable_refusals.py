"""What a saved state may not do, and states that are none: refused in words, by a session of this
process."""

from __future__ import annotations

import json
import pickle
import struct

import pytest

from fumehood import Policy, PolicyError
from fumehood.language.run import Session
from fumehood.worker import durable
from fumehood.worker.durable_library import INTERNALS, Library, NotFound
from fumehood.worker.durable_writing import WORDS

POLICY = Policy(imports=("numpy", "pandas"))


def _session(cell: str = "") -> Session:
    session = Session(POLICY)
    execution = session.run(cell)
    assert execution.error is None, execution.error.traceback
    return session


def _payload(
    stream: bytes, names: list[str] | None = None, sources: dict[str, str] | None = None
) -> bytes:
    text = json.dumps({"names": names or [], "sources": sources or {}}).encode()
    return stream + text + struct.pack(">Q", len(text))


@pytest.mark.parametrize(
    ("module", "name"),
    [
        ("os", "system"), ("posix", "system"), ("subprocess", "Popen"), ("sys", "modules"), ("types", "CodeType"),
        ("importlib", "import_module"), ("numpy", "load"), ("numpy", "memmap"), ("pandas", "read_pickle"),
        ("numpy.lib.npyio", "NpzFile"), ("pandas.io.pytables", "HDFStore"), ("fumehood.worker.durable_library", "Library"),
        ("pickle", "loads"),
        ("builtins", "__loader__"), ("collections", "_sys.modules"), ("numpy.testing", "TestCase"), ("ctypes", "CDLL"),
    ],
)  # fmt: skip
def test_a_name_that_code_could_not_have_is_not_found(module: str, name: str) -> None:
    library = Library(_session())
    with pytest.raises((NotFound, AttributeError, ImportError)):
        library.find(module, name)


def test_dangerous_builtins_are_the_guarded_ones() -> None:
    session = _session()
    library = Library(session)
    for name in (
        "eval",
        "exec",
        "compile",
        "getattr",
        "setattr",
        "open",
        "__import__",
        "input",
        "vars",
        "globals",
    ):
        assert library.find("builtins", name) is session.builtins[name]
        assert library.find("builtins", name) is not __builtins__[name]  # type: ignore[index]


def test_every_internal_name_has_a_reason_and_exists_where_its_library_has_it() -> None:
    assert all(INTERNALS.values())
    present = Library(_session())
    assert present.find("numpy._core.multiarray", "_reconstruct") is not None
    with pytest.raises(NotFound, match="numpy"):
        Library(Session(Policy())).find("numpy._core.multiarray", "_reconstruct")


BAD_STREAMS = {
    "nothing": b"",
    "not a pickle": b"hello",
    "cut off": pickle.dumps(list(range(100)))[:-20],
    "a huge length": b"\x80\x05\x8e" + struct.pack("<Q", 1 << 60) + b".",
    "an unknown word": b"\x80\x05\x8c\x05evil!Q.",
    "a word that is no text": b"\x80\x05]Q.",
    "deep nesting": b"\x80\x05" + b"(" * 100_000 + b"t" * 100_000 + b".",
    "a stack underflow": b"\x80\x05000.",
    "os.system": b"cos\nsystem\n(S'true'\ntR.",
    "not the variables it names": pickle.dumps({"a": 1}),
    "not a dictionary": pickle.dumps([1]),
    "builtins among the variables": pickle.dumps({"__builtins__": {}}),
    "an exit": b"\x80\x05cbuiltins\nSystemExit\n)R.",
    "a library's class changed": (
        b"\x80\x05\x8c\x0eset_attributesQ"
        b"\x8c\x06memberQ\x8c\x09fractions\x8c\x08Fraction\x86R}\x8c\x01xK\x01s\x86R."
    ),
}


@pytest.mark.parametrize("stream", BAD_STREAMS.values(), ids=BAD_STREAMS)
def test_a_bad_stream_is_refused_in_words(stream: bytes) -> None:
    session = Session(POLICY)
    with pytest.raises((durable.StateUnreadable, PolicyError)):
        durable.load(session, _payload(stream))
    assert session.namespace == {}


@pytest.mark.parametrize(
    "payload",
    [
        b"",
        b"short",
        b"x" * 100,
        *(text + struct.pack(">Q", 2) for text in (b"{}", b"[]", b"xx")),
        struct.pack(">Q", 1 << 63),
    ],
)
def test_a_payload_that_is_none_is_refused_in_words(payload: bytes) -> None:
    with pytest.raises(durable.StateUnreadable):
        durable.load(Session(POLICY), payload)


def test_a_function_that_is_not_in_its_source_is_refused() -> None:
    good = durable.save(_session("def f(): return 1"))["payload"]
    (length,) = struct.unpack(">Q", good[-8:])
    stream, text = good[: -8 - length], json.loads(good[-8 - length : -8])
    with pytest.raises(durable.StateUnreadable, match="does not have it"):
        durable.load(
            Session(POLICY), _payload(stream, text["names"], dict.fromkeys(text["sources"], ""))
        )
    with pytest.raises(durable.StateUnreadable):
        durable.load(Session(POLICY), _payload(stream, text["names"], {}))
    with pytest.raises(durable.StateUnreadable, match="SyntaxError"):
        durable.load(
            Session(POLICY), _payload(stream, text["names"], dict.fromkeys(text["sources"], "def"))
        )


def test_every_word_that_is_written_can_be_read() -> None:
    words = b"".join(b"\x8c" + bytes([len(word)]) + word.encode() + b"Q0" for word in WORDS)
    durable.load(Session(POLICY), _payload(b"\x80\x05" + words + b"}."))
