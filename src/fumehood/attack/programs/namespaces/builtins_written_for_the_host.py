# aim: replace a builtin for everybody through the globals
# mechanism: the builtins found in globals() are written to
# language: run
# reason: the builtins of one session are not those of another, let alone the host's
# jail: process
# plain: loot

found = globals()["__builtins__"]
namespace = found if isinstance(found, dict) else vars(found)
namespace["sorted"] = lambda *args, **kwargs: "changed"
# --- second executor
if sorted([2, 1]) == "changed":
    loot("mutated: the builtin sorted")
