import argparse


def add(args):
    print("sum", sum(args.numbers))


def greet(args):
    print(("HELLO " if args.loud else "hello ") + args.name)


parser = argparse.ArgumentParser(prog="tool")
parser.add_argument("--version", action="version", version="tool 1.2")
commands = parser.add_subparsers(dest="command", required=True)
adding = commands.add_parser("add", help="add numbers")
adding.add_argument("numbers", nargs="*", type=float)
adding.set_defaults(function=add)
greeting = commands.add_parser("greet")
greeting.add_argument("name")
greeting.add_argument("--loud", action=argparse.BooleanOptionalAction, default=False)
greeting.set_defaults(function=greet)
for line in ("add 1 2 3.5", "greet Ann --loud", "greet Bob --no-loud", "add"):
    args = parser.parse_args(line.split())
    args.function(args)
try:
    parser.parse_args(["--version"])
except SystemExit as error:
    print("exit", error.code)
