package chcl

/*
#include "glue.h"

#cgo noescape hcl_answer_bytes
#cgo nocallback hcl_answer_bytes
#cgo nocallback hcl_answer_kind
#cgo noescape hcl_answer_entry
#cgo nocallback hcl_answer_entry
#cgo nocallback hcl_answer_time
#cgo noescape hcl_answer_fail
#cgo nocallback hcl_answer_fail
*/
import "C"

import "unsafe"

// Answer is what a callback of a host says.
type Answer struct{ _ [0]func() }

// What a host is asked for; host.c has the same numbers.
const (
	AskFile = iota
	AskKind
	AskDirectory
	AskWorkingDirectory
	AskHomeDirectory
	AskVariable
	AskNow
	AskStart
	AskRandom
)

// What a host allows; host.c has the same numbers.
const (
	AllowFiles = 1 << iota
	AllowWorkingDirectory
	AllowHomeDirectory
	AllowEnvironment
	AllowClock
	AllowRandom
	AllowStore
)

// What stands at a path.
const (
	FileRegular   = C.HCL_FILE_REGULAR
	FileDirectory = C.HCL_FILE_DIRECTORY
	FileLink      = C.HCL_FILE_LINK
	FileOther     = C.HCL_FILE_OTHER
)

// OnAsk answers a question of the library to a host.
var OnAsk func(user, env uintptr, what uint32, text string, most uint64, answer *Answer) Status

//export hclgo_on_ask
func hclgo_on_ask(user, env C.uintptr_t, what C.uint32_t, text *C.char, n C.size_t, most C.uint64_t, answer *C.hcl_answer) C.int32_t {
	return C.int32_t(OnAsk(uintptr(user), uintptr(env), uint32(what), C.GoStringN(text, C.int(n)), uint64(most),
		(*Answer)(unsafe.Pointer(answer))))
}

// OnStore answers for a remote store.
var OnStore func(user, env uintptr, name string, call *Call, wire []byte) Status

//export hclgo_on_store
func hclgo_on_store(user, env C.uintptr_t, name *C.char, nameLen C.size_t, call *C.hcl_call, wire *C.char, n C.size_t) C.int32_t {
	bytes := unsafe.Slice((*byte)(unsafe.Pointer(wire)), int(n))
	return C.int32_t(OnStore(uintptr(user), uintptr(env), C.GoStringN(name, C.int(nameLen)), (*Call)(unsafe.Pointer(call)), bytes))
}

func cAnswer(a *Answer) *C.hcl_answer { return (*C.hcl_answer)(unsafe.Pointer(a)) }

// AnswerBytes answers with bytes or a text.
func AnswerBytes(a *Answer, content []byte) Status {
	at, n := bytePtr(content)
	return Status(C.hcl_answer_bytes(cAnswer(a), at, n))
}

// AnswerKind answers with what stands at a path.
func AnswerKind(a *Answer, kind uint32) Status {
	return Status(C.hcl_answer_kind(cAnswer(a), C.uint32_t(kind)))
}

// AnswerEntry adds an entry of a folder.
func AnswerEntry(a *Answer, name string, kind uint32) Status {
	at, n := chars(name)
	return Status(C.hcl_answer_entry(cAnswer(a), at, n, C.uint32_t(kind)))
}

// AnswerTime answers with a time.
func AnswerTime(a *Answer, seconds int64, nanoseconds uint32) Status {
	return Status(C.hcl_answer_time(cAnswer(a), C.int64_t(seconds), C.uint32_t(nanoseconds)))
}

// AnswerFail says why there is no answer.
func AnswerFail(a *Answer, why string) {
	at, n := chars(why)
	C.hcl_answer_fail(cAnswer(a), at, n)
}

// FrameHost gives a frame a host; `user` is dropped once, also when it fails.
func FrameHost(f *Frame, allows uint32, user uintptr) Status {
	return Status(C.hclgo_frame_host(cFrame(f), C.uint32_t(allows), C.uintptr_t(user)))
}

// UserFunctions adds the functions that a body defines to a scope.
func UserFunctions(s *Scope, b *Body, blockType string, base *Scope, caller bool) (*Diags, Status) {
	t, n := chars(blockType)
	m := C.hclgo_user_functions(cScope(s), cBody(b), t, n, cScope(base), C.bool(caller))
	return (*Diags)(unsafe.Pointer(m.diags)), Status(m.status)
}
