# Interrupt the host by KeyboardInterrupt.
# mechanism: raise KeyboardInterrupt
# stopped by: run
# reason: an interrupt raised by code is an error of the code
# control: none (whether it interrupts the host is what is tested)

raise KeyboardInterrupt
