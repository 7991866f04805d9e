# aim: compare two small values that have countless parts
# mechanism: lists that hold the same list twice, sixty levels deep, compared by ==
# language: nothing (no exception arrives in the middle of one call into C)
# jail: clock
# plain: hangs
# expect: fault timeout
# limits: cell_seconds=0.5
# hosts: root
one, other = [], []
for _ in range(60):
    one, other = [one, one], [other, other]
one == other
