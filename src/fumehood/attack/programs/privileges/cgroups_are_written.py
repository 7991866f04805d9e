# aim: leave the control group that limits the sandbox, or raise its limits
# mechanism: files of /sys/fs/cgroup opened for writing
# source: CVE-2022-0492
# language: view
# reason: the os that code is given holds nothing that reaches the machine
# jail: mount namespace, landlock, privileges
# plain: succeeds
# expect: held
def groups():
    for directory, inner, files in os.walk("/sys/fs/cgroup"):
        del inner[8:]
        for name in ("cgroup.procs", "tasks", "memory.max", "memory.limit_in_bytes", "release_agent"):
            if name in files:
                # Opened and not written to.
                yield lambda path=f"{directory}/{name}": os.close(os.open(path, os.O_WRONLY)) or path

judge(lambda: first_success(groups()))
