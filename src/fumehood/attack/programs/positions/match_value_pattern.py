# aim: let a value pattern read the forbidden attribute and hand it to an __eq__
# mechanism: a dotted name in a pattern is evaluated and compared with the subject
# language: check
# reason: dotted names in patterns are checked like reads
# jail: process
# plain: loot

import json


class Greedy:
    def __eq__(self, other):
        loot(other)
        return True


match Greedy():
    case json.dumps.__globals__:
        pass
