# aim: end the process without a word
# layer: keeper
# expect: fault crash | fault killed
# plain: crashes
os._exit(0)
