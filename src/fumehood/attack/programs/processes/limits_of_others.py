# aim: change the limits of a process of the host
# mechanism: prlimit
# language: check
# reason: the policy does not authorize resource
# jail: seccomp, pid namespace
# plain: succeeds
# expect: held
import resource

def limit():
    resource.prlimit(victim_pid, resource.RLIMIT_NOFILE, (7, 7))
    return "the victim may open seven files"

judge(limit)
