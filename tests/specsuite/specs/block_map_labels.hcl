route "GET" {}
route "GET" "/" "more" {}
route "PUT" "/" {}
route PUT "/" {}
