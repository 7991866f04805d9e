# aim: abort the process
# layer: keeper
# expect: fault crash | fault killed
# plain: crashes
os.abort()
