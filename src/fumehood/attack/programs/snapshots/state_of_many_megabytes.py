# aim: have every copy cost as much as the first
# mechanism: a snapshot and a fork of a process that holds much memory
# language: nothing (any program may make such values)
# jail: cgroup, rlimits
# plain: none (a plain process has no snapshots)
# expect: held
# host: snapshot, fork
# limits: memory_bytes=268435456
# hosts: root
# needs: mount namespace
big = [bytes([number % 256]) * (1 << 20) for number in range(100)]
"held: it is kept"
