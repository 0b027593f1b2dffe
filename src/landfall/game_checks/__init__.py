"""What every game promises, as checks: for our own tests, and for authors of games (`landfall check-game`)."""
