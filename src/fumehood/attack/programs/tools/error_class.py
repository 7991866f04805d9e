# aim: read the module of the host out of the class of a tool's error
# mechanism: the class of an exception has methods with globals
# language: builtins
# reason: errors of tools come back as exceptions of builtin types or of a stand-in
# jail: wire
# plain: loot

try:
    fails()
except Exception as error:
    kind = type(error)
    loot(getattr(kind, "__module__", ""))
    kind.escaped = True
    kind.__str__ = lambda self: "changed"
# --- second executor
try:
    fails()
except Exception as error:
    if hasattr(error, "escaped"):
        loot("mutated: the host's exception class")
