# Dumping to and loading from file-like objects.
import io
import json as j
from json import dump, load

stream = io.StringIO()
dump({"lines": [1, 2, 3]}, stream, indent=1)
print(stream.getvalue())
stream.seek(0)
data = load(stream)
lines = "\n".join(j.dumps({"id": n}) for n in range(3))
data["lines"], [j.loads(line)["id"] for line in lines.splitlines()]
