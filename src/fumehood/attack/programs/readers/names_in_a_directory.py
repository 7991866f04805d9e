# aim: learn which files there are
# mechanism: glob.glob and os.scandir
# language: check
# reason: the policy does not authorize glob
# jail: mount namespace, landlock
# plain: loot
import glob
found = glob.glob(secret_path.rpartition("/")[0] + "/*")
loot("mutated: files are seen") if secret_path in found else None
