# aim: call the method of the formatter class without an instance of it
# mechanism: string.Formatter.get_field as a function, self being the program's own object
# language: builtins
# reason: a formatter reads the attributes its template names
# jail: process
# plain: loot

import string
import textwrap


class Own:
    def get_value(self, key, args, kwargs):
        return textwrap.dedent


loot(string.Formatter.get_field(Own(), "it.__code__", (), {})[0])
