# aim: leave the sandbox's files by the descriptor that leads to them
# mechanism: openat, fchdir and links from descriptor 15 upwards
# language: check
# reason: it starts programs, for which the policy authorizes neither subprocess nor ctypes
# jail: descriptors, mount namespace, landlock
# plain: none (a plain process has no such descriptor)
# expect: held
SCRIPT = """
cd /proc/self/fd/15 && for step in 1 2 3 4 5 6; do
    cat "./$1" "/proc/self/cwd/$1" 2>/dev/null
    cd -P .. 2>/dev/null
done
ln -s /proc/self/fd/15/../.. above && cat "above$1" "above/..$1" 2>/dev/null
for place in /labs/*/home /labs/*/tmp; do cat "$place/$2" 2>/dev/null; done
"""

def climb():
    _code, told = run_program(["/bin/sh", "-c", SCRIPT, "sh", secret_path, neighbour_file if "neighbour_file" in globals() else "x"], close_fds=False)
    return canaries_in(told)

judge(climb)
