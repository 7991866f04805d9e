# aim: have a line of a .pth file run
# mechanism: site.addpackage executes lines that begin with import
# language: check
# reason: the policy does not authorize site
# jail: mount namespace, landlock
# plain: loot
import os, site
with open(scratch_path + ".pth", "w") as file:
    file.write("import os\n")
site.addpackage(scratch_path.rpartition("/")[0], "made.pth", set())
