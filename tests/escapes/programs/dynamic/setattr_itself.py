# Hand out the builtin that writes attributes by name.
# mechanism: the name setattr
# stopped by: builtins
# reason: the setattr that code sees is not the interpreter's

loot(setattr)
