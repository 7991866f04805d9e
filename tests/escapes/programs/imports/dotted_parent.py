# Import a submodule and use the parent that comes with it.
# mechanism: import os.path binds os
# stopped by: view
# reason: os.path does not authorize os

import os.path

loot(os.listdir)
