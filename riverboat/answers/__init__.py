"""What commands answer: the struct that is their JSON, and the page that is made from it."""
