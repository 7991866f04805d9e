# aim: read the environment of the host
# mechanism: os.environ
# language: view
# reason: of os only constants and pure functions are given
# jail: process
# plain: loot

import os

loot(os.environ)
