import argparse
from datetime import date


def positive(text):
    value = int(text)
    if value <= 0:
        raise argparse.ArgumentTypeError(f"{text} is not positive")
    return value


def pair(text):
    key, _, value = text.partition("=")
    return key, value


class Upper(argparse.Action):
    def __call__(self, parser, namespace, values, option_string=None):
        setattr(namespace, self.dest, values.upper())


parser = argparse.ArgumentParser(prog="job", exit_on_error=False, fromfile_prefix_chars="@")
parser.add_argument("--day", type=date.fromisoformat)
parser.add_argument("--count", type=positive, default=1)
parser.add_argument("--set", type=pair, action="append", default=[])
parser.add_argument("--mode", action=Upper)
print(parser.parse_args("--day 2024-02-29 --set a=1 --set b=2 --mode fast".split()))
with open("args.txt", "w") as file:
    file.write("--count\n7\n")
print(parser.parse_args(["@args.txt"]).count)
try:
    parser.parse_args(["--count", "-3"])
except argparse.ArgumentError as error:
    print(error)
known, rest = parser.parse_known_args(["--count", "2", "--other", "x"])
print(known.count, rest)
