"""Many programs on many machines: items are handed to nodes in batches, each runs in a sandbox of
its own, and each comes back once.

fleet.py      Fleet: what a program uses
schedule.py   which item goes to which node, and in what order results are given; no I/O
parcels.py    what travels: items to a node, outcomes back
workshop.py   a node: items run on a pool of sandboxes there
links.py      how a driver reaches a workshop, and the one in this process
ray_links.py  workshops on the nodes of a Ray cluster
engine.py     the thread that keeps links busy
runs.py       one map: inputs in, results out
inputs.py     what is made of an input before it travels
progress.py   how far it is, on a terminal
results.py    what comes of an item, and what is counted
"""
