"""The parts that bench.py is made of."""
