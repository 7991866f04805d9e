# aim: raise the limits of this process
# mechanism: setrlimit above the hard limit
# language: check
# reason: the policy does not authorize resource
# jail: seccomp, rlimits
# plain: succeeds
# expect: held
import resource

def raise_limits():
    changed = []
    for name in ("DATA", "AS", "NPROC", "NOFILE", "FSIZE", "CPU", "CORE", "MEMLOCK", "STACK", "RTPRIO", "NICE"):
        kind = getattr(resource, f"RLIMIT_{name}")
        soft, hard = resource.getrlimit(kind)
        for wanted in ((hard, hard), (resource.RLIM_INFINITY, resource.RLIM_INFINITY), (soft, soft + 4096)):
            if wanted in ((soft, hard), (soft, soft)) or wanted[1] == hard and soft == hard:
                continue
            try:
                resource.setrlimit(kind, wanted)
            except (OSError, ValueError):
                continue
            now = resource.getrlimit(kind)
            if now != (soft, hard) and (now[0] == resource.RLIM_INFINITY or now[0] > soft >= 0):
                changed.append(name)
    return changed

judge(raise_limits)
