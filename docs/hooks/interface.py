"""For mkdocs: pages of the Python interface, from docstrings.

Of a package, what its ``__all__`` names is documented; of a module, everything public.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable
from pathlib import Path
from typing import Final

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import Files
from sections import INDEX, added, listed

FOLDER: Final = "api"
PAGES: Final = {
    "mars_logic": "worlds, theories, rules in words, proofs",
    "mars_logic.experiments": "experiments, runs, statistics; learning from Python",
    "mars_logic.sim": "the simulator",
    "mars_logic.views": "observations as pictures, films and text",
    "mars_logic.envs": "environments for Gymnasium",
    "mars_logic.logic": "facts, proofs, explanations, steps",
    "mars_logic.logic.sampling": "new worlds",
    "mars_logic.logic.pddl": "planning tasks",
    "mars_logic.play.agent": "the agent protocol",
    "mars_logic.play.episodes": "playing an episode, and summing up",
    "mars_logic.play": "certificates and lower bounds",
    "mars_logic.data": "trajectories",
    "mars_logic.plan.planner": "the planner and its decisions",
    "mars_logic.views.report": "pages of results with replays",
    "mars_logic.theory": "theories against trajectories",
    "mars_logic.theory.rulesets": "rules of any form against trajectories",
    "mars_logic.theory.action_models": "what each achievement takes, learned from records",
    "mars_logic.cli.human": "a person who plays",
}
"""What is public, and what it is about."""
MODULES: Final = {
    "mars_logic.views": ("image", "film", "whole_map", "terminal"),
    "mars_logic.experiments": ("learned", "proving", "runs", "run_summaries", "statistics"),
    "mars_logic.views.report": ("page", "source"),
    "mars_logic.envs": ("env", "vector", "rewards"),
    "mars_logic.play": ("certificate", "bound"),
}
"""The modules of packages that are to be imported one by one."""


def offered(root: Path, module: str) -> list[str]:
    """Where what a package's ``__all__`` names is defined; nothing of what has none."""
    init = root.joinpath(*module.split("."), "__init__.py")
    names: list[str] = []
    origins: dict[str, str] = {}
    for node in ast.walk(ast.parse(init.read_text(encoding="utf-8") if init.exists() else "")):
        if isinstance(node, ast.ImportFrom):
            origins |= {alias.name: f"{node.module}.{alias.name}" for alias in node.names}
        elif isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) == "__all__":
            names = ast.literal_eval(node.value)
    return [origins.get(name, f"{module}.{name}") for name in names]


def page(root: Path, module: str) -> str:
    """The page of a module, in Markdown; mkdocstrings fills it in."""
    directives = [f"# {module}\n"]
    if names := offered(root, module):
        directives += [_directive(module, members="false", show_root_toc_entry="false")]
        directives += [_directive(name, show_root_heading="true") for name in names]
    elif module not in MODULES:
        directives.append(_directive(module))
    elsewhere = offered(root, "mars_logic") if module != "mars_logic" else []
    for name in MODULES.get(module, ()):
        path = f"{module}.{name}"
        shown = _without(path, elsewhere)
        directives += [f"## {path}\n", _directive(path, heading_level="3", **shown)]
    return "\n".join(directives)


def _without(module: str, elsewhere: Iterable[str]) -> dict[str, str]:
    """The option that leaves out what the package itself offers: its page documents that."""
    names = (path.rpartition(".") for path in elsewhere)
    left_out = "".join(f', "!^{name}$"' for of, _, name in names if of == module)
    return {"filters": f'["!^_"{left_out}]'} if left_out else {}


def _directive(path: str, **options: str) -> str:
    listed = "".join(f"      {name}: {value}\n" for name, value in options.items())
    return f"::: {path}\n" + (f"    options:\n{listed}" if listed else "")


def index() -> str:
    """The page that lists all modules."""
    rows = [f"| [`{name}`]({name}.md) | {about} |" for name, about in PAGES.items()]
    return "\n".join(["# Python", "", "| module | is about |", "| --- | --- |", *rows, ""])


def on_config(config: MkDocsConfig) -> MkDocsConfig:
    """List the pages below the one that lists them."""
    return listed(config, "Python", FOLDER, {f"{module}.md": module for module in PAGES})


def on_files(files: Files, config: MkDocsConfig) -> Files:
    """Add the pages."""
    root = Path(config.docs_dir).parent
    pages = {f"{name}.md": page(root, name) for name in PAGES}
    return added(files, config, FOLDER, {INDEX: index(), **pages})
