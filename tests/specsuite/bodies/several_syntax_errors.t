diagnostics {
  error {
    from {
      line   = 1
      column = 8
      byte   = 7
    }
    to {
      line   = 2
      column = 1
      byte   = 8
    }
  }
  error {
    from {
      line   = 2
      column = 6
      byte   = 13
    }
    to {
      line   = 2
      column = 8
      byte   = 15
    }
  }
}
