"""What callers want to be forgotten, and what that means for what is learned."""
