# Spell the forbidden name with letters that normalise to ASCII.
# mechanism: identifiers are NFKC-normalised by the parser
# stopped by: check
# reason: the normalised name is the one that is read

loot(__ｂｕｉｌｔｉｎｓ__)
