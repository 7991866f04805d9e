# Start programs.
# mechanism: import subprocess
# stopped by: check
# reason: subprocess starts programs

import subprocess

loot(subprocess)
