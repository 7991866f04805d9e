# aim: open a file through the raw file class
# mechanism: io.FileIO
# language: view
# reason: classes that open files are left out
# jail: mount namespace, landlock
# plain: loot

import io

loot(io.FileIO(secret_path).read())
