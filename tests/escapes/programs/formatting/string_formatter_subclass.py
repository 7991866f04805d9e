# Catch the object on its way in a subclass of the formatter.
# mechanism: format_field gets the object that the template named
# stopped by: builtins
# reason: a formatter reads the attributes its template names

import string
import textwrap


class Catcher(string.Formatter):
    def format_field(self, value, specification):
        loot(value)
        return ""


Catcher().format("{0.__globals__}", textwrap.dedent)
