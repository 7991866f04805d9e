# aim: take the host's standard output out of a pretty printer
# mechanism: PrettyPrinter keeps sys.stdout in an attribute
# language: builtins
# reason: the host's streams lead to its files
# jail: process
# plain: loot

import pprint

loot(pprint.PrettyPrinter()._stream)
