# main.tofu stands for this file.
this is { not read
