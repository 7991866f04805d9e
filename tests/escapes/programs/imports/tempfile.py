# Create files.
# mechanism: import tempfile
# stopped by: check
# reason: tempfile creates files

import tempfile

loot(tempfile)
