"""The jail's tests. corpus.py reads the attack programs, canaries.py makes what they aim at,
identities.py says who the host is, plain_world.py runs one without a jail, attack_child.py is the
host that runs one in it, and attack_host.py the test's end of that host.
"""
