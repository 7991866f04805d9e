# aim: stay in C, where no exception arrives
# mechanism: one call into C that takes hours
# language: nothing (no exception arrives in the middle of one call into C)
# jail: clock, init
# plain: hangs
# expect: fault timeout
# limits: cell_seconds=1
import re

re.match(r"(a+)+$", "a" * 64 + "b")
