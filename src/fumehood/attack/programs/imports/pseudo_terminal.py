# aim: start a program on a terminal of its own
# mechanism: pty.spawn
# language: check
# reason: the policy does not authorize pty
# jail: process
# plain: loot
import pty
loot(pty.spawn)
