# Use the function that starts a shell as an attribute.
# mechanism: import os; os.system
# stopped by: view
# reason: of os only constants and pure functions are given

import os

loot(os.system)
