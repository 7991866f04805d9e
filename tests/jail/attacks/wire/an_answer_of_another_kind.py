# aim: answer the host's question for a file or a variable with something else
# layer: wire
# expect: held
# plain: none (a plain process has no wire)
# host: read loot, list
from fumehood.worker.lab import Lab

Lab.read = lambda self, path, most, at=0: "text where bytes belong"
Lab.listing = lambda self, most: [("../../outside", -5), (7, "x"), "y", None]
"held: nobody minded"
