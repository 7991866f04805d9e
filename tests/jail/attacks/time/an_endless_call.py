# aim: stay in C, where no exception arrives
# layer: clock, keeper
# expect: fault timeout
# plain: hangs
# limits: cell_seconds=1
import re

re.match(r"(a+)+$", "a" * 64 + "b")
