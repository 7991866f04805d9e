# aim: interrupt the host by KeyboardInterrupt
# mechanism: raise KeyboardInterrupt
# language: run
# reason: an interrupt raised by code is an error of the code
# jail: process
# plain: none (whether it interrupts the host is what is tested)

raise KeyboardInterrupt
