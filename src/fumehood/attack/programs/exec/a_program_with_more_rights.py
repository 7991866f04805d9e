# aim: run a program that belongs to root and has its user bit set
# mechanism: execv of set-user-id programs
# language: check
# reason: the policy does not authorize glob
# jail: seccomp, privileges, mount namespace
# plain: none (a plain run is root already)
# expect: held
# programs: * ran (it has no more rights than any program; programs/set_user_id_of_a_file and its like look at those)
import glob

def privileged():
    for path in ("/bin/su", "/usr/bin/su", "/usr/bin/mount", "/usr/bin/sudo", "/usr/bin/passwd", "/usr/bin/newuidmap"):
        child = os.fork()
        if child == 0:
            try:
                os.execv(path, [path, "--version"])
            finally:
                os._exit(99)
        if os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) != 99:
            return f"{path} ran"

judge(privileged)
