# aim: open network connections
# mechanism: import socket
# language: check
# reason: socket opens network connections
# jail: process
# plain: loot

import socket

loot(socket)
