"""Facts of the machine, so that a reader can judge the numbers."""

from __future__ import annotations

import os
import platform
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

from mars_logic.system.installed import installed_version

_PACKAGES = ("numpy", "numba", "clingo", "crafter", "gymnasium", "jax", "craftax")


def machine() -> dict[str, str]:
    """Processor, cores, load, system, and the versions of Python, program and libraries."""
    facts = {
        "processor": _processor(),
        "cores": str(os.cpu_count()),
        "load": _load(),
        "system": f"{platform.system()} {platform.machine()}",
        "Python": platform.python_version(),
        "mars-logic": installed_version(),
    }
    for package in _PACKAGES:
        try:
            facts[package] = version(package)
        except PackageNotFoundError:
            continue
    return facts


def _processor() -> str:
    cpuinfo = Path("/proc/cpuinfo")
    if cpuinfo.is_file():
        for line in cpuinfo.read_text(encoding="utf-8").splitlines():
            if line.startswith("model name"):
                return line.partition(":")[2].strip()
    return platform.processor() or platform.machine()


def _load() -> str:
    """How many processes wanted a core in the last minute; 0 is an idle machine."""
    return f"{os.getloadavg()[0]:.1f}" if hasattr(os, "getloadavg") else "unknown"
