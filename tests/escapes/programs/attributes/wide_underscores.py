# Spell the inner underscores of a forbidden name with other characters that normalise to underscores.
# mechanism: U+FE33 and U+FF3F normalise to the underscore
# stopped by: check
# reason: the normalised name is the one that is read

loot((lambda: (yield))().gi︳frame)
