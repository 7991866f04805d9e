# aim: give hashlib a file to digest
# mechanism: hashlib.file_digest needs an open file
# language: builtins
# reason: open is not among the builtins
# jail: mount namespace, landlock
# plain: loot

import hashlib

loot(hashlib.file_digest(open(secret_path, 'rb'), 'sha256') and open(secret_path).read())
