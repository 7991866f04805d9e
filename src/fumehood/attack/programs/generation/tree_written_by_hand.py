# aim: make code from a tree that was never a text
# mechanism: ast.Expression compiled
# language: view
# reason: the module that code is given does not hold it
# jail: process
# plain: loot
import ast
tree = ast.Expression(ast.Call(ast.Name("__import__", ast.Load()), [ast.Constant("os")], []))
loot(eval(compile(ast.fix_missing_locations(tree), "x", "eval")))
