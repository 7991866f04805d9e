# aim: call the method on a member of a string enumeration
# mechanism: enum.StrEnum members are strings
# language: guard
# reason: str.format reads the attributes its template names
# jail: process
# plain: loot

import enum
import textwrap


class Template(enum.StrEnum):
    CODE = "{0.__code__}"


loot(Template.CODE.format(textwrap.dedent))
