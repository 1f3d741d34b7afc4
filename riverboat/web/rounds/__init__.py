"""Finished rounds, for those who may see them."""
