# aim: end the process without a word
# mechanism: os._exit
# language: view
# reason: the os that code is given holds nothing that reaches the machine
# jail: init
# plain: crashes
# expect: fault crash | fault killed
os._exit(0)
