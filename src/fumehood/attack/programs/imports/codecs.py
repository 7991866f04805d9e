# aim: open files through codecs
# mechanism: import codecs
# language: check
# reason: codecs opens files
# jail: process
# plain: loot

import codecs

loot(codecs)
