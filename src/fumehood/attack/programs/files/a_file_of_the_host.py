# aim: read a file that every user of the host may read
# mechanism: open of its path
# language: check
# reason: it makes system calls of its own, for which the policy authorizes no ctypes
# jail: mount namespace, landlock
# plain: succeeds
# expect: held
judge(lambda: read_bytes(secret_path).decode())
