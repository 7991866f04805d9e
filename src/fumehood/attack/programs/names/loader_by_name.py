# aim: use the loader of the builtins module
# mechanism: the name __loader__ is found among the builtins
# language: check
# reason: a loader loads any module
# jail: process
# plain: loot

loot(__loader__.load_module("posix"))
