# aim: keep one call busy for ever with a pattern of two nested repetitions
# mechanism: exponential backtracking of (a+)+$ over a text that almost fits
# language: nothing (any program may use regular expressions)
# jail: clock
# plain: hangs
# expect: fault timeout
# limits: cell_seconds=0.5
# hosts: root
import re
re.match(r"(a+)+$", "a" * 40 + "b")
