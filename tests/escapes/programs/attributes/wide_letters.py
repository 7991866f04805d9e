# Spell a forbidden attribute with letters that normalise to ASCII.
# mechanism: identifiers are NFKC-normalised by the parser
# stopped by: check
# reason: the normalised name is the one that is read

import json

loot(json.dumps.__𝓰𝓵𝓸𝓫𝓪𝓵𝓼__)
