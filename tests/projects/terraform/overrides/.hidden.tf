this is { not read
