"""Where the checkout and its tests are, whichever folder asks."""

from pathlib import Path

TESTS = Path(__file__).parent.parent
ROOT = TESTS.parent
