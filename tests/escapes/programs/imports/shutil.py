# Copy and delete files.
# mechanism: import shutil
# stopped by: check
# reason: shutil moves and deletes files

import shutil

loot(shutil)
