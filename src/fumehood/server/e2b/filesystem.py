"""Files by name: what is where, and what happens to it."""

from __future__ import annotations

import asyncio
import contextlib
import secrets
import stat
import threading
from collections.abc import Callable
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any, Final

from fumehood.executors.files import Entry, FileEvent
from fumehood.server.e2b import connect, paths, shapes
from fumehood.server.e2b.connect import CallFailed, Opened
from fumehood.server.e2b.state import MOST_WATCHERS, State, state_of
from fumehood.server.e2b.streams import Pipe, Unread
from fumehood.server.refusals import Busy, NotFound
from fumehood.server.sandbox import Sandbox

if TYPE_CHECKING:
    from fumehood.server.server import Server

_TYPES: Final = {
    "file": "FILE_TYPE_FILE",
    "directory": "FILE_TYPE_DIRECTORY",
    "link": "FILE_TYPE_SYMLINK",
}
_MODES: Final = {"file": stat.S_IFREG, "directory": stat.S_IFDIR, "link": stat.S_IFLNK, "other": 0}
_EVENTS: Final = {
    kind: f"EVENT_TYPE_{kind.upper()}" for kind in ("create", "write", "remove", "rename", "chmod")
}
_LOOK_SECONDS: Final = 0.5
_MOST_HELD: Final = 10_000
_DEEPEST: Final = 64


def files(sandbox: Sandbox) -> Any:
    return sandbox.executor.files


def entry_shape(entry: Entry, metadata: dict[str, str] | None = None) -> dict[str, Any]:
    """An entry in protobuf's JSON: 64-bit numbers are texts, and a moment is one too."""
    shape: dict[str, Any] = {
        "name": _text(entry.name) if entry.path else "user",
        "type": _TYPES.get(entry.kind, "FILE_TYPE_UNSPECIFIED"),
        "path": _text(paths.whole(entry.path)),
        "size": str(entry.size),
        "mode": entry.mode & 0o7777,
        "permissions": stat.filemode(_MODES[entry.kind] | entry.mode & 0o7777),
        "owner": "user",
        "group": "user",
        "modifiedTime": _moment(entry.modified),
    }
    if entry.kind == "link":
        shape["symlinkTarget"] = _text(entry.target)
    if metadata:
        shape["metadata"] = metadata
    return shape


def _above(path: str) -> dict[str, Any]:
    """A directory that home is in."""
    return {
        "name": path.rpartition("/")[2] or "/",
        "type": "FILE_TYPE_DIRECTORY",
        "path": path,
        "size": "0",
        "mode": 0o755,
        "permissions": "drwxr-xr-x",
        "owner": "root",
        "group": "root",
        "modifiedTime": _moment(0.0),
    }


def _text(text: str) -> str:
    return text.encode("utf-8", "backslashreplace").decode()


def _moment(seconds: float) -> str:
    """Code can set a file's time to anything."""
    try:
        return datetime.fromtimestamp(seconds, UTC).isoformat().replace("+00:00", "Z")
    except (ValueError, OverflowError, OSError):
        return "1970-01-01T00:00:00Z"


# -- calls


async def stat_entry(sandbox: Sandbox, wanted: shapes.PathRequest) -> dict[str, Any]:
    if paths.above(wanted.path) is not None:
        return {"entry": _above(wanted.path)}
    path = paths.inside(wanted.path)
    entry = await sandbox.aside(files(sandbox).look, path)
    if entry is None:
        raise NotFound(f"there is no file or directory {wanted.path!r}")
    return {"entry": entry_shape(entry, state_of(sandbox).metadata.get(path))}


async def list_dir(sandbox: Sandbox, wanted: shapes.ListDir) -> dict[str, Any]:
    above = paths.above(wanted.path)
    if above is not None:
        return {"entries": [_above(f"{wanted.path.rstrip('/')}/{name}") for name in above]}
    path = paths.inside(wanted.path)
    entries = await sandbox.aside(files(sandbox).entries, path, min(max(wanted.depth, 1), _DEEPEST))
    kept = state_of(sandbox).metadata
    return {"entries": [entry_shape(entry, kept.get(entry.path)) for entry in entries]}


async def make_dir(sandbox: Sandbox, wanted: shapes.PathRequest) -> dict[str, Any]:
    path = paths.inside(wanted.path)
    if not path or not await sandbox.aside(files(sandbox).make_directory, path):
        raise CallFailed("already_exists", f"there is a directory {wanted.path!r} already")
    return await stat_entry(sandbox, wanted)


async def move(sandbox: Sandbox, wanted: shapes.Move) -> dict[str, Any]:
    source, destination = paths.inside(wanted.source), paths.inside(wanted.destination)
    _must_not_be_home(source, destination)
    entry = await sandbox.aside(files(sandbox).rename, source, destination)
    state = state_of(sandbox)
    state.moved(source, destination)
    return {"entry": entry_shape(entry, state.metadata.get(destination))}


async def remove(sandbox: Sandbox, wanted: shapes.PathRequest) -> dict[str, Any]:
    path = paths.inside(wanted.path)
    _must_not_be_home(path)
    await sandbox.aside(files(sandbox).remove, path)
    state_of(sandbox).moved(path, None)
    return {}


def _must_not_be_home(*given: str) -> None:
    if "" in given:
        raise CallFailed(
            "invalid_argument", f"{paths.HOME} itself can be neither moved nor removed"
        )


# -- watching


class Watcher:
    """A watch that somebody asks from time to time what has happened."""

    def __init__(self, sandbox: Sandbox, watch: Any, base: str, include_entry: bool) -> None:
        self._sandbox = sandbox
        self._watch = watch
        self._base = base
        self._include_entry = include_entry

    def wait(self, seconds: float) -> list[dict[str, Any]]:
        """What has happened since the last time, or happens within so many seconds. From a
        thread."""
        return [self._shape(event) for event in self._watch.wait(seconds)[:_MOST_HELD]]

    def _shape(self, event: FileEvent) -> dict[str, Any]:
        """Names are relative to what is watched."""
        name = (
            event.path[len(self._base) :].lstrip("/")
            if self._base and event.path.startswith(self._base)
            else event.path
        )
        shape: dict[str, Any] = {
            "name": _text(name),
            "type": _EVENTS.get(event.kind, "EVENT_TYPE_UNSPECIFIED"),
        }
        if self._include_entry:
            with contextlib.suppress(OSError, ValueError):
                entry = files(self._sandbox).look(event.path)
                if entry is not None:
                    shape["entry"] = entry_shape(entry)
        return shape

    def close(self) -> None:
        self._watch.close()


async def _watcher(sandbox: Sandbox, wanted: shapes.Watch) -> Watcher:
    state = state_of(sandbox)
    if len(state.watchers) + len(state.feeds) >= MOST_WATCHERS:
        raise Busy(
            f"a sandbox may have {MOST_WATCHERS} watchers, and this one has them; stop some",
            retry_after=10,
        )
    path = paths.inside(wanted.path)
    entry = await sandbox.aside(files(sandbox).look, path)
    if entry is None:
        raise NotFound(f"there is no directory {wanted.path!r}")
    if entry.kind != "directory":
        raise CallFailed(
            "invalid_argument", f"{wanted.path!r} is no directory, and nothing else can be watched"
        )
    watch = await sandbox.aside(lambda: files(sandbox).watch(path, recursive=wanted.recursive))
    return Watcher(sandbox, watch, path, wanted.include_entry)


async def create_watcher(sandbox: Sandbox, wanted: shapes.Watch) -> dict[str, Any]:
    watcher = await _watcher(sandbox, wanted)
    name = secrets.token_hex(12)
    state_of(sandbox).watchers[name] = watcher
    return {"watcherId": name}


def _find(state: State, name: str) -> Watcher:
    watcher = state.watchers.get(name)
    if watcher is None:
        raise NotFound(f"there is no watcher {name!r}, or not any more")
    assert isinstance(watcher, Watcher)
    return watcher


async def watcher_events(sandbox: Sandbox, wanted: shapes.WatcherRequest) -> dict[str, Any]:
    return {"events": await sandbox.aside(_find(state_of(sandbox), wanted.watcher_id).wait, 0)}


async def remove_watcher(sandbox: Sandbox, wanted: shapes.WatcherRequest) -> dict[str, Any]:
    state = state_of(sandbox)
    watcher = _find(state, wanted.watcher_id)
    del state.watchers[wanted.watcher_id]
    await sandbox.aside(watcher.close)
    return {}


class Feed:
    """A watch whose events go to a client as they happen, from a thread of its own: it may last as
    long as the sandbox."""

    def __init__(self, state: State, watcher: Watcher, pipe: Pipe) -> None:
        self._state = state
        self._watcher = watcher
        self._pipe = pipe
        self._is_over = threading.Event()
        state.feeds.add(self)

    def start(self) -> None:
        threading.Thread(target=self._run, name="fumehood-e2b-watch", daemon=True).start()

    def _run(self) -> None:
        failed: CallFailed | None = None
        try:
            self._pipe.put(connect.envelope({"start": {}}))
            while not self._is_over.is_set():
                for event in self._watcher.wait(_LOOK_SECONDS):
                    self._pipe.put(connect.envelope({"filesystem": event}))
        except Unread:
            pass
        except Exception as error:
            failed = connect.failure(error) or CallFailed("internal", "the watch came to an end")
        finally:
            self._watcher.close()
            with contextlib.suppress(Unread):
                self._pipe.put(connect.last(failed))
            self._pipe.end()

    def leave(self) -> None:
        """The client is gone."""
        self._state.feeds.discard(self)
        self._pipe.leave()
        self._is_over.set()

    def close(self) -> None:
        """The sandbox is over."""
        self._is_over.set()


async def watch_dir(
    server: Server, sandbox: Sandbox, wanted: shapes.Watch, seconds: float | None
) -> Opened:
    pipe = Pipe(asyncio.get_running_loop())
    feed = Feed(state_of(sandbox), await _watcher(sandbox, wanted), pipe)
    feed.start()
    return pipe, feed.leave


CALLS: Final[dict[str, tuple[type[Any], Callable[[Sandbox, Any], Any]]]] = {
    "Stat": (shapes.PathRequest, stat_entry),
    "ListDir": (shapes.ListDir, list_dir),
    "MakeDir": (shapes.PathRequest, make_dir),
    "Move": (shapes.Move, move),
    "Remove": (shapes.PathRequest, remove),
    "CreateWatcher": (shapes.Watch, create_watcher),
    "GetWatcherEvents": (shapes.WatcherRequest, watcher_events),
    "RemoveWatcher": (shapes.WatcherRequest, remove_watcher),
}
