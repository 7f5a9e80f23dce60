# Given with -var-file.
region = "ap"
size   = 7
labels = null
