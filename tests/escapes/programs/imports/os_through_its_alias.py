# Import the module of path functions under its real name.
# mechanism: import posixpath
# stopped by: check
# reason: posixpath holds os

import posixpath

loot(posixpath.os)
