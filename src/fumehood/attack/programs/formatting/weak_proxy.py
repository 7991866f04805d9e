# aim: call the method through a weak proxy of the template
# mechanism: a proxy is not a string but answers like one
# language: guard
# reason: str.format reads the attributes its template names
# jail: process
# plain: loot

import textwrap
import weakref


class Text(str):
    pass


template = Text("{0.__code__}")
loot(weakref.proxy(template).format(textwrap.dedent))
