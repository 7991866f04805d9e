# aim: read the memory of pid 1 and of the processes above from a program
# mechanism: /proc/PID/mem, maps and environ
# language: check
# reason: it starts programs, for which the policy authorizes neither subprocess nor ctypes
# jail: pid namespace, privileges
# plain: succeeds
# expect: held
SCRIPT = """
for process in 1 2 $PPID $1; do
    for name in mem maps environ auxv pagemap; do
        test $process = $2 || head -c 1 /proc/$process/$name >/dev/null 2>&1 && echo "$process $name"
    done
done
true
"""

def read():
    _code, told = run_program(["/bin/sh", "-c", SCRIPT, "sh", str(victim_pid), str(os.getpid())])
    own = {str(os.getpid()), str(os.getppid())} - {"1"}
    return [line for line in told.decode().splitlines() if line.split()[0] not in own]

judge(read)
