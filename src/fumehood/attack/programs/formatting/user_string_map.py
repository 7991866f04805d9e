# aim: let a library class that wraps a string do the formatting from a mapping
# mechanism: collections.UserString.format_map calls str.format_map on its data
# language: builtins
# reason: str.format_map reads the attributes its template names, also when the library calls it
# jail: process
# plain: loot

import collections
import textwrap

loot(collections.UserString("{it.__code__}").format_map({"it": textwrap.dedent}))
