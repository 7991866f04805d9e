# aim: read a file as the data of a package
# mechanism: importlib.machinery.SourceFileLoader.get_data
# language: check
# reason: the policy does not authorize importlib.machinery
# jail: mount namespace, landlock
# plain: loot
import importlib.machinery
loot(importlib.machinery.SourceFileLoader("x", secret_path).get_data(secret_path))
