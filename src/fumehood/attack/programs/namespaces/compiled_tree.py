# aim: compile a syntax tree instead of text
# mechanism: compile accepts nodes, and the tree is made by hand
# language: builtins
# reason: what is compiled is what is checked
# jail: process
# plain: loot

import ast

tree = ast.parse("function.name", mode="eval")
tree.body.attr = "__code__"
loot(eval(compile(tree, "name", "eval"), {"function": loot}))
