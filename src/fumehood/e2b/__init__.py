"""E2B's sandboxes, reached by the service's own client.

zip_app.py    the file that is put into a sandbox, and the command that starts it
sandboxes.py  a sandbox with a worker in it
"""
