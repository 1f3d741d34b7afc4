"""What play comes to over time: sessions, bankrolls, exposure, tables side by side."""
