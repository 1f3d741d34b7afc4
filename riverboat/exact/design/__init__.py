"""Pay tables that meet a wanted edge, hit frequency and volatility, found exactly."""
