"""Interim loader."""
from __future__ import annotations
from pathlib import Path
from typing import Any
import yaml
from mars_logic.world.rules import FAMILIES
from mars_logic.world.world import World

ROOT = Path(__file__).resolve().parents[2] / "worlds" / "mars"

def load_world(name: str) -> World:
    path = ROOT / f"{name}.yaml" if "/" not in name and not name.endswith(".yaml") else Path(name)
    data: dict[str, Any] = yaml.safe_load(path.read_text())
    base = load_world(data["base"]) if "base" in data else None
    rules = []
    for kind in FAMILIES:
        stated = data.get(kind.family, {})
        for subject in kind.subjects:
            body: dict[str, Any] = base[f"{kind.family}.{subject}"].model_dump() if base else {"subject": subject}
            if subject in stated:
                value = stated[subject]
                body |= {kind.shorthand: value} if kind.shorthand else value
            elif not base and kind.family == "rename":
                body |= {"material": subject}
            rules.append(kind(**body))
    dynamics = data.get("dynamics") or (base.dynamics if base else None)
    return World.from_rules(dynamics, rules, name=data.get("name", path.stem), title=data.get("title", ""), base=base, path=str(path))
