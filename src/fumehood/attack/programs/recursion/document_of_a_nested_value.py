# aim: recurse in a writer of documents
# mechanism: json.dumps of dictionaries in dictionaries
# language: nothing (Python itself counts the depth)
# jail: rlimits, init
# plain: none (Python itself ends it; whether the runner and the host live on is what is tested)
# expect: error RecursionError | fault crash
# hosts: root
import json
deep = {}
for _ in range(100_000):
    deep = {"a": deep}
json.dumps(deep)
