import yaml

TEXT = """
name: demo
servers:
  - host: a
    ports: [80, 443]
  - {host: b, enabled: true}
released: 2024-02-29
notes: |
  two
  lines
"""
data = yaml.safe_load(TEXT)
print(data)
print(yaml.safe_dump(data, sort_keys=False))
with open("out.yaml", "w") as file:
    yaml.safe_dump_all([{"a": 1}, [1, 2]], file)
print(list(yaml.safe_load_all(open("out.yaml"))))
try:
    yaml.safe_load("a: [1, 2")
except yaml.YAMLError as error:
    print(type(error).__name__, error.problem)
