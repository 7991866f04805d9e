# aim: take a compiled regular expression's module out of the encoder
# mechanism: json.encoder.re
# language: view
# reason: a module found inside a module is a view or absent
# jail: process
# plain: loot

import json

loot(json.encoder.re)
