# aim: import a module from an archive of one's own
# mechanism: zipimport
# language: check
# reason: the policy does not authorize zipfile, zipimport
# jail: mount namespace, landlock
# plain: loot
import zipfile, zipimport
with zipfile.ZipFile(scratch_path, "w") as archive:
    archive.writestr("own.py", "import os\n")
loot(zipimport.zipimporter(scratch_path).load_module("own").os) if hasattr(zipimport.zipimporter, "load_module") else None
