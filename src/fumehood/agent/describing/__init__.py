"""What a model is told of values and of what its code did."""
