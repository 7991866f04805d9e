# aim: let the traceback module look a line up in a frame of the program's making
# mechanism: StackSummary.extract takes any object for a frame and reads the file it names
# language: view
# reason: source lines are never looked up by a name the program chose
# jail: mount namespace, landlock
# plain: loot

import traceback
import types

code = types.SimpleNamespace(co_filename=secret_path, co_name="name", co_qualname="name", co_positions=lambda: [])
frame = types.SimpleNamespace(f_code=code, f_globals={}, f_locals={}, f_lasti=0)
summary = traceback.StackSummary.extract([(frame, 1)])
loot("".join(summary.format()))
