# aim: keep one call busy with a pattern that is only quadratic, over a long text
# mechanism: re.search of \s+$ in half a million blanks that end in something else
# language: nothing (any program may use regular expressions)
# jail: clock
# plain: hangs
# expect: fault timeout
# limits: cell_seconds=0.5
# hosts: root
import re
re.search(r"\s+$", " " * 500_000 + "x")
