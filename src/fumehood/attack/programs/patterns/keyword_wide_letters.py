# aim: spell the keyword of a class pattern with letters that normalise to ASCII
# mechanism: identifiers are NFKC-normalised by the parser, in patterns too
# language: check
# reason: the normalised name is the one that is read
# jail: process
# plain: loot

import json

match json.dumps:
    case object(__𝓬𝓸𝓭𝓮__=found):
        loot(found)
