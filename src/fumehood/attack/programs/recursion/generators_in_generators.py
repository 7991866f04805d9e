# aim: recurse through generators that delegate
# mechanism: yield from around yield from
# language: nothing (Python itself counts the depth)
# jail: rlimits, init
# plain: none (Python itself ends it; whether the runner and the host live on is what is tested)
# expect: error RecursionError | fault crash | fault memory
# hosts: root
def wrapped(inner):
    yield from inner

deep = iter([1])
for _ in range(100_000):
    deep = wrapped(deep)
next(deep)
