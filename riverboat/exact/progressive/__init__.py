"""The progressive: one wager at a meter, envy, hands of one table, the life of a meter."""
