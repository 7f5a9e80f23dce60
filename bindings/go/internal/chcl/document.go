package chcl

/*
#include "document.h"

#cgo noescape hclgo_document_new
#cgo nocallback hclgo_document_new
#cgo noescape hclgo_document_parse
#cgo nocallback hclgo_document_parse
#cgo noescape hclgo_document_read
#cgo nocallback hclgo_document_read
#cgo noescape hclgo_document_edit
#cgo nocallback hclgo_document_edit
#cgo noescape hclgo_document_block
#cgo nocallback hclgo_document_block
#cgo nocallback hcl_document_free
#cgo nocallback hcl_document_text
*/
import "C"

import "unsafe"

// Document is a text that is edited.
type Document struct{ _ [0]func() }

// Edits.
const (
	EditSet              = C.HCLGO_SET
	EditSetValue         = C.HCLGO_SET_VALUE
	EditAppend           = C.HCLGO_APPEND
	EditInsert           = C.HCLGO_INSERT
	EditMove             = C.HCLGO_MOVE
	EditMoveTo           = C.HCLGO_MOVE_TO
	EditRemove           = C.HCLGO_REMOVE
	EditRename           = C.HCLGO_RENAME
	EditSetComment       = C.HCLGO_SET_COMMENT
	EditRenameReferences = C.HCLGO_RENAME_REFERENCES
	EditFormat           = C.HCLGO_FORMAT
)

// Questions.
const (
	ReadList     = C.HCLGO_LIST
	ReadSource   = C.HCLGO_SOURCE
	ReadComments = C.HCLGO_COMMENTS
)

// Flags, places and kinds of comments.
const (
	FlagAll     = C.HCL_EDIT_ALL
	FlagCreate  = C.HCL_EDIT_CREATE
	FlagClose   = C.HCL_EDIT_CLOSE
	PlaceBefore = C.HCL_SIDE_BEFORE
	PlaceAfter  = C.HCL_SIDE_AFTER
	PlaceInto   = C.HCL_SIDE_INTO
	CommentLead = C.HCL_COMMENT_LEAD
	CommentLine = C.HCL_COMMENT_LINE
)

// Edited is how an edit ended.
type Edited struct {
	N      int
	Diags  *Diags
	Status Status
}

func edited(e C.hclgo_edited) Edited {
	return Edited{int(e.n), (*Diags)(unsafe.Pointer(e.diags)), Status(e.status)}
}

func cDocument(d *Document) *C.hcl_document { return (*C.hcl_document)(unsafe.Pointer(d)) }

// DocumentNew makes an empty document.
func DocumentNew(name string) Made[Document] {
	n, nl := chars(name)
	return made[Document](C.hclgo_document_new(n, nl))
}

// DocumentParse reads a document.
func DocumentParse(name string, src []byte, o *ParseOptions) Made[Document] {
	n, nl := chars(name)
	s, sl := bytePtr(src)
	return made[Document](C.hclgo_document_parse(n, nl, s, sl, o.native()))
}

// DocumentFree releases a document.
func DocumentFree(d *Document) { C.hcl_document_free(cDocument(d)) }

// DocumentText is a copy of the text.
func DocumentText(d *Document) string { return text(C.hcl_document_text(cDocument(d))) }

// DocumentRead asks a document.
func DocumentRead(d *Document, what int, address string) Made[Value] {
	a, al := chars(address)
	return made[Value](C.hclgo_document_read(cDocument(d), C.int(what), a, al))
}

// DocumentEdit changes a document.
func DocumentEdit(d *Document, what int, a, b string, place uint32, v *Value, flags uint32) Edited {
	at, al := chars(a)
	bt, bl := chars(b)
	return edited(C.hclgo_document_edit(cDocument(d), C.int(what), at, al, bt, bl, C.uint32_t(place), cValue(v), C.uint32_t(flags)))
}

// DocumentBlock appends a block, or without a type gives blocks other labels.
func DocumentBlock(d *Document, container string, blockType *string, labels []string, body *Value, flags uint32) Edited {
	var texts []byte
	lens := make([]C.size_t, 0, len(labels)+1)
	for _, label := range labels {
		texts = append(texts, label...)
		lens = append(lens, C.size_t(len(label)))
	}
	c, cl := chars(container)
	l, _ := bytePtr(texts)
	var t *C.char
	var tl C.size_t
	if blockType != nil {
		// An empty text has no address of its own, but is no missing one either.
		t, tl = chars(*blockType + "\x00")
		tl--
	}
	return edited(C.hclgo_document_block(cDocument(d), c, cl, t, tl, l, unsafe.SliceData(lens), C.size_t(len(labels)), cValue(body), C.uint32_t(flags)))
}
