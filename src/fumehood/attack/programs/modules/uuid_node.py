# aim: read the hardware address of the host
# mechanism: uuid.getnode
# language: view
# reason: functions that look at the machine are left out
# jail: process
# plain: loot

import uuid

loot(uuid.getnode)
