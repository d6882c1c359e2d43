"""The rules as data: games, rankings, betting structures, rulebooks and rake rows."""
