import argparse

parser = argparse.ArgumentParser(prog="count")
parser.add_argument("--number", type=int, required=True)
print("before")
parser.parse_args(["--number", "many"])
print("never")
