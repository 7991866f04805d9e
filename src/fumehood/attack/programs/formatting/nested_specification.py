# aim: read the attribute in the format specification of another field
# mechanism: replacement fields inside a format specification
# language: guard
# reason: str.format reads the attributes its template names, nested ones too
# jail: process
# plain: loot

import textwrap


class Keeper:
    def __format__(self, specification):
        return specification


loot("{0:{1.__code__}}".format(Keeper(), textwrap.dedent))
