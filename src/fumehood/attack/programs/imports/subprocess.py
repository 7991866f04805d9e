# aim: start programs
# mechanism: import subprocess
# language: check
# reason: subprocess starts programs
# jail: process
# plain: loot

import subprocess

loot(subprocess)
