# aim: keep an import in a partial
# mechanism: functools.partial(__import__, name)
# language: builtins
# reason: imports of modules that are not authorized are refused, however they are called
# jail: process
# plain: loot

import functools

loot(functools.partial(__import__, "sub" + "process")())
