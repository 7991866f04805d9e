import argparse

common = argparse.ArgumentParser(add_help=False)
common.add_argument("--verbose", "-v", action="count", default=0)
parser = argparse.ArgumentParser(
    prog="sync", parents=[common], formatter_class=argparse.ArgumentDefaultsHelpFormatter, epilog="See also: rsync."
)
exclusive = parser.add_mutually_exclusive_group()
exclusive.add_argument("--fast", action="store_const", const="fast", dest="speed", default="normal")
exclusive.add_argument("--slow", action="store_const", const="slow", dest="speed")
group = parser.add_argument_group("network")
group.add_argument("--port", type=int, default=22, metavar="N", help="port to use")
print(parser.parse_args(["-vv", "--slow", "--port", "2222"]))
parser.print_help()
try:
    parser.parse_args(["--fast", "--slow"])
except SystemExit as error:
    print("exit code", error.code)
