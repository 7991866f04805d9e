# aim: execute with builtins of the program's own, which the guards may be looked up in
# mechanism: exec with __builtins__ in its globals
# language: builtins
# reason: the guards are not found through builtins that the program supplies
# jail: process
# plain: loot

import textwrap


class Everything(dict):
    def __missing__(self, name):
        return lambda *args, **kwargs: args[-1] if args else None


found = []
exec(
    "found.append('{0.__code__}'.format(function))",
    {"__builtins__": {}, "found": found, "function": textwrap.dedent},
)
loot(found)
