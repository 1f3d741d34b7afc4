"""The Game Manager's books: tables by day, meters, and where any cent came from."""
