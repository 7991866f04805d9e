"""The Docker engine: images that hold a worker, and containers to run it in.

addresses.py      where an engine is: DOCKER_HOST, the current context, the usual socket
dialing.py        a connection to it: a socket, TLS, ssh
engine.py         questions to it, and what its refusals mean
relaying.py       an encrypted connection as a plain socket
inside.py         which of our own files a container needs
building.py       how an image is built
images.py         which image is wanted, and whether it is there
hardening.py      what a container is given and what not: the table
asking.py         what a caller may change of it
containers.py     a container and the stream to its main process
demultiplexing.py that stream, taken apart
owners.py         who started which container, and containers whose owners are gone
"""
