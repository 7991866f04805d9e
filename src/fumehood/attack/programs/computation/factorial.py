# aim: keep the mathematics library busy with one number
# mechanism: math.factorial of ten million
# language: nothing (no exception arrives in the middle of one call into C)
# jail: clock
# plain: hangs
# expect: fault timeout | fault memory | error MemoryError
# limits: cell_seconds=0.5
# hosts: root
import math
math.factorial(10_000_000) and None
