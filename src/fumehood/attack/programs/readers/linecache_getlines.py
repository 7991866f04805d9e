# aim: read a file by the cache of source lines itself
# mechanism: linecache.getlines
# language: check
# reason: the policy does not authorize linecache
# jail: mount namespace, landlock
# plain: loot
import linecache
loot(linecache.getlines(secret_path))
