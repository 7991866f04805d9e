# aim: keep one call busy for ever with a pattern whose alternatives overlap
# mechanism: exponential backtracking of (a|aa)+$
# language: nothing (any program may use regular expressions)
# jail: clock
# plain: hangs
# expect: fault timeout
# limits: cell_seconds=0.5
# hosts: root
import re
re.match(r"(?:a|aa)+$", "a" * 60 + "b")
