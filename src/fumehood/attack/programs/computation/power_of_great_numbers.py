# aim: keep one call into C busy, where no exception arrives
# mechanism: 3 ** 100000000
# language: nothing (no exception arrives in the middle of one call into C)
# jail: clock
# plain: hangs
# expect: fault timeout | fault memory | error MemoryError
# limits: cell_seconds=0.5
# hosts: root
len(bin(3 ** 100_000_000)) and None
