"""Plans and their certificates: action sequences that replay in the simulator.

Called as a function, ``mars_logic.plan("default")``, it does what the command ``plan`` does.
"""

from mars_logic.system.lazy import make_callable

make_callable(__name__, "mars_logic.cli.play_from_python", "plan")
