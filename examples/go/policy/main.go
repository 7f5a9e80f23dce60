// Policy is a service that answers whether a request may pass, by rules in HCL. The functions of the rules know the request
// that they are asked about: it reaches them with the context of the evaluation, and its end ends the evaluation.
//
//	go run . localhost:8080 rules.hcl
package main

import (
	"log"
	"net/http"
	"os"
)

func main() {
	if len(os.Args) != 3 {
		log.Fatal("usage: policy ADDRESS RULES")
	}
	policy, err := load(os.Args[2])
	if err != nil {
		log.Fatal(err)
	}
	log.Fatal(http.ListenAndServe(os.Args[1], policy))
}
