# aim: use more memory than the limit where no object is seen to hold it
# mechanism: itertools.tee, one of whose iterators is never read
# language: nothing (the rules do not count memory)
# jail: rlimits, cgroup
# plain: succeeds
# expect: error MemoryError | fault memory | held
# hosts: root
import collections, itertools

def grow():
    kept, read = itertools.tee(str(number) * 8 for number in range(2_000_000))
    collections.deque(read, maxlen=0)
    return f"{sum(1 for _ in kept)} texts were kept"

judge(grow)
