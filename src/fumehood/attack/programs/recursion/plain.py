# aim: recurse without end
# mechanism: a function that calls itself
# language: nothing (Python itself counts the depth)
# jail: rlimits, init
# plain: none (Python itself ends it; whether the runner and the host live on is what is tested)
# expect: error RecursionError | fault crash | fault memory
# hosts: root
def down(depth):
    return down(depth + 1)

down(0)
