"""What every spot is owed, how it is paid, taken back and posted."""
