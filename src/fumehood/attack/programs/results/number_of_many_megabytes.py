# aim: fill the host's memory with one number
# mechanism: a value of four hundred million bits
# language: nothing (any program may count)
# jail: wire, rlimits
# plain: none (in a plain process a value goes nowhere)
# expect: held | fault memory | error MemoryError | fault frame
# hosts: root
1 << 400_000_000
# ---
"held: the host is still there"
