size = if production { "large" } else { "small" }
