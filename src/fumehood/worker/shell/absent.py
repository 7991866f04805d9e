"""Programs that people expect and that are not here: a row each, with what to do. What is in no row
is simply not found."""

from __future__ import annotations

_NO_NETWORK = (
    "there is no network in a sandbox; have the host fetch it, with a tool or"
    " executor.files.write()"
)
_NO_COMPILER = (
    "no program can be executed in a sandbox, so nothing is compiled here; use Python and the"
    " packages that the host installs"
)
_NO_PACKAGES = (
    "nothing is installed from in here; the host installs Python packages with executor.install(…)"
)
_NO_ROOT = "a sandbox has one user, and nobody can become another; leave it out"
_NO_JOBS = "there are no jobs here; the host starts commands beside one another"
_NO_TERMINAL = (
    "there is no terminal here; write files with cat <<'EOF' > file, and change them with sed"
)
_NO_PROGRAMS = "no program of the machine can be executed in a sandbox; use Python"
_PYTHON_DOES = "not among the commands here; `python -c` does it"

# fmt: off
ABSENT: dict[str, str] = {
    "git":       "not among the commands here, and there is no network; have the host put the files here with executor.files.write()",
    "curl":      _NO_NETWORK,
    "wget":      _NO_NETWORK,
    "ssh":       _NO_NETWORK,
    "scp":       _NO_NETWORK,
    "rsync":     _NO_NETWORK,
    "ping":      _NO_NETWORK,
    "nc":        _NO_NETWORK,
    "telnet":    _NO_NETWORK,
    "apt":       _NO_PACKAGES,
    "apt-get":   _NO_PACKAGES,
    "apk":       _NO_PACKAGES,
    "yum":       _NO_PACKAGES,
    "dnf":       _NO_PACKAGES,
    "brew":      _NO_PACKAGES,
    "conda":     _NO_PACKAGES,
    "uv":        _NO_PACKAGES,
    "poetry":    _NO_PACKAGES,
    "pipx":      _NO_PACKAGES,
    "npm":       "no program can be executed in a sandbox, and there is no network; use Python",
    "npx":       "no program can be executed in a sandbox, and there is no network; use Python",
    "sudo":      _NO_ROOT,
    "su":        _NO_ROOT,
    "doas":      _NO_ROOT,
    "chown":     _NO_ROOT,
    "chgrp":     _NO_ROOT,
    "mount":     _NO_ROOT,
    "umount":    _NO_ROOT,
    "chroot":    _NO_ROOT,
    "gcc":       _NO_COMPILER,
    "g++":       _NO_COMPILER,
    "cc":        _NO_COMPILER,
    "clang":     _NO_COMPILER,
    "make":      _NO_COMPILER,
    "cmake":     _NO_COMPILER,
    "cargo":     _NO_COMPILER,
    "rustc":     _NO_COMPILER,
    "go":        _NO_COMPILER,
    "javac":     _NO_COMPILER,
    "node":      _NO_PROGRAMS,
    "deno":      _NO_PROGRAMS,
    "java":      _NO_PROGRAMS,
    "ruby":      _NO_PROGRAMS,
    "perl":      _NO_PROGRAMS,
    "php":       _NO_PROGRAMS,
    "docker":    _NO_PROGRAMS,
    "ffmpeg":    _NO_PROGRAMS,
    "sqlite3":   "not among the commands here; Python's module sqlite3 does it, where the policy authorizes it",
    "awk":       _PYTHON_DOES,
    "gawk":      _PYTHON_DOES,
    "jq":        "not among the commands here; `python -m json.tool` shows JSON, and `python -c` takes it apart",
    "tar":       _PYTHON_DOES,
    "zip":       _PYTHON_DOES,
    "unzip":     _PYTHON_DOES,
    "gzip":      _PYTHON_DOES,
    "gunzip":    _PYTHON_DOES,
    "bc":        "not among the commands here; $(( … )) reckons with whole numbers, `python -c` with all others",
    "expr":      "not among the commands here; write $(( … ))",
    "let":       "not among the commands here; write x=$(( … ))",
    "nohup":     _NO_JOBS,
    "jobs":      _NO_JOBS,
    "fg":        _NO_JOBS,
    "bg":        _NO_JOBS,
    "wait":      _NO_JOBS,
    "kill":      _NO_JOBS,
    "killall":   _NO_JOBS,
    "pkill":     _NO_JOBS,
    "ps":        _NO_JOBS,
    "top":       _NO_JOBS,
    "crontab":   _NO_JOBS,
    "systemctl": _NO_JOBS,
    "service":   _NO_JOBS,
    "screen":    _NO_TERMINAL,
    "tmux":      _NO_TERMINAL,
    "vi":        _NO_TERMINAL,
    "vim":       _NO_TERMINAL,
    "nano":      _NO_TERMINAL,
    "emacs":     _NO_TERMINAL,
    "less":      "there is no terminal here; use cat, head or tail",
    "more":      "there is no terminal here; use cat, head or tail",
    "man":       "`help` lists the commands here",
    "jupyter":   "there is no server here; the host runs cells",
    "ipython":   "there is no interactive Python here; use `python -c` or `python file`",
    "exec":      "nothing is executed here; leave the word out",
    "trap":      "there are no signals to wait for here; leave it out",
    "alias":     "not known here; write the command out",
    "local":     "there are no functions here; leave the word out",
    "declare":   "write x=… and export x",
    "timeout":   "time is limited from outside; the host gives command(…, timeout_seconds=…)",
}
# fmt: on
