# aim: read a file the way imports do
# mechanism: io.open_code
# language: view
# reason: functions that open files are left out
# jail: mount namespace, landlock
# plain: loot

import io

loot(io.open_code(secret_path).read())
