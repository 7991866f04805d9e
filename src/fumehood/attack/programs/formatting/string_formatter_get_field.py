# aim: let the formatter return the object itself and not its text
# mechanism: string.Formatter.get_field
# language: builtins
# reason: a formatter reads the attributes its template names, and this method hands them out
# jail: process
# plain: loot

import string
import textwrap

loot(string.Formatter().get_field("0.__code__", (textwrap.dedent,), {})[0])
