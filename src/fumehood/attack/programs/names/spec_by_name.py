# aim: use the specification of the builtins module
# mechanism: the name __spec__ is found among the builtins
# language: check
# reason: a specification leads to the loader, and a loader loads any module
# jail: process
# plain: loot

loot(__spec__.loader.load_module("posix"))
