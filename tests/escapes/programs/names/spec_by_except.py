# Set the module specification to an exception that names a package.
# mechanism: `except … as name` binds a name without a Name node
# stopped by: check
# reason: __spec__ decides what a relative import imports

class Spec(Exception):
    parent = "importlib"


try:
    raise Spec
except Spec as __spec__:
    from . import util

    loot(util)
