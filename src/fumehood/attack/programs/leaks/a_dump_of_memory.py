# aim: have the kernel write this process's memory to the host's disk
# mechanism: RLIMIT_CORE raised, then abort
# language: check
# reason: the policy does not authorize resource
# jail: rlimits
# plain: crashes
# expect: fault crash | fault killed
import resource

if resource.getrlimit(resource.RLIMIT_CORE)[1] != 0:
    resource.setrlimit(resource.RLIMIT_CORE, (resource.getrlimit(resource.RLIMIT_CORE)[1],) * 2)
os.chdir(outside_dir if os.path.isdir(outside_dir) else "/home/user" if os.path.isdir("/home/user") else "/")
os.abort()
