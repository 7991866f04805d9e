# aim: let a subclass of the formatter invent the field names
# mechanism: parse() of a subclass returns names that are in no template
# language: builtins
# reason: the names are checked where attributes are read, not where the template is
# jail: process
# plain: loot

import string
import textwrap


class Inventor(string.Formatter):
    def parse(self, template):
        if template:
            yield ("", "0.__co" + "de__", "", None)


loot(Inventor().format("harmless", textwrap.dedent))
