"""Every command, a row each with what it does. `help` prints the table; what is not in it is not a
command."""

from __future__ import annotations

from fumehood.worker.shell import (
    columns,
    comparing,
    conditions,
    digests,
    facts,
    filing,
    finding,
    listing,
    order,
    python,
    scripts,
    searching,
    sed,
    state,
    text,
    writing,
)
from fumehood.worker.shell.absent import ABSENT
from fumehood.worker.shell.calls import Call, Function, Options, Row
from fumehood.worker.shell.scripts import plain_name


def help_(call: Call) -> None:
    """The table, or the rows that are asked for."""
    rows = [COMMANDS[name] for name in call.arguments if name in COMMANDS] or ROWS
    width = max(len(row.name) for row in rows)
    for row in rows:
        call.out.line(f"{row.name:<{width}}  {row.summary}")


def which(call: Call) -> None:
    """Where a command is: here."""
    for name in Options(call.arguments, "a").operands:
        if plain_name(name) in COMMANDS:
            call.out.line(f"/usr/bin/{plain_name(name)}")
        else:
            call.status = 1


def type_(call: Call) -> None:
    for name in Options(call.arguments, "tp").operands:
        if plain_name(name) in COMMANDS:
            call.out.line(f"{name} is a command of this shell")
        else:
            call.say(f"{name}: {ABSENT.get(name, 'not found')}")


def command(call: Call) -> int | None:
    words = call.arguments
    if words[:1] in (["-v"], ["-V"]):
        found = [name for name in words[1:] if plain_name(name) in COMMANDS]
        for name in found:
            call.out.line(name)
        return 0 if found else 1
    return call.shell.call(words, call.out) if words else 0


# fmt: off
ROWS: tuple[Row, ...] = (
    Row(".",         scripts.source,     "run the commands of a file here: . file"),
    Row(":",         state.true,         "do nothing, successfully"),
    Row("[",         conditions.test,    "ask about texts, numbers and files: [ -f x ], [ \"$a\" = b ], [ 1 -lt 2 ]"),
    Row("base64",    digests.base64_,    "bytes as text, and back: base64 [-d] [-w columns] [file]"),
    Row("basename",  facts.basename,     "the last part of a path: basename path [ending]"),
    Row("bash",      scripts.sh,         "this shell, as sh"),
    Row("break",     state.break_,       "leave a loop: break [levels]"),
    Row("cat",       text.cat,           "show files one after the other: cat [-nbsAET] [file …]"),
    Row("cd",        state.cd,           "go to a directory: cd [directory | -]"),
    Row("chmod",     filing.chmod,       "change who may do what with files: chmod [-R] 644|u+x file …"),
    Row("cmp",       comparing.cmp,      "compare two files byte by byte: cmp [-s] file file"),
    Row("command",   command,            "run a command, or say whether there is one: command [-v] name …"),
    Row("continue",  state.continue_,    "begin the next round of a loop: continue [levels]"),
    Row("cp",        filing.cp,          "copy files: cp [-rapn] source … target"),
    Row("cut",       columns.cut,        "columns of lines: cut -f list [-d sign] | -c list | -b list [file …]"),
    Row("date",      facts.date,         "the time: date [-u] [-d date] [-R] [-I date|seconds] [+format]"),
    Row("df",        listing.df,         "how much room is left: df [-h] [path …]"),
    Row("diff",      comparing.diff,     "how two files differ, in the unified form: diff [-qbwi] [-U lines] file file"),
    Row("dirname",   facts.dirname,      "a path without its last part: dirname path …"),
    Row("du",        listing.du,         "how much room files take: du [-shabck] [-d depth] [path …]"),
    Row("echo",      writing.echo,       "write words: echo [-n] [-e] [word …]"),
    Row("egrep",     searching.grep,     "grep -E"),
    Row("env",       state.env,          "the environment, or a command in another: env [-i] [-u name] [name=value …] [command …]"),
    Row("eval",      scripts.eval_,      "run words as commands here: eval word …"),
    Row("exit",      state.exit_,        "end the shell: exit [code]"),
    Row("export",    state.export,       "give variables to programs: export [name[=value] …]"),
    Row("false",     state.false,        "do nothing, unsuccessfully"),
    Row("fgrep",     searching.grep,     "grep -F"),
    Row("find",      finding.find,       "look for files: find [path …] [-name -iname -path -type -size -mtime -newer -maxdepth -mindepth"
                                         " -empty -prune -exec -delete -print ! ( ) -o]"),
    Row("grep",      searching.grep,     "look for text: grep [-inrvclLqoEFwxHhs] [-m -A -B -C n] [--include=glob] expression [file …]"),
    Row("head",      text.head,          "the beginning of files: head [-n lines | -c bytes] [file …]"),
    Row("help",      help_,              "show this table: help [command …]"),
    Row("hostname",  facts.hostname,     "the name of the sandbox's system"),
    Row("id",        facts.id_,          "who code is: id [-un] [-gn]"),
    Row("ln",        filing.ln,          "one more name for a file, or a link to it: ln [-sf] target [name]"),
    Row("ls",        listing.ls,         "show directories: ls [-laA1RdhtrSFpi] [path …]"),
    Row("md5sum",    digests.digest,     "digests: md5sum [-c] [file …]"),
    Row("mkdir",     filing.mkdir,       "make directories: mkdir [-p] directory …"),
    Row("mktemp",    filing.mktemp,      "make a file with a new name: mktemp [-d] [nameXXXXXX]"),
    Row("mv",        filing.mv,          "move or rename files: mv [-fn] source … target"),
    Row("nl",        text.nl,            "number lines: nl [-b a] [file …]"),
    Row("nproc",     facts.nproc,        "how many processors code may use"),
    Row("paste",     columns.paste,      "lines of files side by side: paste [-s] [-d signs] file …"),
    Row("pip",       python.pip,         "what packages are there: pip list | freeze | show name …; they are installed by the host"),
    Row("pip3",      python.pip,         "pip"),
    Row("printenv",  state.printenv,     "show the environment: printenv [name …]"),
    Row("printf",    writing.printf,     "write in a format: printf format [word …]"),
    Row("pwd",       state.pwd,          "where the shell is: pwd [-P]"),
    Row("python",    python.python,      "run Python, under the rules of a cell: python [-c program | -m module | file | -] [argument …]"),
    Row("python3",   python.python,      "python"),
    Row("read",      state.read,         "read a line into variables: read [-r] name …"),
    Row("readlink",  listing.readlink,   "where a link leads: readlink [-f] path …"),
    Row("realpath",  listing.realpath,   "a path without links: realpath [-em] path …"),
    Row("rev",       text.rev,           "lines backwards: rev [file …]"),
    Row("rm",        filing.rm,          "remove files: rm [-rf] path …"),
    Row("rmdir",     filing.rmdir,       "remove empty directories: rmdir [-p] directory …"),
    Row("sed",       sed.sed,            "change lines: sed [-nEi] [-e] script [file …], with s y p d q = a i c"),
    Row("seq",       writing.seq,        "count: seq [-w] [-s separator] [first [step]] last"),
    Row("set",       state.set_,         "options -e, -u and -o pipefail, or arguments: set [-eu] [-o pipefail] [-- argument …]"),
    Row("sh",        scripts.sh,         "this shell: sh -c line | sh file [argument …]"),
    Row("sha1sum",   digests.digest,     "digests: sha1sum [-c] [file …]"),
    Row("sha256sum", digests.digest,     "digests: sha256sum [-c] [file …]"),
    Row("sha512sum", digests.digest,     "digests: sha512sum [-c] [file …]"),
    Row("shift",     state.shift,        "leave out the first arguments: shift [count]"),
    Row("shuf",      order.shuf,         "lines in any order: shuf [-n count] [-e] [file | word …]"),
    Row("sleep",     facts.sleep,        "wait: sleep seconds"),
    Row("sort",      order.sort,         "lines in order: sort [-nrufbhVsc] [-k key] [-t sign] [-o file] [file …]"),
    Row("source",    scripts.source,     "run the commands of a file here: source file"),
    Row("stat",      listing.stat_,      "about files: stat [-L] [-c format] path …"),
    Row("tac",       text.tac,           "lines from the last to the first: tac [file …]"),
    Row("tail",      text.tail,          "the end of files: tail [-n lines | -c bytes] [file …]"),
    Row("tee",       text.tee,           "pass input on, and into files: tee [-a] [file …]"),
    Row("test",      conditions.test,    "ask about texts, numbers and files, as ["),
    Row("touch",     filing.touch,       "make files, or set their times: touch [-c] [-d date] [-r file] file …"),
    Row("tr",        columns.tr,         "change characters: tr [-cds] set [set]"),
    Row("true",      state.true,         "do nothing, successfully"),
    Row("type",      type_,              "what a command is: type name …"),
    Row("uname",     facts.uname,        "the kind of system: uname [-asnrmo]"),
    Row("uniq",      order.uniq,         "lines without those that are like the one before: uniq [-cdui] [file]"),
    Row("unset",     state.unset,        "forget variables: unset name …"),
    Row("wc",        text.wc,            "count lines, words and bytes: wc [-lwcm] [file …]"),
    Row("which",     which,              "whether there is a command: which name …"),
    Row("whoami",    facts.whoami,       "who code is"),
    Row("xargs",     searching.xargs,    "a command with words from input: xargs [-0r] [-n count] [-I mark] [-d sign] command …"),
    Row("xxd",       digests.xxd,        "bytes in hexadecimal: xxd [file]"),
    Row("yes",       writing.yes,        "write a word for ever: yes [word]"),
)
# fmt: on

COMMANDS = {row.name: row for row in ROWS}


def find(name: str) -> Function | None:
    """The function of a command; None if there is none of that name."""
    row = COMMANDS.get(plain_name(name))
    return None if row is None else row.function
