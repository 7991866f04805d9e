# Import a private submodule of an authorized package.
# mechanism: import json.decoder, then its imports
# stopped by: view
# reason: a module found inside a module is a view or absent

import json.decoder

loot(json.decoder.scanner)
