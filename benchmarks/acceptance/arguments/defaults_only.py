"""A script that is usually started without arguments."""
import argparse
from pathlib import Path

parser = argparse.ArgumentParser(prog="train")
parser.add_argument("--epochs", type=int, default=3)
parser.add_argument("--rate", type=float, default=0.1)
parser.add_argument("--out", type=Path, default=Path("model"))
parser.add_argument("-v", "--verbose", action="count", default=0)
options = parser.parse_args()
options.out.mkdir(exist_ok=True)
loss = 1.0
for epoch in range(options.epochs):
    loss *= 1 - options.rate
    print(f"epoch {epoch + 1}: loss {loss:.3f}")
(options.out / "loss.txt").write_text(str(round(loss, 6)))
print((options.out / "loss.txt").read_text(), options.verbose)
