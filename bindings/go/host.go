package hcl

import (
	"context"
	"errors"
	"io"
	"io/fs"
	"math"
	"path"
	"runtime/cgo"
	"strings"
	"time"
	"weak"

	"libhcl.dev/go/internal/chcl"
)

// Host says what functions such as file and timestamp may ask of the outside world. What is left out is refused, with a
// diagnostic that says what to grant. It may be asked by several goroutines at once.
type Host struct {
	// Files are those that functions may read: os.DirFS, an os.Root's FS, an embed.FS, an fstest.MapFS. Relative paths
	// start at its root.
	Files fs.FS
	// WorkingDirectory is the absolute path, with slashes, that the root of Files is known by; absolute paths below it
	// are found in Files.
	WorkingDirectory string
	// HomeDirectory is the user's, for paths that begin with ~.
	HomeDirectory string
	// Env gives an environment variable, as os.LookupEnv does.
	Env func(name string) (string, bool)
	// Now is the clock, for example time.Now.
	Now func() time.Time
	// Start is when the run began; zero for the time that Now gives.
	Start time.Time
	// Random gives random bytes, for example crypto/rand.Reader.
	Random io.Reader
	// Store asks a remote store for a function that needs one, such as vault or consul_key. The arguments are lent.
	// ErrNotFound says that there is no such thing, ErrUnknown that the answer is not known yet.
	Store func(ctx context.Context, function string, arguments []Value) (any, error)
}

// WithHost lets functions ask for the outside world.
func WithHost(host Host) Option { return func(o *options) { o.host = &host } }

func (h *Host) allows() uint32 {
	var allows uint32
	for flag, set := range map[uint32]bool{
		chcl.AllowFiles:            h.Files != nil,
		chcl.AllowWorkingDirectory: h.WorkingDirectory != "",
		chcl.AllowHomeDirectory:    h.HomeDirectory != "",
		chcl.AllowEnvironment:      h.Env != nil,
		chcl.AllowClock:            h.Now != nil || !h.Start.IsZero(),
		chcl.AllowRandom:           h.Random != nil,
		chcl.AllowStore:            h.Store != nil,
	} {
		if set {
			allows |= flag
		}
	}
	return allows
}

// giveTo lets a frame ask the host. Behind the number the host is held weakly, as functions are: scopes hold it.
func (h *Host) giveTo(frame *chcl.Frame) error {
	return asError(chcl.FrameHost(frame, h.allows(), uintptr(cgo.NewHandle(weak.Make(h)))))
}

func init() { chcl.OnAsk, chcl.OnStore = onAsk, onStore }

func asked(user, number uintptr) (*Host, *env) {
	host := cgo.Handle(user).Value().(weak.Pointer[Host]).Value()
	at := &env{ctx: background}
	if number != 0 {
		at = cgo.Handle(number).Value().(*env)
	}
	return host, at
}

// onAsk answers a question of the library.
func onAsk(user, number uintptr, what uint32, text string, most uint64, answer *chcl.Answer) chcl.Status {
	host, at := asked(user, number)
	if host == nil {
		return chcl.Unsupported
	}
	call := func() error { return host.answer(what, text, most, answer) }
	return answering("host", call, func(err error) chcl.Status {
		return at.refuse(err, func(why string) {
			if !diagnosed(err, func(diags *chcl.Diags) chcl.Status { return chcl.AnswerFailWith(answer, diags) }) {
				chcl.AnswerFail(answer, why)
			}
		})
	})
}

// onStore answers for a remote store.
func onStore(user, number uintptr, name string, call *chcl.Call, wire []byte) chcl.Status {
	host, at := asked(user, number)
	if host == nil {
		return chcl.Unsupported
	}
	ask := func() error {
		arguments, loan := lend(wire)
		defer closeAll(loan)
		result, err := host.Store(at.ctx, name, arguments)
		if err != nil {
			return err
		}
		return giveResult(call, result)
	}
	return answering("host", ask, func(err error) chcl.Status {
		return at.refuse(err, func(why string) {
			if !diagnosed(err, func(diags *chcl.Diags) chcl.Status { return chcl.CallFailWith(call, chcl.NoArgument, diags) }) {
				chcl.CallFail(call, chcl.NoArgument, why)
			}
		})
	})
}

// refuse is how a host's answer ends: some errors have a meaning, others are told.
func (at *env) refuse(err error, tell func(string)) chcl.Status {
	var meaning Status
	switch {
	case errors.Is(err, fs.ErrNotExist), errors.Is(err, ErrNotFound), errors.Is(err, fs.ErrInvalid):
		// A path that an fs.FS has no valid name for is outside of it.
		return chcl.NotFound
	case errors.Is(err, context.Canceled) && at.ctx.Err() != nil:
		return chcl.Cancelled
	case errors.Is(err, context.DeadlineExceeded) && at.ctx.Err() != nil:
		return chcl.Deadline
	case errors.As(err, &meaning) && (meaning == ErrUnknown || meaning == ErrLimit || meaning == ErrUnsupported):
		return chcl.Status(meaning)
	}
	tell(err.Error())
	at.causes = append(at.causes, err)
	return chcl.Callback
}

func (h *Host) answer(what uint32, text string, most uint64, answer *chcl.Answer) error {
	switch what {
	case chcl.AskFile:
		return h.file(text, most, answer)
	case chcl.AskKind:
		info, err := fs.Stat(h.Files, h.inFiles(text))
		if err != nil {
			return err
		}
		return asError(chcl.AnswerKind(answer, kindOf(info.Mode())))
	case chcl.AskDirectory:
		return h.directory(text, most, answer)
	case chcl.AskWorkingDirectory:
		return asError(chcl.AnswerBytes(answer, []byte(h.WorkingDirectory)))
	case chcl.AskHomeDirectory:
		return asError(chcl.AnswerBytes(answer, []byte(h.HomeDirectory)))
	case chcl.AskVariable:
		content, ok := h.Env(text)
		if !ok {
			return ErrNotFound
		}
		return asError(chcl.AnswerBytes(answer, []byte(content)))
	case chcl.AskNow:
		if h.Now == nil {
			return ErrUnsupported
		}
		return answerTime(h.Now(), answer)
	case chcl.AskStart:
		if h.Start.IsZero() {
			return answerTime(h.Now(), answer)
		}
		return answerTime(h.Start, answer)
	case chcl.AskRandom:
		content := make([]byte, most)
		if _, err := io.ReadFull(h.Random, content); err != nil {
			return err
		}
		return asError(chcl.AnswerBytes(answer, content))
	}
	return ErrUnsupported
}

func answerTime(t time.Time, answer *chcl.Answer) error {
	return asError(chcl.AnswerTime(answer, t.Unix(), uint32(t.Nanosecond())))
}

// inFiles is a path as Files knows it. Others have no valid name there, and are not found.
func (h *Host) inFiles(name string) string {
	if wd := path.Clean(h.WorkingDirectory); h.WorkingDirectory != "" && path.IsAbs(name) {
		if name == wd {
			return "."
		}
		if below, ok := strings.CutPrefix(name, strings.TrimSuffix(wd, "/")+"/"); ok {
			return below
		}
	}
	if name == "" {
		return "."
	}
	return name
}

func kindOf(mode fs.FileMode) uint32 {
	switch {
	case mode.IsRegular():
		return chcl.FileRegular
	case mode.IsDir():
		return chcl.FileDirectory
	case mode&fs.ModeSymlink != 0:
		return chcl.FileLink
	}
	return chcl.FileOther
}

func (h *Host) file(name string, most uint64, answer *chcl.Answer) error {
	file, err := h.Files.Open(h.inFiles(name))
	if err != nil {
		return err
	}
	defer file.Close()
	info, err := file.Stat()
	if err != nil {
		return err
	}
	if !info.Mode().IsRegular() {
		return errors.New("it is not a regular file")
	}
	bound := int64(min(most, math.MaxInt64-1))
	content, err := io.ReadAll(io.LimitReader(file, bound+1))
	switch {
	case err != nil:
		return err
	case int64(len(content)) > bound:
		return ErrLimit
	}
	return asError(chcl.AnswerBytes(answer, content))
}

func (h *Host) directory(name string, most uint64, answer *chcl.Answer) error {
	entries, err := fs.ReadDir(h.Files, h.inFiles(name))
	if err != nil {
		return err
	}
	if uint64(len(entries)) > most {
		return ErrLimit
	}
	for _, entry := range entries {
		if status := chcl.AnswerEntry(answer, entry.Name(), kindOf(entry.Type())); status != chcl.OK {
			return Status(status)
		}
	}
	return nil
}
