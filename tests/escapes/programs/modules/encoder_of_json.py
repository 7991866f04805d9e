# Take a compiled regular expression's module out of the encoder.
# mechanism: json.encoder.re
# stopped by: view
# reason: a module found inside a module is a view or absent

import json

loot(json.encoder.re)
