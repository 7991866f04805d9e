# Call the method through a subclass of str.
# mechanism: the attribute is inherited
# stopped by: guard
# reason: str.format reads the attributes its template names

import textwrap


class Text(str):
    pass


loot(Text.format("{0.__code__}", textwrap.dedent))
