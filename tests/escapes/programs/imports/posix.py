# Reach the system calls behind os.
# mechanism: import posix
# stopped by: check
# reason: posix is the operating system

import posix

loot(posix)
