# aim: spell the forbidden name with letters that normalise to ASCII
# mechanism: identifiers are NFKC-normalised by the parser
# language: check
# reason: the normalised name is the one that is read
# jail: process
# plain: loot

loot(__ｂｕｉｌｔｉｎｓ__)
