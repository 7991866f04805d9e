# aim: hand out the builtin that writes attributes by name
# mechanism: the name setattr
# language: builtins
# reason: the setattr that code sees is not the interpreter's
# jail: process
# plain: loot

loot(setattr)
