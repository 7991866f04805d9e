# Let an f-string call str.format on its inner text.
# mechanism: a template inside a replacement field
# stopped by: guard
# reason: str.format reads the attributes its template names

import textwrap

loot(f"{'{0.__code__}'.format(textwrap.dedent)}")
