# aim: spell a forbidden attribute with letters that normalise to ASCII
# mechanism: identifiers are NFKC-normalised by the parser
# language: check
# reason: the normalised name is the one that is read
# jail: process
# plain: loot

import json

loot(json.dumps.__𝓰𝓵𝓸𝓫𝓪𝓵𝓼__)
