# aim: die of a signal that has a number and no name, for the host to stumble over
# mechanism: a real-time signal by os.kill
# language: view
# reason: the os that code is given holds nothing that reaches the machine
# jail: init, wire
# plain: crashes
# expect: fault crash | fault killed
os.kill(os.getpid(), 41)
