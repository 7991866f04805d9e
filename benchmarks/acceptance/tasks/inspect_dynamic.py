import inspect, types, importlib, pkgutil, sys, os, ast, dis, io, contextlib, typing, abc, functools, gc, weakref, traceback, linecache, code, symtable, tokenize, builtins, runpy
def f(a, b=2, *c, d: int = 3, **e) -> str:
    "doc"
    return a
print(inspect.signature(f), inspect.getdoc(f), inspect.getsource(f).count("\n"), inspect.getfile(f) != "", f.__code__.co_varnames, inspect.getmodule(f).__name__, inspect.stack()[0].function, inspect.currentframe().f_lineno)
open("mymod.py", "w").write("X = 1\ndef g(): return X\n"); import mymod; print(mymod.g(), os.path.basename(mymod.__file__)); open("mymod.py", "w").write("X = 22\ndef g(): return X\n"); importlib.reload(mymod); print(mymod.g())
sys.path.insert(0, "pkgs"); os.makedirs("pkgs/pk"); open("pkgs/pk/__init__.py", "w").write("from . import sub"); open("pkgs/pk/sub.py", "w").write("Y = 3"); importlib.invalidate_caches(); print(importlib.import_module("pk.sub").Y, [m.name for m in pkgutil.iter_modules(["pkgs"])], runpy.run_path("mymod.py")["X"])
try:
    exec("def z():\n    1/0\nz()")
except ZeroDivisionError: print(traceback.format_exc().splitlines()[-1], len(traceback.extract_tb(sys.exc_info()[2])))
b = io.StringIO()
with contextlib.redirect_stdout(b): dis.dis(lambda: 1)
print("RETURN" in b.getvalue(), importlib.util.find_spec("nope"), ast.literal_eval("[1]"), eval("f(1)"), callable(globals()["f"]), "f" in dir(), vars()["f"] is f, locals() is globals())
spec = importlib.util.spec_from_file_location("mm", "mymod.py"); mm = importlib.util.module_from_spec(spec); spec.loader.exec_module(mm); print(mm.X, mymod.__file__ == os.path.abspath("mymod.py"))
import importlib.metadata, importlib.resources; print(importlib.metadata.version("numpy") != "", "numpy" in {d.metadata["Name"] for d in importlib.metadata.distributions()})
