# aim: leave the runner by SystemExit and KeyboardInterrupt
# layer: keeper
# expect: error SystemExit | error KeyboardInterrupt | held
# plain: crashes
raise SystemExit(3)
