# Take the raw format method out of a string by a class pattern.
# mechanism: the keyword format is an ordinary name
# stopped by: guard
# reason: str.format reads the attributes its template names

import textwrap

match "{0.__code__}":
    case str(format=render):
        loot(render(textwrap.dedent))
