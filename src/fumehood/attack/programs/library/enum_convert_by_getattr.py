# aim: let enum collect a module out of another module, by a computed name
# mechanism: getattr of _convert_
# language: builtins
# reason: _convert_ reads and writes the namespace of any loaded module
# jail: process
# plain: loot

import enum

convert = getattr(enum.Enum, "_conv" + "ert_")
loot(convert("Found", "traceback", lambda name: name == "linecache").linecache.value)
