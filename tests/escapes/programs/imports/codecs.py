# Open files through codecs.
# mechanism: import codecs
# stopped by: check
# reason: codecs opens files

import codecs

loot(codecs)
