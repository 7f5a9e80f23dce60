diagnostics {
  error {
    from {
      line   = 1
      column = 5
      byte   = 4
    }
    to {
      line   = 1
      column = 30
      byte   = 29
    }
  }
  error {
    from {
      line   = 2
      column = 5
      byte   = 34
    }
    to {
      line   = 2
      column = 10
      byte   = 40
    }
  }
}
