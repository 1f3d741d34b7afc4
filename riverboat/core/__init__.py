"""What everything stands on: money, cards, hands, errors, commitments and shuffles."""
