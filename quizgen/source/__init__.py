"""Text that authors write, with places: YAML nodes, problems, and the errors that end a command."""
