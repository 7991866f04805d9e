# Open network connections.
# mechanism: import socket
# stopped by: check
# reason: socket opens network connections

import socket

loot(socket)
