# aim: read a file by the reader of encodings
# mechanism: codecs.open
# language: check
# reason: the policy does not authorize codecs
# jail: mount namespace, landlock
# plain: loot
import codecs
loot(codecs.open(secret_path, encoding="utf-8").read())
