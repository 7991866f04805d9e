"""A notebook run by a kernel of its own, for the test that compares its outputs; as a program,
writes them into the file:

python tests/notebooks.py examples/notebook.ipynb
"""

from __future__ import annotations

import re
import sys
from pathlib import Path
from typing import Any

# What is never twice the same: how long something took, in whatever unit, and how much memory.
_TIMES = re.compile(r"\d[\d.,]*(?:\s|&nbsp;)*(?:µs|ms|s|min|kB|MB|GB)\b")
_MOST_PLAIN = 2_000


def executed(path: Path) -> Any:
    """The notebook after all its cells have run, here and now. What a cell raises is raised."""
    import nbformat
    from nbclient import NotebookClient

    notebook = nbformat.read(path, as_version=4)
    client = NotebookClient(
        notebook,
        timeout=300,
        kernel_name="python3",
        record_timing=False,
        resources={"metadata": {"path": path.parent}},
    )
    client.execute()
    for cell in notebook.cells:
        merge_streams(cell)
        for output in cell.get("outputs", ()):
            data = output.get("data", {})
            if "text/html" in data and len(data.get("text/plain", "")) > _MOST_PLAIN:
                del data["text/plain"]  # nobody reads it where there is HTML
    notebook.metadata = {
        "kernelspec": notebook.metadata["kernelspec"],
        "language_info": {"name": "python"},
    }
    return notebook


def merge_streams(cell: Any) -> None:
    """What is printed comes in as many pieces as the kernel likes; here it is one."""
    merged: list[Any] = []
    for output in cell.get("outputs", ()):
        if (
            merged
            and output["output_type"] == "stream"
            and merged[-1].get("name") == output["name"]
        ):
            merged[-1]["text"] += output["text"]
        else:
            merged.append(output)
    if "outputs" in cell:
        cell["outputs"] = merged


def shown(notebook: Any) -> list[list[dict[str, str]]]:
    """What each code cell shows, by kind: texts without their times, and of a picture that it is
    one."""
    return [
        [_shown(output) for output in cell["outputs"]]
        for cell in notebook.cells
        if cell["cell_type"] == "code"
    ]


def _shown(output: Any) -> dict[str, str]:
    if output["output_type"] == "stream":
        return {output["name"]: output["text"]}
    if output["output_type"] == "error":
        return {"error": output["ename"]}
    return {
        kind: "a picture" if kind.startswith("image/") else _TIMES.sub("…", value)
        for kind, value in output["data"].items()
    }


def main(name: str) -> None:
    import nbformat

    nbformat.write(executed(Path(name)), name)


if __name__ == "__main__":
    main(sys.argv[1])
