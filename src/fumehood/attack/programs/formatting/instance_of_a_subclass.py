# aim: call the method on an instance of a subclass of str
# mechanism: the type of the template is not exactly str
# language: guard
# reason: str.format reads the attributes its template names
# jail: process
# plain: loot

import textwrap


class Text(str):
    pass


loot(Text("{0.__code__}").format(textwrap.dedent))
