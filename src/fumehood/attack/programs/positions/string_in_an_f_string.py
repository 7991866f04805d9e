# aim: let an f-string call str.format on its inner text
# mechanism: a template inside a replacement field
# language: guard
# reason: str.format reads the attributes its template names
# jail: process
# plain: loot

import textwrap

loot(f"{'{0.__code__}'.format(textwrap.dedent)}")
