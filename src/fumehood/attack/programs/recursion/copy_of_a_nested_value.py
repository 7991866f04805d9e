# aim: recurse in the copying of a value
# mechanism: copy.deepcopy of lists in lists
# language: nothing (Python itself counts the depth)
# jail: rlimits, init
# plain: none (Python itself ends it; whether the runner and the host live on is what is tested)
# expect: error RecursionError | fault crash | error MemoryError | fault memory
# hosts: root
import copy
deep = []
for _ in range(50_000):
    deep = [deep]
copy.deepcopy(deep)
