# aim: write a script, mark it executable and run it
# mechanism: chmod and execv of a file in /home/user
# language: check
# reason: open: opens files of the host
# jail: seccomp, landlock, lab
# plain: succeeds
# expect: held
# programs: it ran (code may execute files that it wrote)
def script():
    with open("script", "w") as file:
        file.write("#!/bin/sh\nexit 7\n")
    os.chmod("script", 0o755)
    child = os.fork()
    if child == 0:
        try:
            os.execv("./script", ["./script"])
        finally:
            os._exit(1)
    return "it ran" if os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 7 else None

judge(script)
