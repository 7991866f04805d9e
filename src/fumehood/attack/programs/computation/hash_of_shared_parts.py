# aim: hash a small value that has countless parts
# mechanism: tuples that hold the same tuple twice, sixty levels deep
# language: nothing (no exception arrives in the middle of one call into C)
# jail: clock
# plain: hangs
# expect: fault timeout
# limits: cell_seconds=0.5
# hosts: root
value = ()
for _ in range(60):
    value = (value, value)
hash(value)
