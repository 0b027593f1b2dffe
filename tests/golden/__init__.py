"""Golden playthroughs: whole matches as readable files, so that a change of the rules shows as a diff.

`python -m tests.golden` writes them anew; tests/golden/<game>/perft.json holds counts of positions a few steps deep.
"""
