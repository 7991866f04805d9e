# aim: take the raw format method out of a string by a class pattern
# mechanism: the keyword format is an ordinary name
# language: guard
# reason: str.format reads the attributes its template names
# jail: process
# plain: loot

import textwrap

match "{0.__code__}":
    case str(format=render):
        loot(render(textwrap.dedent))
