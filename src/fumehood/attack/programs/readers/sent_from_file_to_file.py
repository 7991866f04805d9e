# aim: read a file without its bytes ever being in Python
# mechanism: os.sendfile
# language: view
# reason: the module that code is given does not hold it
# jail: mount namespace, landlock
# plain: loot
import os
source = os.open(secret_path, os.O_RDONLY)
target = os.open(scratch_path, os.O_CREAT | os.O_WRONLY)
os.sendfile(target, source, 0, 100)
