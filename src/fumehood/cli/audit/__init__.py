"""`fumehood audit`: what can be done with an audit log. What each command does is in the file of
its name."""

from __future__ import annotations

import typer

from fumehood.cli.audit.export import export
from fumehood.cli.audit.replay import replay
from fumehood.cli.audit.show import WithFaults, show
from fumehood.cli.audit.stats import stats
from fumehood.cli.audit.verify import verify

app = typer.Typer(
    name="audit",
    help="Check, read, count, replay and export audit logs.",
    no_args_is_help=True,
    rich_markup_mode="rich",
    context_settings={"help_option_names": ["-h", "--help"]},
)

app.command("verify")(verify)
app.command("show", cls=WithFaults)(show)
app.command("stats")(stats)
app.command("replay")(replay)
app.command("export")(export)
