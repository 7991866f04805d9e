# aim: run a program that may not be executed by giving it to the dynamic loader
# mechanism: execv of ld.so with the program as its argument
# language: check
# reason: the policy does not authorize glob
# jail: seccomp, landlock
# plain: succeeds
# expect: held
# programs: */ld-linux* ran (it aims at no more than to execute a program)
import glob

def load():
    for loader in glob.glob("/lib64/ld-linux*") + glob.glob("/lib/ld-linux*"):
        child = os.fork()
        if child == 0:
            try:
                os.execv(loader, [loader, "--verify", loader])
            finally:
                os._exit(99)
        if os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) != 99:
            return f"{loader} ran"

judge(load)
