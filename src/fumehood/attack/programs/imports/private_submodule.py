# aim: import a private submodule of an authorized package
# mechanism: import json.decoder, then its imports
# language: view
# reason: a module found inside a module is a view or absent
# jail: process
# plain: loot

import json.decoder

loot(json.decoder.scanner)
