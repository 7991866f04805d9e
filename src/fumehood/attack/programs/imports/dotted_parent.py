# aim: import a submodule and use the parent that comes with it
# mechanism: import os.path binds os
# language: view
# reason: os.path does not authorize os
# jail: process
# plain: loot

import os.path

loot(os.listdir)
