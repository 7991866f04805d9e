# aim: read a file by the reader of source files
# mechanism: tokenize.open
# language: check
# reason: the policy does not authorize tokenize
# jail: mount namespace, landlock
# plain: loot
import tokenize
loot(tokenize.open(secret_path).read())
