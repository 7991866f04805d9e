"""The programs: a header of comments, then cells of code. The folder a program is in is its
category.

    # aim: read a file of the host         what it is after, one sentence
    # mechanism: open                      how it tries
    # source: CVE-2025-5120                optional: where it was published
    # language: check                      what stops it with the rules of the language on
                                           (LANGUAGE), or nothing (why)
    # reason: why the rules refuse it      wherever the rules stop it
    # jail: mount namespace, landlock      what holds it with the rules off (JAIL)
    # plain: loot                          what the program does where nothing holds it, among
                                           canaries of its own:
                                           loot, succeeds, crashes, hangs, or none (why)
    # expect: held                         how the last cell must end in the jail with the rules
                                           off; several ways are separated by " | ":
                                           held (its value is a text beginning "held:"), error NAME,
                                           fault KIND
    # python: 3.12+                        optional; also "3.11 only", "3.12 and older"
    # imports: numpy                       optional: authorized in addition; not run where it is not
                                           installed
    # refuses: __globals__                 optional: the name that must be among those refused,
                                           where others are refused too
    # limit: words                         optional: inline isolation does not stop this, and its
                                           report says so in these words
    # host: read loot, snapshot            optional: what the host does after the cells (steps.py),
                                           with loot in /home/user in this example
    # limits: cell_seconds=2               optional: limits other than those of the suite
    # files: no                            optional: its policy has files=False
    # arch: x86_64                         optional: the only architecture it speaks of
    # runs: gcc                            optional: a program that it executes; not run where it is
                                           not installed
    # hosts: root                          optional: the only hosts it is run from, where it takes
                                           long and who the host is changes nothing
    # needs: mount namespace               optional: the mechanism (a word of the jail's report)
                                           without which there is nothing to attack
    # housed: the container's own          optional: why it is no attack in a container of ours that
                                           refuses namespaces
    # docker: the container's limits       optional: why it is no attack in a container, and is not
                                           run there
    # programs: * ran (may be executed)    optional: what it may obtain with Policy.programs, as a
                                           pattern, and why; all else counts there as elsewhere
    # without: memory cgroup               optional: a mechanism whose absence opens this door, and
                                           which the report then calls absent; followed by "with
                                           programs" if it is closed without those

A program of a client, which attacks a server by what it sends, has none of `language`, `reason`,
`jail` and `expect`, but

    # server: tenancy, files               what of the server holds it (SERVER)
    # plain: owner                         it succeeds with the victim's key in place of its own; or
    # plain: naive                         it succeeds with a server that holds nothing
                                           (tests/attacks/naive_server.py)

and ends in `judge(attack)`; what it is given besides is in server/runs.py.

A line `# ---` begins another cell of the same session, a line `# --- second executor` the cells of
a fresh one.

There are two ways for a program to show what it obtained. One hands it to the tool `loot`, and
whoever holds the other end judges it (loot.py): those are about objects. One with `expect` ends in
`judge(attack)`, a word of programs/guarded_words.py, which is "ESCAPED: …" or "held: …". What the
host sees of its canaries (canaries.py) counts for both. Each is bounded in time and count, so that
it is harmless where nothing holds it.
"""

from __future__ import annotations

import functools
import operator
import re
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

PROGRAMS = Path(__file__).parent / "programs"
PRELUDE = PROGRAMS / "prelude.py"

# What a program that judges itself has, unless its header says otherwise. Small, so that a bomb
# ends soon, and does no harm where a limit fails.
LIMITS: dict[str, float] = {
    "cell_seconds": 10,
    "memory_bytes": 64 << 20,
    "processes": 24,
    "lab_bytes": 16 << 20,
    "lab_files": 2000,
    "file_bytes": 8 << 20,
    "open_files": 128,
    "grace_seconds": 0.3,
    "answer_seconds": 10,
    "display_seconds": 2,
}

# The hosts that programs are run from (tests/jail/identities.py).
HOSTS = ("root", "nobody", "container", "contained", "housed")

LANGUAGE = {
    "check": "refused before anything runs, with line and reason",
    "guard": "a rewritten construct refuses while running",
    "view": "the module handed out does not hold it",
    "builtins": "the replaced builtin or library function refuses",
    "run": "the executor contains it: namespaces, errors, tools, results, state between sessions",
}

JAIL = {
    "process": (
        "what it obtained are objects of its own process, which has never held anything of the"
        " host's"
    ),
    "mount namespace": "the root holds only the interpreter and its libraries",
    "pid namespace": "other processes have no number here",
    "network namespace": "no interface, and abstract names of its own",
    "ipc namespace": "shared memory, semaphores and queues of its own",
    "uts namespace": "a host name of its own",
    "landlock": "rules on files, on abstract sockets and on signals",
    "seccomp": "the call is not on the list, or its arguments are not",
    "privileges": "no capabilities, no_new_privs, an ordinary user",
    "rlimits": "limits of a process",
    "cgroup": "limits of the whole sandbox",
    "lab": "the private file system has a size and a number of files",
    "descriptors": "nothing but the wire is open",
    "environment": "the interpreter was started with an empty one",
    "exec": "the zygote began as a fresh program and never held what the host holds",
    "init": "pid 1 of the sandbox runs no code of the cells, and all die with it",
    "clock": "the host's own clock ends the cell",
    "wire": "the host bounds and checks every byte",
    "files": "the host reads regular files only and follows no links",
    "host": (
        "the host writes and shows what came from a sandbox as data: in its log, to a model, on a"
        " terminal"
    ),
}

SERVER = {
    "head": "heads are read strictly, are so long at most, and come in time",
    "body": (
        "bodies are counted as they come, come in time, and are read by shapes that know every"
        " field"
    ),
    "gate": "who asks is known by a key before anything is done",
    "tenancy": "what is another key's is answered as what never was",
    "links": "a link is good for what it was signed for, as long as it says",
    "files": (
        "paths lead nowhere but into the sandbox's own directory, and are walked inside of the jail"
    ),
    "calls": "an answer is taken once, for a call that was made; the server itself calls nobody",
    "streams": "what is not read is held in bounded room, and then cut",
    "websocket": "frames are read strictly, are so long at most, and so many at once",
    "quotas": "each key has its own share, and is refused what is more",
    "log": "what clients say is a JSON text in the log, and a quoted one in answers",
    "jail": "code is held as everywhere",
}

_FIELDS = set(
    "aim mechanism source language reason jail plain expect python imports refuses limit"
    " host limits files arch runs hosts needs housed docker programs without server".split()
)
_REQUIRED = {"aim", "mechanism", "language", "jail", "plain"}
_REQUIRED_OF_A_CLIENT = {"aim", "mechanism", "server", "plain"}
_EXPECTATION = re.compile(
    r"held|error [A-Za-z_]+|fault"
    r" (timeout|memory|processes|files|disk|crash|killed|output|displays|frame|refused)"
)
_PLAIN = re.compile(r"loot|succeeds|crashes|hangs|none \(.+\)")
_WITH_PROGRAMS = re.compile(r"(.+) \(.+\)")
_PLAIN_OF_A_CLIENT = ("owner", "naive")
_NOTHING = re.compile(r"nothing \(.+\)")
_NEXT_CELL = "# ---"
_NEXT_SESSION = "# --- second executor"


@dataclass(frozen=True)
class Program:
    name: str
    fields: dict[str, str]
    sessions: tuple[tuple[str, ...], ...]

    @property
    def category(self) -> str:
        return self.name.partition("/")[0]

    @property
    def aim(self) -> str:
        return self.fields["aim"]

    @property
    def judges_itself(self) -> bool:
        return "expect" in self.fields

    @property
    def is_of_a_client(self) -> bool:
        """Whether it attacks a server, by what it sends."""
        return "server" in self.fields

    @property
    def cells(self) -> tuple[str, ...]:
        """All of them, of all sessions; of those that judge themselves there is one."""
        return tuple(cell for session in self.sessions for cell in session)

    @property
    def language(self) -> str | None:
        """The part of the language that stops it; None if the rules let it through."""
        return part if (part := self.fields.get("language")) in LANGUAGE else None

    @property
    def jail(self) -> tuple[str, ...]:
        return tuple(filter(None, self.fields.get("jail", "").split(", ")))

    @property
    def server(self) -> tuple[str, ...]:
        return tuple(filter(None, self.fields.get("server", "").split(", ")))

    @property
    def plain(self) -> str:
        """loot, succeeds, crashes, hangs or none; of a client's: owner or naive."""
        return self.fields["plain"].partition(" ")[0]

    @property
    def expected(self) -> tuple[str, ...]:
        return tuple(self.fields["expect"].split(" | "))

    @property
    def imports(self) -> tuple[str, ...]:
        return tuple(self.fields.get("imports", "").split())

    @property
    def allowed_with_programs(self) -> str:
        """A pattern of what it may say that it obtained where code may execute programs."""
        found = _WITH_PROGRAMS.fullmatch(self.fields.get("programs", ""))
        return f"ESCAPED: {found[1]}" if found else ""

    def opened_without(self, *, programs: bool) -> str | None:
        """The mechanism whose absence opens the door."""
        mechanism, with_programs, _ = self.fields.get("without", "").partition(" with programs")
        return mechanism if mechanism and (programs or not with_programs) else None

    @property
    def host_steps(self) -> tuple[str, ...]:
        return tuple(filter(None, self.fields.get("host", "").split(", ")))

    @property
    def hosts(self) -> tuple[str, ...]:
        hosts = self.fields.get("hosts", " ".join(HOSTS)).split()
        return tuple(host for host in hosts if host != "housed" or "housed" not in self.fields)

    @property
    def limits(self) -> dict[str, float]:
        changed = (pair.partition("=") for pair in self.fields.get("limits", "").split())
        return {
            **LIMITS,
            **{name: float(value) if "." in value else int(value) for name, _, value in changed},
        }

    def runs_on(self, version: tuple[int, ...]) -> bool:
        wanted = re.fullmatch(r"3\.(\d+)(\+| only| and older)", self.fields.get("python", "3.11+"))
        if wanted is None:
            raise ValueError(
                f"{self.name}: cannot read 'python: {self.fields['python']}': write 3.12+, 3.11"
                " only, or 3.11 and older"
            )
        compare = {"+": operator.ge, " only": operator.eq, " and older": operator.le}[wanted[2]]
        return bool(compare(version[:2], (3, int(wanted[1]))))


def read(name: str) -> Program:
    """The program `category/name`. ValueError says what is wrong with its header."""
    return _read(PROGRAMS, name)


@functools.cache
def _read(directory: Path, name: str) -> Program:
    lines = (directory / f"{name}.py").read_text(encoding="utf-8").splitlines()
    fields: dict[str, str] = {}
    while (
        len(fields) < len(lines)
        and lines[len(fields)].startswith("# ")
        and lines[len(fields)] != _NEXT_CELL
    ):
        key, colon, text = lines[len(fields)][2:].partition(": ")
        if not colon or key not in _FIELDS or key in fields or not text.strip():
            known = ", ".join(sorted(_FIELDS))
            raise ValueError(
                f"{name}, line {len(fields) + 1}: not a header line: {lines[len(fields)]!r}; each"
                f" is '# key: text', once, of {known}"
            )
        fields[key] = text.strip()
    program = Program(name, fields, _sessions(lines[len(fields) :]))
    for complaint in _complaints(program):
        raise ValueError(f"{name}: {complaint}")
    return program


def _complaints(program: Program) -> Iterable[str]:
    fields = program.fields
    if program.is_of_a_client:
        yield from _complaints_of_a_client(program)
        return
    if missing := _REQUIRED - fields.keys():
        yield f"the header lacks {', '.join(sorted(missing))}"
        return
    if program.language is None and not _NOTHING.fullmatch(fields["language"]):
        yield f"no such part of the language: {fields['language']}"
    if (program.language is None) == ("reason" in fields):
        yield "a reason belongs to what the language stops, and to nothing else"
    if unknown := set(program.jail) - JAIL.keys():
        yield f"no such part of the jail: {', '.join(sorted(unknown))}"
    if not _PLAIN.fullmatch(fields["plain"]):
        yield f"not a plain outcome: {fields['plain']}"
    if program.judges_itself and (
        wrong := [way for way in program.expected if not _EXPECTATION.fullmatch(way)]
    ):
        yield f"cannot be expected: {', '.join(wrong)}"
    if (
        program.judges_itself
        and program.plain == "loot"
        or not program.judges_itself
        and program.plain not in ("loot", "none")
    ):
        yield (
            "a program that is expected to end in some way judges itself, and one that is not hands"
            " over loot"
        )
    if "programs" in fields and not program.allowed_with_programs:
        yield f"not what it may obtain with programs, and why: {fields['programs']}"
    if unknown := set(program.hosts) - set(HOSTS):
        yield f"no such host: {', '.join(sorted(unknown))}"
    if wrong := sorted(program.limits.keys() - LIMITS.keys()):
        yield f"no such limit: {', '.join(wrong)}"


def _complaints_of_a_client(program: Program) -> Iterable[str]:
    if missing := _REQUIRED_OF_A_CLIENT - program.fields.keys():
        yield f"the header lacks {', '.join(sorted(missing))}"
    elif others := program.fields.keys() & {"language", "reason", "jail", "expect"}:
        yield f"{', '.join(sorted(others))} does not belong to a program of a client"
    elif unknown := set(program.server) - SERVER.keys():
        yield f"no such part of the server: {', '.join(sorted(unknown))}"
    elif program.plain not in _PLAIN_OF_A_CLIENT:
        yield f"not a plain outcome of a client's: {program.fields['plain']}"


def _sessions(lines: list[str]) -> tuple[tuple[str, ...], ...]:
    sessions: list[list[list[str]]] = [[[]]]
    for line in lines:
        if line == _NEXT_SESSION:
            sessions.append([[]])
        elif line == _NEXT_CELL:
            sessions[-1].append([])
        else:
            sessions[-1][-1].append(line)
    return tuple(tuple("\n".join(cell) + "\n" for cell in session) for session in sessions)


def names(category: str | None = None) -> list[str]:
    """The names of all programs, or of those of a category."""
    found = PROGRAMS.glob(f"{category or '*'}/*.py")
    return sorted(path.relative_to(PROGRAMS).with_suffix("").as_posix() for path in found)


def categories() -> list[str]:
    return sorted({name.partition("/")[0] for name in names()})
