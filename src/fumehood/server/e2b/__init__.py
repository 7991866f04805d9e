"""The surface that E2B's own SDK speaks to: its control API, and the API of what runs in each of
its sandboxes.

routes      which path is answered by whom
control     sandboxes: made, listed, paused, forked, ended
doors       which sandbox a request is for, and whether it may
notebook    code that is run, and contexts           results: what a display is called there
transfer    files as bytes                           filesystem: files by name
processes   commands                                 connect: how calls of the last two travel
streams     what threads make and a client reads     shapes: bodies of requests and answers
"""
