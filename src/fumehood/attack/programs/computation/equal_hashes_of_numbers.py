# aim: make every look into a dictionary a walk through all of it
# mechanism: integers that are multiples of the modulus of Python's hash
# source: CVE-2012-1150
# language: nothing (any program may count)
# jail: clock
# plain: hangs
# expect: fault timeout
# limits: cell_seconds=0.5
# hosts: root
table = {}
for number in range(200_000):
    table[number * ((1 << 61) - 1)] = None
