"""Builds src/fumehood/jail/_spawn.c with the package, if there is a C compiler.

The result is a shared library that uses neither Python's nor libc's symbols, so one file works with
every CPython from 3.11 on. Without a compiler the package is installed without it, and fumehood
starts processes in Python, which takes longer.
"""

from __future__ import annotations

import os
import shlex
import shutil
import subprocess
import sysconfig
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

SOURCE = Path("src/fumehood/jail/_spawn.c")
LIBRARY = SOURCE.with_suffix(".so")
OPTIONS = (
    *("-std=c11", "-O2", "-fPIC", "-shared", "-Wall", "-Wextra"),
    # No libc: the code runs in processes that must not use its memory.
    *("-nostdlib", "-ffreestanding", "-fno-stack-protector", "-U_FORTIFY_SOURCE"),
    *("-fvisibility=hidden", "-fno-asynchronous-unwind-tables"),
    # Few mappings, because each is copied with a process; none is writable and executable.
    "-Wl,-z,noseparate-code,-z,relro,-z,now,-z,noexecstack,-z,defs,-Bsymbolic,--build-id=none",
)


def compile_library(compiler: list[str], source: Path, target: Path) -> str:
    """Compile the library; gives the compiler's messages if it fails, else an empty string. The
    target is replaced at once, because running processes may have mapped the old file."""
    made = target.with_name(f"{target.name}.{os.getpid()}")
    command = [*compiler, *OPTIONS, "-o", str(made), str(source)]
    try:
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        if done.returncode:
            return done.stderr or f"exit code {done.returncode}"
        made.replace(target)
    except OSError as error:
        return str(error)
    finally:
        made.unlink(missing_ok=True)
    return ""


def find_compiler() -> list[str] | None:
    if "CC" in os.environ:
        return shlex.split(os.environ["CC"])
    return next(([name] for name in ("cc", "gcc", "clang") if shutil.which(name)), None)


class SpawnBuildHook(BuildHookInterface):  # type: ignore[type-arg]
    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        if self.target_name != "wheel":
            return
        root = Path(self.root)
        compiler = find_compiler()
        failed = "there is no C compiler"
        if compiler is not None:
            failed = compile_library(compiler, root / SOURCE, root / LIBRARY)
        if failed:
            (root / LIBRARY).unlink(missing_ok=True)
            self.app.display_warning(f"fumehood is installed without _spawn.c: {failed}")
            return
        build_data["artifacts"].append(LIBRARY.as_posix())
        build_data["pure_python"] = False
        platform = sysconfig.get_platform().replace("-", "_").replace(".", "_")
        build_data["tag"] = f"cp311-abi3-{platform}"
