# Let a library class that wraps a string do the formatting from a mapping.
# mechanism: collections.UserString.format_map calls str.format_map on its data
# stopped by: builtins
# reason: str.format_map reads the attributes its template names, also when the library calls it

import collections
import textwrap

loot(collections.UserString("{it.__code__}").format_map({"it": textwrap.dedent}))
