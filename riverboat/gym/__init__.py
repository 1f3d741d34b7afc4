"""Gymnasium environments: one seat of a table decides, the house does the rest.

Importing this package registers `riverboat/MississippiStud-v0` and `riverboat/IslandStud-v0`. It is
the only part of Riverboat that needs gymnasium and numpy, and nothing else imports it.
"""

try:
    import gymnasium
    import numpy as _numpy  # noqa: F401
except ModuleNotFoundError as missing:
    raise ModuleNotFoundError(
        f"riverboat.gym needs {missing.name}, which is missing: pip install '.[gym]' in a checkout",
        name=missing.name,
    ) from None

from riverboat.gym.environments import IslandStudEnv, MississippiStudEnv, TableEnv

IDS = {
    "riverboat/MississippiStud-v0": MississippiStudEnv,
    "riverboat/IslandStud-v0": IslandStudEnv,
}

for _id, _env in IDS.items():
    if _id not in gymnasium.registry:
        gymnasium.register(id=_id, entry_point=f"{_env.__module__}:{_env.__name__}")

__all__ = ["IDS", "IslandStudEnv", "MississippiStudEnv", "TableEnv"]
