result = "present"
