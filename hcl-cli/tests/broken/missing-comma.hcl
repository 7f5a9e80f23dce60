zones = [
  "north"
  "south",
]
