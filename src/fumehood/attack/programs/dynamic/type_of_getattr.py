# aim: rebuild the unguarded builtin from the type of the guarded one
# mechanism: type() of a guarded builtin, its defaults and its attributes
# language: builtins
# reason: what a guard is made of must not lead to what it guards
# jail: process
# plain: loot

for guarded in (getattr, setattr, eval, exec, compile, vars, type, globals, print, __import__, hasattr):
    for name in ("__wrapped__", "func", "_function", "function", "real", "original", "__defaults__", "__closure__", "__self__"):
        try:
            loot(getattr(guarded, name))
        except Exception:
            pass
