# aim: spell the name of a forbidden module with letters that normalise to ASCII
# mechanism: identifiers are NFKC-normalised by the parser
# language: check
# reason: the normalised name is the one that is imported
# jail: process
# plain: loot

import ｓubprocess

loot(subprocess)
