# aim: reach the host's files by way of another process
# mechanism: root, cwd and fd of every process in /proc, from a program
# language: check
# reason: it starts programs, for which the policy authorizes neither subprocess nor ctypes
# jail: pid namespace, landlock
# plain: succeeds
# expect: held
SCRIPT = """
for process in /proc/[0-9]*; do
    cat "$process/root$1" "$process/cwd$1" "$process/root/proc/1/root$1" 2>/dev/null
    for descriptor in "$process"/fd/*; do
        test -f "$descriptor" && head -c 200 "$descriptor" 2>/dev/null
    done
done
"""

judge(lambda: canaries_in(run_program(["/bin/sh", "-c", SCRIPT, "sh", secret_path])[1]))
