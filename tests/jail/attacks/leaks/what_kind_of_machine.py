# aim: learn the host's uptime load, memory map and other users from /proc and /sys
# layer: mount namespace
# expect: held
# plain: succeeds
# housed: what containers are shown of their machine
judge(lambda: first_success([lambda path=path: os.close(os.open(path, os.O_RDONLY)) or path for path in ("/proc/kallsyms", "/proc/kcore", "/proc/kmsg", "/proc/keys", "/proc/modules", "/proc/iomem", "/proc/slabinfo", "/proc/cmdline", "/proc/config.gz", "/proc/sched_debug", "/proc/timer_list", "/proc/sys/kernel/random/boot_id", "/proc/net/tcp", "/proc/1/net/tcp", "/proc/meminfo", "/proc/stat", "/sys/kernel", "/sys/class/net", "/run/secrets", "/var/log", "/root/.ssh", "/etc/machine-id")] + [lambda: os.stat("/home/" + ([name for name in os.listdir("/home") if name != "user"] + ["nobody else"])[0])]))
