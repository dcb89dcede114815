"""Plays games in the terminal (`play`) and replays recorded ones (`replay_viewer`)."""
