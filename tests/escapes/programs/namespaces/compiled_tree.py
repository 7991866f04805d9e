# Compile a syntax tree instead of text.
# mechanism: compile accepts nodes, and the tree is made by hand
# stopped by: builtins
# reason: what is compiled is what is checked

import ast

tree = ast.parse("function.name", mode="eval")
tree.body.attr = "__code__"
loot(eval(compile(tree, "name", "eval"), {"function": loot}))
