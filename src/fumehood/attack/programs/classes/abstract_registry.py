# aim: dump the registry of an abstract class
# mechanism: _dump_registry and _abc_impl of classes with ABCMeta
# language: view
# reason: the inside of abstract classes is no business of a program's
# jail: process
# plain: none (what is dumped is text about the program's own classes; the names are what is refused)

import collections.abc

for name in ("_abc_impl", "_dump_registry", "_abc_registry_clear", "_abc_caches_clear"):
    try:
        loot(getattr(collections.abc.Sized, name))
    except Exception:
        pass
