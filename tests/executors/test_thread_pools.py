"""Libraries with threads of their own work in runners, which are forked from a process that has
imported them."""

from __future__ import annotations

import importlib.util
from collections.abc import Iterator
from pathlib import Path

import pytest

from fumehood import JailUnavailable, Limits, LocalPythonExecutor, Policy

from .conftest import skip_where_there_is_no_jail

CASES = {
    "numpy": "import numpy as np\na = np.ones((600, 600))\nfloat((a @ a)[0, 0])",
    "numexpr": """import numpy as np, pandas as pd
frame = pd.DataFrame(np.ones((100_000, 30)))
float((frame + frame).iloc[0, 0])""",
    "sklearn": """import numpy as np
from sklearn.cluster import KMeans
KMeans(2, n_init=1).fit(np.arange(20_000.0).reshape(-1, 2)).n_clusters""",
    "joblib": """import joblib, math
joblib.Parallel(n_jobs=2)(joblib.delayed(math.sqrt)(n) for n in (4, 9))""",
    "pyarrow": """import pyarrow
table = pyarrow.table({"a": range(100_000), "b": [1, 2] * 50_000})
table.group_by("b").aggregate([("a", "sum")]).num_rows""",
    "polars": """import polars
table = polars.DataFrame({"a": range(100_000), "b": [1, 2] * 50_000})
table.group_by("b").agg(polars.col("a").sum()).height""",
    "torch": "import torch\na = torch.ones(600, 600)\nfloat((a @ a)[0, 0])",
    "grpc": "import grpc\ngrpc.insecure_channel('127.0.0.1:1').close()\n1",
}

# Their pools do not start anew in a fork of a process that has used them, as in plain CPython.
NOT_FORKED = ("polars", "torch")


def start(module: str) -> Iterator[LocalPythonExecutor]:
    limits = Limits(cell_seconds=60, memory_bytes=3 << 30, processes=256)
    try:
        executor = LocalPythonExecutor(policy=Policy(imports=["*", module], limits=limits))
    except JailUnavailable as missing:
        skip_where_there_is_no_jail(missing)
        raise
    with executor:
        yield executor


@pytest.fixture
def executor(request: pytest.FixtureRequest) -> Iterator[LocalPythonExecutor]:
    yield from start(request.param)


@pytest.mark.filterwarnings("ignore::fumehood.errors.DangerousImport")
@pytest.mark.parametrize(
    ("executor", "code"),
    [
        pytest.param(
            module,
            code,
            id=module,
            marks=pytest.mark.skipif(
                importlib.util.find_spec(module) is None, reason=f"{module} is not installed"
            ),
        )
        for module, code in CASES.items()
    ],
    indirect=["executor"],
)
def test_threads_start_in_a_runner_and_in_a_fork_of_it(
    executor: LocalPythonExecutor, code: str
) -> None:
    value = executor.run(code).value
    assert value is not None
    if any(f"import {module}" in code for module in NOT_FORKED):
        return
    with executor.fork() as fork:
        assert fork.run(code).value == value
    executor.run("import os\nos._exit(1)")
    assert executor.run(code).value == value


@pytest.mark.filterwarnings("ignore::fumehood.errors.DangerousImport")
@pytest.mark.skipif(
    not Path("/proc/sys/kernel/ns_last_pid").exists(),
    reason="this kernel does not number processes",
)
def test_a_library_that_compares_process_ids_notices_the_fork(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "imported_by.py").write_text("import os\nPID = os.getpid()\n")
    monkeypatch.syspath_prepend(tmp_path)
    for executor in start("imported_by"):
        assert executor.run("import imported_by, os\nimported_by.PID != os.getpid()").value is True
