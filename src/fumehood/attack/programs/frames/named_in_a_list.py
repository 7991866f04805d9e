# aim: read a line of a file by describing a frame that was never there
# mechanism: traceback.format_list looks lines up by file name
# language: view
# reason: source lines are never looked up by a name the program chose
# jail: mount namespace, landlock
# plain: loot

import traceback

loot("".join(traceback.format_list([(secret_path, 1, "name", None)])))
