# aim: read a file by what reads the files of a command line
# mechanism: fileinput.input
# language: check
# reason: the policy does not authorize fileinput
# jail: mount namespace, landlock
# plain: loot
import fileinput
loot("".join(fileinput.input([secret_path])))
