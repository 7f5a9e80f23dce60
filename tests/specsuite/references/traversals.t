result = {
  a = ["y", "x"]
  b = ["1", "x!"]
}
result_type = object({
  a = tuple([string, string])
  b = list(string)
})
traversals {
  expect {
    ref = known.list[1]
    from {
      line   = 1
      column = 10
      byte   = 9
    }
    to {
      line   = 1
      column = 23
      byte   = 22
    }
  }
  expect {
    ref = known["list"][0]
    from {
      line   = 1
      column = 25
      byte   = 24
    }
    to {
      line   = 1
      column = 40
      byte   = 39
    }
  }
  expect {
    ref = known.list[0]
    from {
      line   = 6
      column = 10
      byte   = 96
    }
    to {
      line   = 6
      column = 23
      byte   = 109
    }
  }
}
