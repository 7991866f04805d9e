# aim: consume an endless iterator in C, keeping nothing
# mechanism: a deque of length zero over itertools.repeat
# language: nothing (no exception arrives in the middle of one call into C)
# jail: clock
# plain: hangs
# expect: fault timeout
# limits: cell_seconds=0.5
# hosts: root
import collections, itertools
collections.deque(itertools.repeat(None), maxlen=0)
