package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	hcl "libhcl.dev/go"
)

func request(method, path, from string, headers ...string) *http.Request {
	made := httptest.NewRequest(method, path, nil)
	made.RemoteAddr = from + ":4711"
	for i := 0; i < len(headers); i += 2 {
		made.Header.Set(headers[i], headers[i+1])
	}
	return made
}

func TestFunctionsKnowTheRequest(t *testing.T) {
	policy, err := load("rules.hcl")
	if err != nil {
		t.Fatal(err)
	}
	cases := []struct {
		request *http.Request
		code    int
		rule    string
	}{
		{request("GET", "/healthz", "203.0.113.9"), 204, "health"},
		{request("GET", "/admin/users", "203.0.113.9", "X-Role", "owners"), 403, "admin from outside"},
		{request("GET", "/admin/users", "10.1.2.3", "X-Role", "owners"), 204, "operators"},
		{request("GET", "/teams/blue/plan", "203.0.113.9", "X-Team", "blue"), 204, "own team"},
		{request("GET", "/teams/blue/plan", "203.0.113.9", "X-Team", "red"), 403, "no rule"},
		{request("POST", "/healthz", "203.0.113.9"), 403, "no rule"},
	}
	var all sync.WaitGroup
	for range 20 {
		for _, c := range cases {
			all.Add(1)
			go func() {
				defer all.Done()
				answer := httptest.NewRecorder()
				policy.ServeHTTP(answer, c.request)
				if answer.Code != c.code || answer.Header().Get("X-Policy-Rule") != c.rule {
					t.Errorf("%s %s: %d by %q", c.request.Method, c.request.URL, answer.Code, answer.Header().Get("X-Policy-Rule"))
				}
			}()
		}
	}
	all.Wait()
}

func TestWhatARuleCannotTellDoesNotPass(t *testing.T) {
	path := filepath.Join(t.TempDir(), "rules.hcl")
	if err := os.WriteFile(path, []byte("rule \"odd\" {\n  action = \"allow\"\n  when   = comes_from(path)\n}\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	policy, err := load(path)
	if err != nil {
		t.Fatal(err)
	}
	var logged bytes.Buffer
	before := slog.Default()
	slog.SetDefault(slog.New(slog.NewTextHandler(&logged, nil)))
	defer slog.SetDefault(before)
	answer := httptest.NewRecorder()
	policy.ServeHTTP(answer, request("GET", "/x", "10.1.2.3"))
	if answer.Code != 500 || !strings.Contains(logged.String(), "why.code=policy.network") || !strings.Contains(logged.String(), "rules.hcl:3,") {
		t.Errorf("%d, logged %s", answer.Code, logged.String())
	}
	_, _, err = policy.decide(request("GET", "/x", "10.1.2.3"))
	var problem *hcl.Error
	if !errors.As(err, &problem) || problem.Diagnostics[0].Summary != "Invalid network" {
		t.Error(err)
	}
}

func TestARequestThatHasEndedEndsItsEvaluation(t *testing.T) {
	policy, err := load("rules.hcl")
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancelCause(context.Background())
	gone := fmt.Errorf("the client has gone")
	cancel(gone)
	if _, _, err := policy.decide(request("GET", "/x", "10.1.2.3").WithContext(ctx)); !errors.Is(err, gone) || !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
}
