# aim: change the limits of a process of the host
# layer: seccomp, pid namespace
# expect: held
# plain: succeeds
import resource

def limit():
    resource.prlimit(victim_pid, resource.RLIMIT_NOFILE, (7, 7))
    return "the victim may open seven files"

judge(limit)
