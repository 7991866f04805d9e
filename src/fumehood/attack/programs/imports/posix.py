# aim: reach the system calls behind os
# mechanism: import posix
# language: check
# reason: posix is the operating system
# jail: process
# plain: loot

import posix

loot(posix)
