diagnostics {
  error {
    from {
      line   = 1
      column = 13
      byte   = 12
    }
    to {
      line   = 1
      column = 14
      byte   = 13
    }
  }
  error {
    from {
      line   = 2
      column = 17
      byte   = 31
    }
    to {
      line   = 2
      column = 23
      byte   = 37
    }
  }
  error {
    from {
      line   = 4
      column = 1
      byte   = 60
    }
    to {
      line   = 4
      column = 14
      byte   = 73
    }
  }
}
