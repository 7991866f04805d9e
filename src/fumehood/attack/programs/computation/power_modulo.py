# aim: keep one call into C busy with numbers that stay small
# mechanism: three-argument pow with an exponent and a modulus of a million bits
# language: nothing (no exception arrives in the middle of one call into C)
# jail: clock
# plain: hangs
# expect: fault timeout
# limits: cell_seconds=0.5
# hosts: root
pow(3, (1 << 1_000_000) - 1, (1 << 1_000_000) + 1)
