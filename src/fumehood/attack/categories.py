"""The categories of programs: what each attacks. A folder of programs/ without a row, or a row
without a folder, fails a test."""

from __future__ import annotations

# fmt: off
CATEGORIES = {
    # the rules of the language
    "attributes":   "walks from one attribute to the next, to globals, code and all classes",
    "frames":       "frames of generators, coroutines, tracebacks and the caller",
    "names":        "forbidden names in every place where a name can be bound",
    "positions":    "forbidden access in every place where an expression can stand",
    "patterns":     "class patterns, whose attributes are named by data",
    "dynamic":      "attributes by computed names",
    "formatting":   "format strings, which read attributes",
    "imports":      "modules that are not authorized, by every way to import and to run text",
    "modules":      "modules inside modules",
    "readers":      "what reads and writes files without being called open",
    "classes":      "metaclasses, descriptors, reducers and what classes are made of",
    "exceptions":   "errors that hold objects, or pass through the host",
    "namespaces":   "globals, builtins, eval, exec and compile",
    "library":      "functions of the library that evaluate, look up or write",
    "generation":   "annotations, templates and classes that are made from text",
    "asynchronous": "event loops, tasks and their contexts",
    "mutation":     "changes that another session or the host would see",
    "numpy":        "files, pickles, ctypes and memory of numpy",
    "pandas":       "files, pickles, texts that are code, of pandas",
    "published":    "escapes that were published of other sandboxes",
    # the jail
    "files":        "the host's files, devices and settings",
    "mounts":       "mounts, roots and namespaces",
    "network":      "sockets of every kind",
    "processes":    "other processes: signals, memory, tracing, limits",
    "privileges":   "users, capabilities, limits, the machine itself",
    "kernel":       "rare system calls, other gates into the kernel",
    "exec":         "programs and machine code",
    "programs":     "programs: compiled code, set-user-id bits, terminals, daemons, and commands of the host",  # noqa: E501
    "leaks":        "what a process inherits: descriptors, environment, memory",
    # what is used up
    "bombs":        "memory, processes, threads, descriptors and files without end",
    "computation":  "time: patterns, numbers, hashes and loops in C",
    "recursion":    "depth, in Python and in C",
    "floods":       "output, errors and names without end",
    "time":         "code that does not end when it is told to",
    "crashes":      "ends of the interpreter",
    "aftermath":    "threads, finalizers, hooks and signals after the cell",
    # the host
    "wire":         "forged bytes to the host",
    "tools":        "arguments of tools, and what is behind them",
    "results":      "values, displays and errors that come back",
    "lab":          "files that the host reads and lists",
    "snapshots":    "copies, forks and saved variables",
    "audit":        "lines of the log",
    "server":       "a server, by what clients send: other tenants, paths, requests, frames, links, calls",  # noqa: E501
    "agent":        "output that an agent's model reads",
}
# fmt: on
