# Let the traceback module walk the stack of the host.
# mechanism: traceback.walk_stack yields frames
# stopped by: view
# reason: functions that hand out frames are left out of the module

import traceback

loot(list(next(traceback.walk_stack(None))))
