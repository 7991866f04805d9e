# aim: use a protocol without members, of which everything is an instance
# mechanism: typing.runtime_checkable
# language: guard
# reason: a positional class pattern reads the attributes that __match_args__ names
# jail: process
# plain: loot
# python: 3.12+

import json
import typing


@typing.runtime_checkable
class Pattern(typing.Protocol):
    pass


Pattern.__match_args__ = ("__glo" + "bals__",)
match json.dumps:
    case Pattern(found):
        loot(found)
