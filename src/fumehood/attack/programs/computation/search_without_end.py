# aim: search in C for what never comes
# mechanism: the operator in over itertools.count
# language: nothing (no exception arrives in the middle of one call into C)
# jail: clock
# plain: hangs
# expect: fault timeout
# limits: cell_seconds=0.5
# hosts: root
import itertools
-1 in itertools.count()
