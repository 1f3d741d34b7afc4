"""The floor in the browser: pages, a JSON interface, live frames; all of it from the floor."""
