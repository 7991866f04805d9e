"""Descriptors of another place, here: what lets a worker in a container, or further away, be held
like one on this machine.

frames.py    what travels, and the same as lines of text, no I/O
channels.py  one descriptor and what is on its way to it
pump.py      a stream to it, where what leads there is no plain socket
end.py       one end of a tunnel: pumps between descriptors and a stream of bytes
pidfds.py    what can be done with a handle on a process, where the process is
inside.py    which of our files another place needs
launch.py    how a supervisor is started, where it is to run
"""
