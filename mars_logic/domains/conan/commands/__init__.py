"""The commands ``conan``: scenes, questions about them, and a detective's answers."""

import typer

from mars_logic.domains.conan.commands.corpora import detect, questions, scenes
from mars_logic.domains.conan.commands.scene import ask_scene, scene

group = typer.Typer(
    no_args_is_help=True, help="Make scenes with traces, and find out what happened."
)
group.command("scenes")(scenes)
group.command("scene")(scene)
group.command("questions")(questions)
group.command("ask")(ask_scene)
group.command("detect")(detect)
