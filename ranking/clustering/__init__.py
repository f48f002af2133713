"""Sums over clusters of votes: the rows of one voter together, by how much each cluster weighs."""
