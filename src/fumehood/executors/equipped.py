"""A sandbox with what it is given besides cells: packages, tools, variables of the environment; and
every one that replaces it, too."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Any

from fumehood.errors import SandboxFailed, ToolError
from fumehood.events import EnvironmentSet
from fumehood.executors import installing
from fumehood.executors.bundles import Bundle, Installed, together
from fumehood.executors.calls import Tool
from fumehood.executors.worker import Worker
from fumehood.packages.requirements import requests_of
from fumehood.policy import Policy
from fumehood.tools.describe import describe
from fumehood.wire import messages


class EquippedWorker(Worker):
    """One sandbox, one cell at a time, and what is in it from the beginning."""

    def _equip(self) -> None:
        """Give a runner what is the executor's, whatever it had."""
        if self._environment:
            self._ask(messages.SetEnvironment(id=next(self._numbers), variables=self._environment))
        if self._bundles:
            self._authorize()
        if self._tools or self._mathematics:
            self._send_tools([*self._tools.values()])

    # -- packages

    @property
    def policy(self) -> Policy:
        """What holds: the policy that the worker was made with, and the modules of what was
        installed since."""
        added = (module for bundle in self._bundles for module in bundle.installed.modules)
        return (
            replace(self._policy, imports=(*self._policy.imports, *added))
            if self._bundles
            else self._policy
        )

    def install(self, packages: Iterable[str | os.PathLike[str]]) -> Installed:
        """Have packages that code can import from now on. InstallFailed, and all is as it was, if
        they cannot be had."""
        requests = requests_of(packages)
        with self._my_turn():
            assert self._runner is not None
            zygote = self._runner.sandbox.zygote
        known = [bundle for bundle in self._bundles if bundle.requests & requests]
        if requests <= {request for bundle in known for request in bundle.requests}:
            return together(known)
        try:
            bundle = installing.bundle_for(
                zygote, requests, [*self._bundles]
            )  # meanwhile other threads may run cells
        except SandboxFailed:
            with self._turn:
                self._see_if_over(zygote)
            raise
        return self.have(bundle)

    def have(self, bundle: Bundle) -> Installed:
        """Import from a bundle from now on."""
        with self._my_turn():
            self._use([bundle])
            try:
                self._authorize()
            except BaseException:
                self._bundles.remove(bundle)
                bundle.users.discard(self)
                raise
            self.trail.installed(bundle.installed.packages, bundle.installed.modules, self.policy)
        return bundle.installed

    def _use(self, bundles: Iterable[Bundle]) -> None:
        for bundle in bundles:
            bundle.users.add(self)
            self._bundles.append(bundle)

    def _authorize(self) -> None:
        """Have the runner import what was installed, from where its zygote has it or is given it
        now."""
        assert self._runner is not None
        zygote = self._runner.sandbox.zygote
        try:
            path = [installing.put(zygote, bundle) for bundle in self._bundles if bundle.name]
        except SandboxFailed:
            self._see_if_over(zygote)
            raise
        self._ask(
            messages.Authorize(id=next(self._numbers), imports=[*self.policy.imports], path=path)
        )

    # -- tools

    def add_tools(self, tools: Mapping[str, Any], *, mathematics: bool = False) -> None:
        made = {name: Tool(name, function, self) for name, function in tools.items()}
        with self._my_turn():
            before = self._tools.copy()
            self._tools.update(made)
            self._mathematics = self._mathematics or mathematics
            try:
                self._send_tools([*made.values()])
            except ToolError:
                self._tools = (
                    before  # what cannot be sent now could not be sent to the next runner either
                )
                raise
            if made:
                self.trail.tools_sent(tools, mathematics=mathematics)

    def _send_tools(self, tools: list[Tool]) -> None:
        specs = [describe(tool.name, tool.function).as_dict() for tool in tools]
        shipped = {tool.name: tool.packed for tool in tools if tool.packed is not None}
        self._check_versions(shipped)
        node, buffers = self.encode(shipped or None)
        try:
            self._ask(
                messages.AddTools(
                    id=next(self._numbers), tools=specs, mathematics=self._mathematics, shipped=node
                ),
                list(buffers),
            )
        except ToolError as error:
            if self._is_far and "ModuleNotFoundError" in str(error):
                raise ToolError(
                    f"{error}. Name it in packages=[…] of the container, or call install() first"
                ) from None
            raise

    def _check_versions(self, shipped: Mapping[str, Any]) -> None:
        """Whether functions can be sent. They go as compiled code, and another Python would do
        something else with it, or crash."""
        assert self._runner is not None
        there, here = (
            ".".join(map(str, version[:2]))
            for version in (self._runner.sandbox.zygote.python, sys.version_info)
        )
        if shipped and there != here:
            raise ToolError(
                f"tool {next(iter(shipped))!r} cannot run in the sandbox: compiled functions do not"
                f" cross versions, and that has Python {there} while this is {here}. Use an image"
                f" with Python {here}, or runs='host'"
            )

    # -- the environment

    def set_environment(self, variables: dict[str, str | None]) -> None:
        with self._my_turn():
            self._is_new = False
            self._ask(messages.SetEnvironment(id=next(self._numbers), variables=variables))
            self._environment = {**self._environment, **variables}
            self.commands.set_environment(variables)
            self.trail.tell(EnvironmentSet, variables=variables)
