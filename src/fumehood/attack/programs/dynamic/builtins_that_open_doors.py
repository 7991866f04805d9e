# aim: hand out every dangerous builtin that can be named
# mechanism: the names of builtins
# language: builtins
# reason: the open, eval, exec, compile, vars and input that code sees are not the interpreter's
# jail: process
# plain: loot

for name in ("open", "eval", "exec", "compile", "input", "breakpoint", "vars", "globals", "locals", "delattr"):
    try:
        loot(eval(name))
    except NameError:
        pass
