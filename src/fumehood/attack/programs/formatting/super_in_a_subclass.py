# aim: call the inherited method through super
# mechanism: super() is not a string but answers like one
# language: guard
# reason: str.format reads the attributes its template names
# jail: process
# plain: loot

import textwrap


class Text(str):
    def render(self, *args):
        return super().format(*args)


loot(Text("{0.__code__}").render(textwrap.dedent))
