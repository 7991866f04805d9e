# aim: crash by a function that is there for that
# mechanism: faulthandler._sigsegv
# language: check
# reason: the policy does not authorize faulthandler
# jail: init
# plain: crashes
# expect: fault crash
# hosts: root
import faulthandler
faulthandler._sigsegv()
