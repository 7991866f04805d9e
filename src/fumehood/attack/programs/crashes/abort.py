# aim: abort the process
# mechanism: os.abort
# language: view
# reason: the os that code is given holds nothing that reaches the machine
# jail: init
# plain: crashes
# expect: fault crash | fault killed
os.abort()
