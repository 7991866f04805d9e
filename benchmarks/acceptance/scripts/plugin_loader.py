"""Load plugins from a folder and run them in order."""
import importlib.util
import sys
from pathlib import Path


def load_plugins(folder):
    for path in sorted(Path(folder).glob("*.py")):
        spec = importlib.util.spec_from_file_location(path.stem, path)
        module = importlib.util.module_from_spec(spec)
        sys.modules[path.stem] = module
        try:
            spec.loader.exec_module(module)
        except Exception as error:
            print(f"{path.name}: {type(error).__name__}: {error}")
            continue
        yield getattr(module, "ORDER", 0), module


Path("plugins").mkdir()
Path("plugins/upper_case.py").write_text("ORDER = 2\ndef run(text):\n    return text.upper()\n")
Path("plugins/reverse.py").write_text("import functools\nORDER = 1\ndef run(text):\n    return text[::-1]\n")
Path("plugins/broken.py").write_text("raise RuntimeError('cannot start')\n")
text = "hello"
for order, plugin in sorted(load_plugins("plugins"), key=lambda pair: pair[0]):
    text = plugin.run(text)
    print(order, plugin.__name__, text)
import runpy

Path("tool.py").write_text("import sys\nprint(__name__, sys.argv[1:])\nRESULT = 42\n")
sys.argv = ["tool.py", "x"]
print(runpy.run_path("tool.py", run_name="__main__")["RESULT"])
