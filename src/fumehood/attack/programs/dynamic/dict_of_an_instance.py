# aim: read a module out of the dictionary of a library object
# mechanism: vars() of an instance that keeps a module
# language: builtins
# reason: a library object's own dictionary may hold modules
# jail: process
# plain: loot

import warnings

loot(vars(warnings.catch_warnings()))
