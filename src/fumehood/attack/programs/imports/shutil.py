# aim: copy and delete files
# mechanism: import shutil
# language: check
# reason: shutil moves and deletes files
# jail: process
# plain: loot

import shutil

loot(shutil)
