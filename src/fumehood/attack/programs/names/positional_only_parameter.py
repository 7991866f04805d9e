# aim: give a positional-only parameter a forbidden name
# mechanism: posonlyargs is another field than args
# source: CVE-2026-55830 (RestrictedPython)
# language: check
# reason: forbidden names are refused wherever a name can be bound
# jail: process
# plain: none (a local variable of that name has no effect outside a guarded namespace)

def function(__builtins__, /):
    return __builtins__
