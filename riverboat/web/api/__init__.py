"""The machine interface: everything that the pages do, as HTTP and JSON."""
