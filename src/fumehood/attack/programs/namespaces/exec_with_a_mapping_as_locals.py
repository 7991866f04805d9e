# aim: execute with a mapping that answers for every name, the guards' too
# mechanism: exec with a locals mapping of the program's own
# language: builtins
# reason: the guards are not found by a name that a namespace of the program's can answer for
# jail: process
# plain: loot

import textwrap


class Spoof(dict):
    def __missing__(self, name):
        if name.isidentifier():
            raise KeyError(name)
        return lambda *args, **kwargs: lambda *more: args


found = []
exec("found.append('{0.__code__}'.format(function))", {"found": found, "function": textwrap.dedent}, Spoof())
loot(found)
