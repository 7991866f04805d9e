# aim: write a file by measuring a program
# mechanism: cProfile.run with a file name
# language: check
# reason: the policy does not authorize cProfile
# jail: mount namespace, landlock
# plain: loot
import cProfile
cProfile.run("1", scratch_path)
