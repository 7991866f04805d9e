# aim: read a file that every user of the host may read
# layer: mount namespace, landlock
# expect: held
# plain: succeeds
judge(lambda: read_bytes(secret_path).decode())
