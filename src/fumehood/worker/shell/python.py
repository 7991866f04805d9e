"""python and pip, as far as a sandbox has them. A program runs under the same rules as a cell, in a
process of its own."""

from __future__ import annotations

import json
import os
import re
import sys

from fumehood.worker.shell.calls import Call, Options, Usage, decoded
from fumehood.worker.shell.digests import base64_
from fumehood.worker.shell.scripts import text_of

_WITHOUT_EFFECT = frozenset("uBEsSIOqbX")
_VERSION = ".".join(map(str, sys.version_info[:3]))


def python(call: Call) -> int:
    words = [*call.arguments]
    while words and words[0].startswith("-") and len(words[0]) > 1:
        word = words.pop(0)
        if word in ("-V", "--version", "-VV"):
            call.out.line(f"Python {_VERSION}")
            return 0
        if word in ("-h", "--help"):
            call.out.line("python [-c program | -m module | file | -] [argument …]")
            return 0
        if word in ("-c", "-m"):
            if not words:
                raise Usage(f"option {word} needs a value")
            value = words.pop(0)
            return _run(call, value, "-c", words) if word == "-c" else _module(call, value, words)
        if word in ("-W", "-X") and words:
            words.pop(0)
        elif word == "-i":
            raise Usage("there is no interactive Python here: use `python -c` or `python file`")
        elif not {*word[1:]} <= _WITHOUT_EFFECT:
            raise Usage(f"option {word} is not known here")
    if not words or words[0] == "-":
        return _run(call, decoded(b"".join(call.pieces(0))), "-", words[1:])
    name = words.pop(0)
    if call.places.is_directory(name):
        name = f"{name.rstrip('/')}/__main__.py"
    try:
        text = text_of(call.places, name)
    except (OSError, ValueError) as error:
        call.say(f"can't open file '{name}': {getattr(error, 'strerror', None) or error}")
        return 2
    return _run(call, text, name, words)


def _run(call: Call, source: str, name: str, arguments: list[str]) -> int:
    call.out.flush()
    shell = call.shell
    directory = (
        os.path.dirname(call.places.path(name)) if name not in ("-c", "-") else call.places.here
    )
    source = (
        source.encode("utf-8", "surrogateescape").decode("utf-8", "replace").removeprefix("\ufeff")
    )
    return shell.in_copy(
        lambda: shell.interpreter.run(source, name, arguments, shell.environment, directory)
    )


def _module(call: Call, name: str, arguments: list[str]) -> int:
    """-m: a few modules that are commands here, a module of the directory, or, where the language
    is not guarded, any."""
    if name in _MODULES:
        return _MODULES[name](call, arguments)
    shell = call.shell
    if shell.interpreter.runs_modules:
        call.out.flush()
        return shell.in_copy(
            lambda: shell.interpreter.run_module(
                name, arguments, shell.environment, call.places.here
            )
        )
    path = name.replace(".", "/")
    for file in (f"{path}.py", f"{path}/__main__.py"):
        if re.fullmatch(r"[\w.]+", name) and call.places.exists(file):
            return _run(call, text_of(call.places, file), file, arguments)
    call.say(
        f"-m {name}: not here; there are {', '.join(_MODULES)}, and modules that are files in this"
        " directory"
    )
    return 1


def _json_tool(call: Call, arguments: list[str]) -> int:
    options = Options(
        arguments,
        "",
        "",
        {
            "sort-keys": "sort",
            "indent": "indent=",
            "compact": "compact",
            "no-ensure-ascii": "unicode",
        },
    )
    name = options.operands[0] if options.operands else "-"
    with call.reading(name) as descriptor:
        text = b"".join(call.pieces(descriptor))
    try:
        value = json.loads(text)
    except (ValueError, RecursionError) as error:
        call.say(str(error))
        return 1
    indent = None if "compact" in options else options.number("indent", 4)
    separators = (",", ":") if "compact" in options else None
    made = json.dumps(
        value,
        indent=indent,
        sort_keys="sort" in options,
        separators=separators,
        ensure_ascii="unicode" not in options,
    )
    call.out.line(made)
    return 0


def _base64(call: Call, arguments: list[str]) -> int:
    call.name, call.arguments = "base64", arguments
    base64_(call)
    return call.status


def pip(call: Call, arguments: list[str] | None = None) -> int:
    from importlib import metadata  # late: it is slow to import, and few ask

    words = call.arguments if arguments is None else arguments
    call.name = "pip"
    match words[:1]:
        case ["install" | "uninstall" | "download" | "wheel"]:
            names = " ".join(word for word in words[1:] if not word.startswith("-"))[:100]
            call.say(
                f"nothing is {words[0]}ed from in here: the host does it, with"
                f" executor.install({names!r}), and code can import it at once"
            )
            return 1
        case ["list" | "freeze"]:
            rows = sorted(
                (found.metadata["Name"], found.version)
                for found in metadata.distributions()
                if found.metadata["Name"]
            )
            for name, version in dict(rows).items():
                call.out.line(f"{name}=={version}" if words[0] == "freeze" else f"{name} {version}")
            return 0
        case ["show"]:
            for name in words[1:]:
                try:
                    found = metadata.distribution(name)
                except (metadata.PackageNotFoundError, ValueError):
                    call.say(f"{name}: not installed")
                    continue
                for field in ("Name", "Version", "Summary"):
                    call.out.line(f"{field}: {found.metadata[field]}")
            return call.status
        case ["--version" | "-V"]:
            call.out.line(f"pip of the host (Python {_VERSION})")
            return 0
    raise Usage(
        "there are list, freeze and show; packages are installed by the host, with"
        " executor.install(…)"
    )


_MODULES = {"json.tool": _json_tool, "base64": _base64, "pip": pip}
