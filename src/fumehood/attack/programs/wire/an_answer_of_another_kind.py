# aim: answer the host's question for a file or a variable with something else
# mechanism: the runner's functions replaced, so that answers are of other types
# language: check
# reason: the policy does not authorize fumehood.worker
# jail: wire
# plain: none (a plain process has no wire)
# expect: held
# host: read loot, list
from fumehood.worker.file_server import Workspace

Workspace.read = lambda self, path, most, at=0: "text where bytes belong"
Workspace.listing = lambda self, most: [("../../outside", -5), (7, "x"), "y", None]
"held: nobody minded"
