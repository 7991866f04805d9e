# aim: create files
# mechanism: import tempfile
# language: check
# reason: tempfile creates files
# jail: process
# plain: loot

import tempfile

loot(tempfile)
