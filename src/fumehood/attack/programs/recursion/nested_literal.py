# aim: overflow the stack of the reader of literals
# mechanism: ast.literal_eval of nested lists
# language: nothing (the parser counts the depth)
# jail: rlimits, init
# plain: none (Python itself ends it; whether the runner and the host live on is what is tested)
# expect: error RecursionError | error MemoryError | error SyntaxError | fault crash
# hosts: root
import ast
ast.literal_eval("[" * 5000 + "]" * 5000)
