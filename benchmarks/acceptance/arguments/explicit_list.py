import argparse


def build_parser():
    parser = argparse.ArgumentParser(prog="resize", description="Resize images.")
    parser.add_argument("files", nargs="+", help="images to resize")
    parser.add_argument("-w", "--width", type=int, default=640)
    parser.add_argument("--keep-ratio", action="store_true")
    parser.add_argument("--format", choices=["png", "jpg"], default="png")
    return parser


args = build_parser().parse_args(["a.png", "b.png", "-w", "320", "--keep-ratio"])
print(args)
print(args.files, args.width, args.keep_ratio, vars(args)["format"])
print(build_parser().format_help())
