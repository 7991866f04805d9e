"""Docker: images that hold a worker, and containers to run it in.

engine.py      an engine, reached by the Docker SDK
images.py      which image is wanted, whether it exists, how it is built
hardening.py   what a container may do: the table, what a caller may change of it, what is in force
containers.py  a container, the stream to its main process, its owner and its end
inventory.py   our images and containers on an engine
"""
