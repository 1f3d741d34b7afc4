"""The application of one process, and starting it."""
