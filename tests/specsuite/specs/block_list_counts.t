diagnostics {
  error {
    from {
      line   = 1
      column = 1
      byte   = 0
    }
    to {
      line   = 1
      column = 1
      byte   = 0
    }
  }
  error {
    from {
      line   = 6
      column = 7
      byte   = 37
    }
    to {
      line   = 6
      column = 12
      byte   = 42
    }
  }
}
