import os, sys, platform, getpass, locale, unittest
from unittest.mock import patch
os.environ["MY"] = "1"; print(os.getenv("MY"), os.environ.get("NO", "d"), os.path.expandvars("$MY/x"), "PATH" in os.environ, "HOME" in os.environ)
with patch.dict(os.environ, {"MY": "2"}, clear=True): print(dict(os.environ))
print(os.environ.pop("MY"), os.path.expanduser("~") == os.environ["HOME"], os.sep, os.linesep, os.name, sys.platform, platform.system(), sys.byteorder, sys.maxsize)
os.putenv("A", "b"); del os.environ["HOME"]; print(os.path.expanduser("~") != "~")
print(sys.getdefaultencoding(), sys.getfilesystemencoding(), sys.stdout.encoding.lower(), locale.getpreferredencoding(), sys.flags.optimize, sys.version_info[:2] >= (3, 11), bool(sys.executable), len(sys.path) > 2)
print(os.get_terminal_size().columns if sys.stdout.isatty() else "no tty", os.umask(0o22), len(os.sched_getaffinity(0)) > 0, os.getlogin() if False else "")
