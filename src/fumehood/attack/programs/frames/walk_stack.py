# aim: let the traceback module walk the stack of the host
# mechanism: traceback.walk_stack yields frames
# language: view
# reason: functions that hand out frames are left out of the module
# jail: process
# plain: loot

import traceback

loot(list(next(traceback.walk_stack(None))))
