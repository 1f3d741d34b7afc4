"""Pages that people read: built once, printed in a terminal or written as Markdown."""
