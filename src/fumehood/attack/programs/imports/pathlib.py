# aim: open files through paths
# mechanism: import pathlib
# language: check
# reason: pathlib reads and writes files
# jail: process
# plain: loot

import pathlib

loot(pathlib)
