# Read the hardware address of the host.
# mechanism: uuid.getnode
# stopped by: view
# reason: functions that look at the machine are left out

import uuid

loot(uuid.getnode)
