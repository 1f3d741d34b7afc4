"""Questions as people ask them, and the answers: odds, advice, printed figures, simulations."""
