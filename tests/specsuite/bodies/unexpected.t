diagnostics {
  error {
    from {
      line   = 1
      column = 1
      byte   = 0
    }
    to {
      line   = 1
      column = 4
      byte   = 3
    }
  }
  error {
    from {
      line   = 2
      column = 1
      byte   = 11
    }
    to {
      line   = 2
      column = 6
      byte   = 16
    }
  }
  error {
    from {
      line   = 3
      column = 7
      byte   = 28
    }
    to {
      line   = 3
      column = 10
      byte   = 31
    }
  }
  error {
    from {
      line   = 4
      column = 1
      byte   = 35
    }
    to {
      line   = 4
      column = 5
      byte   = 39
    }
  }
  error {
    from {
      line   = 6
      column = 3
      byte   = 53
    }
    to {
      line   = 6
      column = 8
      byte   = 58
    }
  }
}
