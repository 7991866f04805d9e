# aim: recurse in a reader of documents
# mechanism: json.loads of a hundred thousand brackets
# language: nothing (Python itself counts the depth)
# jail: rlimits, init
# plain: none (Python itself ends it; whether the runner and the host live on is what is tested)
# expect: error RecursionError | fault crash | error JSONDecodeError
# hosts: root
import json
json.loads("[" * 100_000)
