# aim: call the method through a subclass of str
# mechanism: the attribute is inherited
# language: guard
# reason: str.format reads the attributes its template names
# jail: process
# plain: loot

import textwrap


class Text(str):
    pass


loot(Text.format("{0.__code__}", textwrap.dedent))
