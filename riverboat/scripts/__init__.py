"""Scenario, day and configuration files: read to the last word, played and checked."""
