# aim: use more memory than the limit by a substitution that matches everywhere
# mechanism: re.sub of nothing by a long text
# language: nothing (the rules do not count memory)
# jail: rlimits, cgroup
# plain: succeeds
# expect: error MemoryError | fault memory | held
# hosts: root
import re
judge(lambda: f"{len(re.sub('', 'x' * 100_000, 'a' * 2000)) >> 20} MB")
