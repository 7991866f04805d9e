# Literals are read from text and anything else is refused.
import ast
from ast import literal_eval

print(literal_eval("{'a': [1, 2.5, (None, True)], 'b': {1}, 'c': b'x'}"), literal_eval("-5 + 2j"))
print(ast.literal_eval("  'text'".strip()), literal_eval("set()"))
try:
    literal_eval("len('x')")
except ValueError as error:
    print(type(error).__name__)
try:
    literal_eval("[1,")
except SyntaxError as error:
    print(type(error).__name__)
literal_eval("[0x10, 1_000]")
