# aim: have the runner import something else than it asks for
# mechanism: sys.modules and sys.meta_path filled with modules of the cell's
# language: view
# reason: the module that code is given does not hold it
# jail: wire, init
# plain: none (in a plain process there is nobody else's code)
# expect: held
# host: again, state, list
# hosts: root
import sys, types

class Finder:
    @staticmethod
    def find_spec(name, path=None, target=None):
        raise RuntimeError(f"no {name} today")

sys.meta_path.insert(0, Finder)
for name in ("json", "struct", "traceback", "ast", "fumehood.wire.values", "fumehood.worker.runner"):
    sys.modules[name] = types.ModuleType(name)
"held: they are replaced"
