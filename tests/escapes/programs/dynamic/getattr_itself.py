# Hand out the builtin that reads attributes by name.
# mechanism: the name getattr
# stopped by: builtins
# reason: the getattr that code sees is not the interpreter's

loot(getattr)
