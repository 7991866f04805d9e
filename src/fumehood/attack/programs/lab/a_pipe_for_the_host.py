# aim: have the host wait for ever for a pipe that nobody writes to
# mechanism: mkfifo
# language: view
# reason: the os that code is given holds nothing that reaches the machine
# jail: seccomp, landlock, files
# plain: succeeds
# expect: held
# programs: a named pipe (programs make them; what counts is that the host does not wait)
# host: read loot, list
# needs: mount namespace
judge(lambda: os.mkfifo("loot") or "a named pipe")
