# aim: keep one call busy for ever with a pattern that refers back to its own parts
# mechanism: backtracking over every way to share a text between groups that must come again
# language: nothing (any program may use regular expressions)
# jail: clock
# plain: hangs
# expect: fault timeout
# limits: cell_seconds=0.5
# hosts: root
import re
re.match(r"(a*)(a*)(a*)(a*)(a*)(a*)(a*)\1\2\3\4\5\6\7b", "a" * 200)
