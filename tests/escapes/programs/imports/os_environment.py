# Read the environment of the host.
# mechanism: os.environ
# stopped by: view
# reason: of os only constants and pure functions are given

import os

loot(os.environ)
