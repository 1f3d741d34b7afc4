"""The meter of a progressive jackpot, of one table or of many: what alone has a balance. Pure."""
