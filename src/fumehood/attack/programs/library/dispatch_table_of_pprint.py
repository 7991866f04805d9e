# aim: teach the pretty printer of the library to call the program
# mechanism: PrettyPrinter._dispatch is a dictionary on the class
# language: run
# reason: library classes are shared by every session and by the host
# jail: process
# plain: loot
# limit: library state is shared with this process

import pprint

for key in list(pprint.PrettyPrinter._dispatch):
    pprint.PrettyPrinter._dispatch[key] = lambda self, obj, stream, *rest: stream.write("changed")
# --- second executor
import pprint

if "changed" in pprint.pformat({"a": ["x" * 60, "y" * 60]}):
    loot("mutated: pprint.PrettyPrinter")
