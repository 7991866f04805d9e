# aim: recurse in the compiler of regular expressions
# mechanism: re.compile of ten thousand groups in groups
# language: nothing (Python itself counts the depth)
# jail: rlimits, init
# plain: none (Python itself ends it; whether the runner and the host live on is what is tested)
# expect: error RecursionError | fault crash | error error | error PatternError
# hosts: root
import re
re.compile("(" * 20_000 + "a" + ")" * 20_000)
