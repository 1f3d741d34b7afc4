"""PAR sheets: what each bet of a rulebook comes to, and from what."""
