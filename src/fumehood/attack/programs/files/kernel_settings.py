# aim: open the kernel's settings for writing: where core dumps go, the magic keys, the process table's limits
# mechanism: files below /proc/sys and /sys, opened for writing
# language: check
# reason: open: opens files of the host
# jail: mount namespace, landlock, privileges
# plain: succeeds
# expect: held
def settings():
    # Opened and not written to.
    for path in ("/proc/sys/kernel/core_pattern", "/proc/sysrq-trigger", "/proc/sys/kernel/modprobe", "/proc/sys/vm/overcommit_memory", "/sys/kernel/uevent_helper", "/proc/self/oom_score_adj", "/proc/self/uid_map"):
        yield lambda path=path: os.close(os.open(path, os.O_WRONLY)) or path

def without_own_oom_score():
    # Being killed later than others would make the others pay; being killed sooner is anybody's right.
    with open("/proc/self/oom_score_adj", "r+") as score:
        before = int(score.read())
        score.seek(0)
        score.write(str(before - 1))
        score.flush()
        return f"the score went from {before} to {before - 1}"

judge(lambda: first_success([attempt for attempt in list(settings())[:5]] + [without_own_oom_score]))
