# Take the host's standard output out of a pretty printer.
# mechanism: PrettyPrinter keeps sys.stdout in an attribute
# stopped by: builtins
# reason: the host's streams lead to its files

import pprint

loot(pprint.PrettyPrinter()._stream)
