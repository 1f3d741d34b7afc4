"""The pages: HTML shells that the browser's own modules fill from the live connection."""
