# Use the loader of the builtins module.
# mechanism: the name __loader__ is found among the builtins
# stopped by: check
# reason: a loader loads any module

loot(__loader__.load_module("posix"))
