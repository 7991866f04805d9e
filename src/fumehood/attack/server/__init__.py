"""Attacks on a server: one that is started for them, the tenant that is attacked, and a client that
writes whatever bytes it likes.

client.py     the words of the programs: raw connections, requests, frames; everything that comes
              back is kept
victim.py     what the attacked tenant has, and whether it still has it
target.py     a server that is attacked: how it is started, and what is seen of it from outside
runs.py       one program against it, and what became of that
"""
