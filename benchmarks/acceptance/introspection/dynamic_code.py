import ast
import dis
import io
import types

tree = ast.parse("total = price * quantity + 3")
print(ast.dump(tree.body[0].value.left))
print(sorted({node.id for node in ast.walk(tree) if isinstance(node, ast.Name)}), ast.unparse(tree))


class Doubler(ast.NodeTransformer):
    def visit_Constant(self, node):
        return ast.copy_location(ast.Constant(node.value * 2), node)


namespace = {"price": 2, "quantity": 5}
exec(compile(ast.fix_missing_locations(Doubler().visit(tree)), "<made>", "exec"), namespace)
print(namespace["total"], ast.literal_eval("{'a': [1, (2, None)]}"))
module = types.ModuleType("made", "docs")
exec("def f(): return __name__", module.__dict__)
print(module.f(), types.SimpleNamespace(a=1), types.MappingProxyType({"k": 1})["k"])
out = io.StringIO()
dis.dis(lambda x: x + 1, file=out)
print("LOAD_FAST" in out.getvalue())
try:
    compile("x = = 1", "<bad>", "exec")
except SyntaxError as error:
    print(error.msg, error.lineno, error.offset, error.text)
print(eval(compile("1 if True else 2", "", "eval")))
