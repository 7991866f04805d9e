# Read a line of a file by the lazy attribute of a frame summary.
# mechanism: traceback.FrameSummary.line looks lines up by file name
# stopped by: view
# reason: source lines are never looked up by a name the program chose

import traceback

loot(traceback.FrameSummary(secret_path, 1, "name").line)
