# aim: run modules by name
# mechanism: import runpy
# language: check
# reason: runpy runs any module unguarded
# jail: process
# plain: loot

import runpy

loot(runpy)
