# aim: read lines of any file
# mechanism: import linecache
# language: check
# reason: linecache reads any file
# jail: process
# plain: loot

import linecache

loot(linecache)
