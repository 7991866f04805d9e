"""`fumehood images unpack`: makes a directory of a container image, for Policy(programs="/path").

An image is an archive of `docker save`, or an OCI layout (a directory or an archive of one). No
registry is asked. Layers are applied in order; a file named .wh.NAME in a layer removes NAME.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import shutil
import tarfile
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path, PurePosixPath
from typing import Annotated, Any, BinaryIO

import typer

from fumehood.cli import terminal

app = typer.Typer(no_args_is_help=True, help="Root directories for programs, from images.")

_REMOVED, _OPAQUE = ".wh.", ".wh..wh..opq"
_DIGEST = "sha256:"
_MOST_DESCRIPTION = 16 << 20

Open = Callable[[str], BinaryIO]
"""Opens a file of an image by its name."""


class NotAnImage(Exception):
    """The file or directory is no image that can be unpacked."""


@app.command("unpack")
def unpack_command(
    image: Annotated[
        Path, typer.Argument(help="An archive of `docker save`, or an OCI layout.", exists=True)
    ],
    directory: Annotated[Path, typer.Argument(help="Where to put it. It must not exist.")],
) -> None:
    """Unpack an image into a directory.

    Use it with Policy(programs="/path/to/directory"). Exit code: 0 done, 2 bad input.

    Example: fumehood images unpack python.tar /var/lib/roots/python
    """
    with terminal.interruptible():
        try:
            layers = unpack(image, directory)
        except (NotAnImage, OSError, tarfile.TarError, ValueError) as error:
            terminal.fail(f"{image}: {error}", terminal.BAD_INPUT)
    typer.echo(f"{directory}: unpacked {layers} layers")


def unpack(image: Path, directory: Path) -> int:
    """Unpack an image into a new directory; gives the number of layers. If it fails, nothing is
    left. NotAnImage, OSError or TarError if it cannot be done."""
    if not hasattr(tarfile, "tar_filter"):
        raise NotAnImage("this Python's tarfile cannot check paths; use Python 3.11.4 or newer")
    if directory.exists():
        raise NotAnImage(f"{directory} exists; name a new directory")
    directory.parent.mkdir(parents=True, exist_ok=True)
    made = Path(tempfile.mkdtemp(prefix=f".{directory.name}-", dir=directory.parent))
    try:
        made.chmod(0o755)
        with _opened(image) as open_file:
            layers = _layers(open_file)
            for layer in layers:
                with _layer(open_file, layer) as stream:
                    _apply(stream, made)
        made.rename(directory)
    except BaseException:
        shutil.rmtree(made, ignore_errors=True)
        raise
    return len(layers)


@contextlib.contextmanager
def _opened(image: Path) -> Iterator[Open]:
    if image.is_dir():
        yield lambda name: (image / name).open("rb")
        return
    with tarfile.open(image) as archive:

        def open_member(name: str) -> BinaryIO:
            try:
                found = archive.extractfile(name)
            except KeyError:
                raise FileNotFoundError(f"the archive has no {name}") from None
            if found is None:
                raise NotAnImage(f"{name} is no file")
            return found  # type: ignore[return-value]

        yield open_member


def _layers(open_file: Open) -> list[str]:
    """The names of the layers, the lowest first."""
    with contextlib.suppress(FileNotFoundError):
        index = _described(open_file, "index.json")
        return _layers_of(open_file, index)
    try:
        (manifest, *_others) = _described(open_file, "manifest.json")
        return [str(layer) for layer in manifest["Layers"]]
    except (FileNotFoundError, KeyError, TypeError, ValueError):
        raise NotAnImage("neither an archive of `docker save` nor an OCI layout") from None


def _layers_of(open_file: Open, index: Any) -> list[str]:
    """The layers that an index or a manifest of an OCI layout names: the first for Linux."""
    if "layers" in index:
        return [_blob(layer["digest"]) for layer in index["layers"]]
    for entry in index["manifests"]:
        if entry.get("platform", {}).get("os", "linux") == "linux":
            return _layers_of(open_file, _described(open_file, _blob(entry["digest"])))
    raise NotAnImage("it has no image for Linux")


def _described(open_file: Open, name: str) -> Any:
    with open_file(name) as file:
        text = file.read(_MOST_DESCRIPTION)
    if name.startswith("blobs/") and hashlib.sha256(text).hexdigest() != name.rpartition("/")[2]:
        raise NotAnImage(f"{name} is damaged: its content does not have that digest")
    return json.loads(text)


def _blob(digest: str) -> str:
    hexadecimal = digest.removeprefix(_DIGEST)
    if not digest.startswith(_DIGEST) or not hexadecimal.isalnum():
        raise NotAnImage(f"{digest!r} is no SHA-256 digest")
    return f"blobs/sha256/{hexadecimal}"


@contextlib.contextmanager
def _layer(open_file: Open, name: str) -> Iterator[tarfile.TarFile]:
    if name.startswith("blobs/sha256/"):
        with open_file(name) as file:
            if hashlib.file_digest(file, "sha256").hexdigest() != name.rpartition("/")[2]:  # type: ignore[arg-type]
                raise NotAnImage(f"{name} is damaged: its content does not have that digest")
    with open_file(name) as file, tarfile.open(fileobj=file) as layer:
        yield layer


def _apply(layer: tarfile.TarFile, root: Path) -> None:
    """Add a layer."""
    for member in layer:
        path = PurePosixPath(member.name)
        if path.name.startswith(_REMOVED):
            _remove(root, path)
        elif member.isdev():
            continue  # the jail has devices of its own
        else:
            _make_way(root / path, member)
            member.mode |= 0o700 if member.isdir() else 0o400
            layer.extract(member, root, numeric_owner=True, filter=_within)


def _within(member: tarfile.TarInfo, root: str) -> tarfile.TarInfo | None:
    """Refuse a path that leads out of the root, and a hard link to a file outside of it. A symbolic
    link may lead anywhere: it is read in the jail, where this is the root."""
    target = (Path(root) / member.linkname).resolve()
    if member.islnk() and not target.is_relative_to(Path(root).resolve()):
        raise NotAnImage(f"{member.name} links to a file outside of the image")
    return tarfile.tar_filter(member, root)


def _remove(root: Path, mark: PurePosixPath) -> None:
    parent = (root / mark.parent).resolve()
    if not parent.is_relative_to(root.resolve()):
        raise NotAnImage(f"{mark} leads out of the image")
    if mark.name == _OPAQUE:
        doomed = [*parent.iterdir()] if parent.is_dir() else []
    else:
        doomed = [parent / mark.name.removeprefix(_REMOVED)]
    for path in doomed:
        if path.is_dir() and not path.is_symlink():
            shutil.rmtree(path)
        else:
            path.unlink(missing_ok=True)


def _make_way(path: Path, member: tarfile.TarInfo) -> None:
    """Remove what an upper layer replaces by something of another kind."""
    if path.is_symlink() or (path.is_dir() and not member.isdir()):
        _remove(path.parent, PurePosixPath(f"{_REMOVED}{path.name}"))
