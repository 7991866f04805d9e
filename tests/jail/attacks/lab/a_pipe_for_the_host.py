# aim: have the host wait for ever for a pipe that nobody writes to
# layer: seccomp, landlock, files
# expect: held
# needs: mount namespace
# plain: succeeds
# host: read loot, list
judge(lambda: os.mkfifo("loot") or "a named pipe")
