# aim: import a reader class of pandas from below the module that is left out
# mechanism: from pandas.io.parsers import TextFileReader
# language: check
# reason: what is below a module that is left out is left out too
# jail: mount namespace, landlock
# plain: loot
# imports: pandas

from pandas.io.parsers import TextFileReader

loot(str(TextFileReader(secret_path, delimiter=",", engine="python").read()))
