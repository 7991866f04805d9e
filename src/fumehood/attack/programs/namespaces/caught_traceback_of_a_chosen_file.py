# aim: name a secret file as the file of compiled code and format the error
# mechanism: traceback.format_exc looks lines up by file name
# language: run
# reason: source lines are shown from the cell's own text, never looked up by a name the program chose
# jail: mount namespace, landlock
# plain: loot

import traceback

try:
    exec(compile("1 / 0", secret_path, "exec"))
except ZeroDivisionError:
    loot(traceback.format_exc())
