"""What somebody sees and is asked for, live."""
