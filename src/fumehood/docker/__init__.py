"""The Docker engine: images that hold a worker, and containers to run it in.

engine.py      where an engine is, connections to it, requests
inside.py      which of our own files a container needs
building.py    how an image is built
images.py      which image is wanted, and whether it exists
hardening.py   what a container is granted: the table
asking.py      what a caller may change of it
containers.py  a container and the stream to its main process
inventory.py   images and containers of fumehood on an engine
owners.py      which process started a container, and containers whose owners are gone
"""
