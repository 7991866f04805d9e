# Make library functions virtual instances by registration.
# mechanism: ABC.register instead of __instancecheck__
# stopped by: guard
# reason: a positional class pattern reads the attributes that __match_args__ names

import abc
import json


class Pattern(abc.ABC):
    __match_args__ = ("__glo" + "bals__",)


Pattern.register(type(json.dumps))
match json.dumps:
    case Pattern(found):
        loot(found)
