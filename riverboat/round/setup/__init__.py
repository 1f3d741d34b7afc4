"""What the operator chose within a rulebook, and every reason why it would not do."""
