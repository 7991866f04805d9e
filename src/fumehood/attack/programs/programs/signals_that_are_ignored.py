# aim: go on although the host ends the command
# mechanism: a command that ignores every signal and starts others in its group
# language: check
# reason: it starts programs, for which the policy authorizes neither subprocess nor ctypes
# jail: clock, init
# plain: none (what is attacked is the host's end)
# expect: held
# host: command bash attack, command echo answers
# needs: mount namespace
def leave():
    open('attack', 'w').write('trap "" HUP INT TERM QUIT USR1; (while :; do sleep 1; done) & while :; do sleep 1; done')

judge(leave)
