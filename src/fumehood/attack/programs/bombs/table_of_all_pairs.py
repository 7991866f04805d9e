# aim: use more memory than the limit by joining two small tables
# mechanism: pandas merge with how="cross"
# language: nothing (the rules do not count memory)
# jail: rlimits, cgroup
# plain: succeeds
# expect: error MemoryError | error _ArrayMemoryError | fault memory | held
# imports: pandas
# limits: memory_bytes=402653184
# hosts: root
import pandas
one = pandas.DataFrame({"a": range(3500)})
judge(lambda: f"{len(one.merge(one, how='cross')) >> 20} million rows")
