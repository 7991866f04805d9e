# aim: set the module specification to an exception that names a package
# mechanism: `except … as name` binds a name without a Name node
# language: check
# reason: __spec__ decides what a relative import imports
# jail: process
# plain: loot

class Spec(Exception):
    parent = "importlib"


try:
    raise Spec
except Spec as __spec__:
    from . import util

    loot(util)
