# aim: run another program by posix_spawn, which forks without Python
# mechanism: os.posix_spawn
# language: view
# reason: the os that code is given holds nothing that reaches the machine
# jail: seccomp, mount namespace, landlock
# plain: succeeds
# expect: held
# programs: it ran (it aims at no more than to execute a program)
def spawn():
    child = os.posix_spawn(os.path.realpath(sys.executable), ["python", "-c", "raise SystemExit(7)"], {})
    return "it ran" if os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 7 else None

judge(spawn)
