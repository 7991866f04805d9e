# aim: get a syntax tree without importing ast
# mechanism: compile with the flag that returns the tree
# language: builtins
# reason: what is compiled is what is checked
# jail: process
# plain: loot

tree = compile("function.name", "name", "eval", 1024)
tree.body.attr = "__code__"
loot(eval(compile(tree, "name", "eval"), {"function": loot}))
