# aim: leave the runner by SystemExit and KeyboardInterrupt
# mechanism: SystemExit and KeyboardInterrupt raised and not caught
# language: run
# reason: what code raises ends its cell and no more
# jail: init
# plain: crashes
# expect: error SystemExit | error KeyboardInterrupt | held
raise SystemExit(3)
