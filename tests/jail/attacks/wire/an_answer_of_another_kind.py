# aim: answer the host's question for a file or a variable with something else
# layer: wire
# expect: held
# plain: none (a plain process has no wire)
# host: read loot, list
from fumehood.worker import lab

lab.read = lambda path, most: "text where bytes belong"
lab.listing = lambda most: [("../../outside", -5), (7, "x"), "y", None]
"held: nobody minded"
