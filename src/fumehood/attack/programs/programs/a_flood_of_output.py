# aim: have the host keep more output than it wants
# mechanism: commands that print without end, in several streams
# language: check
# reason: it starts programs, for which the policy authorizes neither subprocess nor ctypes
# jail: clock, wire
# plain: none (what is attacked is the host's end)
# expect: held
# host: command bash attack, command yes, command echo answers
# needs: mount namespace
def leave():
    open('attack', 'w').write('yes >&2 & yes & yes >&2 & yes')

judge(leave)
