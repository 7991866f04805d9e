# aim: recurse in a comparison of nested lists
# mechanism: == of two lists, a hundred thousand deep
# language: nothing (Python itself counts the depth)
# jail: rlimits, init
# plain: none (Python itself ends it; whether the runner and the host live on is what is tested)
# expect: error RecursionError | fault crash | error MemoryError | fault memory
# hosts: root
one, other = [], []
for _ in range(100_000):
    one, other = [one], [other]
one == other
