"""Coroutines of tests in a thread of their own: a browser's test may keep a loop in this one."""

import asyncio
from collections.abc import Coroutine
from concurrent.futures import ThreadPoolExecutor
from typing import Any, TypeVar

Answer = TypeVar("Answer")


def run_apart(work: Coroutine[Any, Any, Answer]) -> Answer:
    """As `asyncio.run`."""
    with ThreadPoolExecutor(1) as thread:
        return thread.submit(asyncio.run, work).result()
