# aim: hand out the builtin that reads attributes by name
# mechanism: the name getattr
# language: builtins
# reason: the getattr that code sees is not the interpreter's
# jail: process
# plain: loot

loot(getattr)
