# aim: compile and run text by what interactive prompts are made of
# mechanism: codeop.compile_command
# language: check
# reason: the policy does not authorize codeop
# jail: process
# plain: loot
import codeop
loot(codeop.compile_command("1"))
