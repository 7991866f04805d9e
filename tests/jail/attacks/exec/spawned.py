# aim: run another program by posix_spawn, which forks without Python
# layer: seccomp, mount namespace, landlock
# expect: held
# plain: succeeds
def spawn():
    child = os.posix_spawn(os.path.realpath(sys.executable), ["python", "-c", "raise SystemExit(7)"], {})
    return "it ran" if os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 7 else None

judge(spawn)
