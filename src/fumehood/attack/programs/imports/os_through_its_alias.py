# aim: import the module of path functions under its real name
# mechanism: import posixpath
# language: check
# reason: posixpath holds os
# jail: process
# plain: loot

import posixpath

loot(posixpath.os)
