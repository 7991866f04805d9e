# aim: overflow the C stack with a limit that is raised first
# mechanism: sys.setrecursionlimit, then recursion through sorted, which is C
# language: nothing (code may raise the limit, up to the policy's)
# jail: rlimits, init
# plain: crashes
# expect: fault crash | fault memory | fault timeout | error RecursionError
# limit: the interpreter itself can be crashed
# hosts: root
import sys
sys.setrecursionlimit(1_000_000_000)

def down(depth):
    return sorted([0], key=down)

down(0)
