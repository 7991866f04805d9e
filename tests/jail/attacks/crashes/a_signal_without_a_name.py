# aim: die of a signal that has a number and no name, for the host to stumble over
# layer: keeper, wire
# expect: fault crash | fault killed
# plain: crashes
os.kill(os.getpid(), 41)
