# aim: die of a processor's exception
# mechanism: machine code that is no instruction
# language: check
# reason: it makes system calls of its own, for which the policy authorizes no ctypes
# jail: init, seccomp
# plain: crashes
# expect: fault crash
# arch: x86_64
# hosts: root
run_machine_code(b"\x0f\x0b")
