# aim: overflow the stack of the compiler
# mechanism: eval of a number with a hundred thousand signs
# language: nothing (the compiler counts the depth)
# jail: rlimits, init
# plain: none (Python itself ends it; whether the runner and the host live on is what is tested)
# expect: error RecursionError | error MemoryError | error SyntaxError | error Refused | fault crash | fault refused | fault memory
# hosts: root
eval("-" * 100_000 + "1")
