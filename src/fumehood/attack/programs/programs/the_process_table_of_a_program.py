# aim: see processes of the host
# mechanism: ps and /proc, read by a program
# language: check
# reason: it starts programs, for which the policy authorizes neither subprocess nor ctypes
# jail: pid namespace
# plain: succeeds
# expect: held
def processes():
    told = run_program(["/bin/sh", "-c", "ps -ef 2>/dev/null; cat /proc/[0-9]*/comm /proc/[0-9]*/cmdline /proc/[0-9]*/environ"])[1]
    return canaries_in(told) or (victim_name.encode() in told and f"{victim_name} is seen")

judge(processes)
