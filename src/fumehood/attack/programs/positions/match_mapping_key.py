# aim: let a mapping pattern read the forbidden attribute as a key
# mechanism: the key of a mapping pattern may be a dotted name and is handed to get()
# language: check
# reason: dotted names in patterns are checked like reads
# jail: process
# plain: loot

import json


class Greedy(dict):
    def get(self, key, default=None):
        loot(key)
        return default


match Greedy(a=1):
    case {json.dumps.__code__: found}:
        pass
