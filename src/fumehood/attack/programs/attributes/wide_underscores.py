# aim: spell the inner underscores of a forbidden name with other characters that normalise to underscores
# mechanism: U+FE33 and U+FF3F normalise to the underscore
# language: check
# reason: the normalised name is the one that is read
# jail: process
# plain: loot

loot((lambda: (yield))().gi︳frame)
