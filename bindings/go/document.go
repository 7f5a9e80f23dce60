package hcl

import (
	"encoding/json"
	"strings"
	"sync"

	"libhcl.dev/go/internal/chcl"
)

// Document is a text of native syntax that is edited in place, or written from scratch. Addresses name what is meant:
// names with dots between them, as in resource.aws_instance.web.tags.Name; [Address] makes one of names that may contain
// anything, * is any block type or label, [1] picks the second of several. An edit that can't be made changes nothing;
// what is not edited stays byte for byte, comments included. It may be used by several goroutines.
type Document struct {
	h  *handle[chcl.Document]
	mu sync.Mutex
}

// EditFlag says how an edit is made; several are joined by |.
type EditFlag uint32

const (
	EditAll    = EditFlag(chcl.FlagAll)    // every place that the address names, where otherwise more than one is an error
	EditCreate = EditFlag(chcl.FlagCreate) // Set and SetValue make the block that the attribute stands in
	EditClose  = EditFlag(chcl.FlagClose)  // AppendBlock leaves no empty line before the block
)

// Placement is where something is put.
type Placement uint32

const (
	Before = Placement(chcl.PlaceBefore) // above an item and its comments
	After  = Placement(chcl.PlaceAfter)  // below an item
	Into   = Placement(chcl.PlaceInto)   // in a block, or with an empty address in the document
)

// CommentPlace tells comments of an item apart.
type CommentPlace uint32

const (
	LeadComment = CommentPlace(chcl.CommentLead) // above the item
	LineComment = CommentPlace(chcl.CommentLine) // behind it in its line
)

// Item is an attribute, a block, or a key of an object.
type Item struct {
	Address string   `json:"address"` // names it alone
	Kind    string   `json:"kind"`    // "attribute", "block" or "key"
	Name    string   `json:"name"`    // of a block its type
	Labels  []string `json:"labels"`
}

// Comments are those of an item, as they are written.
type Comments struct {
	Lead []string `json:"lead"` // above it
	Line []string `json:"line"` // behind it in its line
}

// NewDocument is an empty document.
func NewDocument(name string) (*Document, error) {
	if err := checkLibrary(); err != nil {
		return nil, err
	}
	m := chcl.DocumentNew(name)
	if m.Status != chcl.OK {
		return nil, failure(background, m.Status, m.Diags, nil)
	}
	return &Document{h: newHandle(m.Object, chcl.DocumentFree)}, nil
}

// ParseDocument reads a document. What WithSourceLimits bounds holds for the text that an edit leaves, too; the context of
// WithContext ends the reading alone, not edits.
func ParseDocument(name string, source []byte, all ...Option) (*Document, error) {
	o, err := gather(all)
	if err != nil {
		return nil, err
	}
	object, err := parsing(o, 0, func(opts *chcl.ParseOptions) chcl.Made[chcl.Document] {
		// The document would keep the timeout. The context's deadline throws the switch.
		opts.TimeoutNanoseconds = 0
		return chcl.DocumentParse(name, source, opts)
	})
	if err != nil {
		return nil, err
	}
	if err := ended(o.ctx); err != nil {
		// The document keeps the switch, which may have been thrown.
		chcl.DocumentFree(object)
		return nil, err
	}
	return &Document{h: newHandle(object, chcl.DocumentFree)}, nil
}

// Close releases the document.
func (d *Document) Close() error {
	d.h.close()
	return nil
}

// Address is the address of these names, whatever is in them.
func Address(names ...string) string {
	var address strings.Builder
	for i, name := range names {
		if i > 0 {
			address.WriteByte('.')
		}
		if name == "" {
			address.WriteString(`""`)
		}
		for _, c := range name {
			// A character that would end the name, or mean more than itself, stands behind a backslash.
			if c <= ' ' || strings.ContainsRune(".[]\"\\*", c) {
				address.WriteByte('\\')
			}
			address.WriteRune(c)
		}
	}
	return address.String()
}

// String is the text as it is now; empty after Close.
func (d *Document) String() string {
	object, err := d.h.acquire()
	if err != nil {
		return ""
	}
	defer d.h.release()
	d.mu.Lock()
	defer d.mu.Unlock()
	return chcl.DocumentText(object)
}

// Items are what stands in a block, in an object or, with an empty address, in the document, in the order written.
func (d *Document) Items(container string) (items []Item, err error) {
	err = d.read(chcl.ReadList, container, &items)
	return items, err
}

// Source is the text of everything that an address names: of an attribute its value, of a block all of it.
func (d *Document) Source(address string) (texts []string, err error) {
	err = d.read(chcl.ReadSource, address, &texts)
	return texts, err
}

// Comments are those of the one item that an address names.
func (d *Document) Comments(address string) (comments Comments, err error) {
	err = d.read(chcl.ReadComments, address, &comments)
	return comments, err
}

// hold gives the document to a function, to nobody else meanwhile.
func (d *Document) hold(use func(*chcl.Document) error) error {
	object, err := d.h.acquire()
	if err != nil {
		return err
	}
	defer d.h.release()
	d.mu.Lock()
	defer d.mu.Unlock()
	return use(object)
}

func (d *Document) read(what int, address string, into any) error {
	return d.hold(func(object *chcl.Document) error { return readDocument(object, what, address, into) })
}

func readDocument(object *chcl.Document, what int, address string, into any) error {
	m := chcl.DocumentRead(object, what, address)
	if m.Status != chcl.OK {
		return failure(background, m.Status, m.Diags, nil)
	}
	dropDiags(m.Diags)
	value := newValue(m.Object)
	defer value.Close()
	text, err := value.MarshalJSON()
	if err != nil {
		return err
	}
	return json.Unmarshal(text, into)
}

// Set sets an attribute, a key of an object or an element of a tuple to an expression. What is not there is added.
func (d *Document) Set(address, expression string, flags ...EditFlag) error {
	_, err := d.edit(chcl.EditSet, address, expression, 0, nil, flags)
	return err
}

// SetValue is Set with a value, of any kind that [ValueOf] takes.
func (d *Document) SetValue(address string, value any, flags ...EditFlag) error {
	_, err := d.edit(chcl.EditSetValue, address, "", 0, value, flags)
	return err
}

// Append adds attributes and blocks, written out, at the end of a block or, with an empty address, of the document.
func (d *Document) Append(container, text string) error {
	_, err := d.edit(chcl.EditAppend, container, text, 0, nil, nil)
	return err
}

// AppendBlock adds a block at the end of a block or, with an empty address, of the document. The body is nil, or something
// of which [ValueOf] makes an object or a map, whose attributes the block gets.
func (d *Document) AppendBlock(container, blockType string, labels []string, body any, flags ...EditFlag) error {
	return d.block(container, &blockType, labels, body, flags)
}

// Insert puts attributes and blocks, written out, Before or After an item.
func (d *Document) Insert(address string, place Placement, text string) error {
	_, err := d.edit(chcl.EditInsert, address, text, uint32(place), nil, nil)
	return err
}

// Move moves one item with its comments Before or After another, or Into a block or the document.
func (d *Document) Move(address string, place Placement, to string) error {
	_, err := d.edit(chcl.EditMove, address, to, uint32(place), nil, nil)
	return err
}

// MoveTo gives what one address names another address: another name, or type and labels, or another block.
func (d *Document) MoveTo(address, to string, flags ...EditFlag) error {
	_, err := d.edit(chcl.EditMoveTo, address, to, 0, nil, flags)
	return err
}

// Remove removes what an address names, with its comments, and tells how many there were.
func (d *Document) Remove(address string, flags ...EditFlag) (int, error) {
	return d.edit(chcl.EditRemove, address, "", 0, nil, flags)
}

// Rename gives attributes or keys another name, or blocks another type.
func (d *Document) Rename(address, name string, flags ...EditFlag) error {
	_, err := d.edit(chcl.EditRename, address, name, 0, nil, flags)
	return err
}

// Relabel gives blocks other labels.
func (d *Document) Relabel(address string, labels []string, flags ...EditFlag) error {
	return d.block(address, nil, labels, nil, flags)
}

// SetComment gives items other comments; an empty one takes away what is there. A text that is no comment becomes one.
func (d *Document) SetComment(address string, place CommentPlace, comment string, flags ...EditFlag) error {
	_, err := d.edit(chcl.EditSetComment, address, comment, uint32(place), nil, flags)
	return err
}

// RenameReferences renames references in all expressions: those that begin with from, such as var.old, begin with to. It
// tells how many there were.
func (d *Document) RenameReferences(from, to string) (int, error) {
	return d.edit(chcl.EditRenameReferences, from, to, 0, nil, nil)
}

// Format writes all of the document in its canonical form.
func (d *Document) Format() error {
	_, err := d.edit(chcl.EditFormat, "", "", 0, nil, nil)
	return err
}

func joined(flags []EditFlag) (all uint32) {
	for _, flag := range flags {
		all |= uint32(flag)
	}
	return all
}

func (d *Document) edit(what int, a, b string, place uint32, value any, flags []EditFlag) (int, error) {
	return d.change(value, what == chcl.EditSetValue, func(object *chcl.Document, value *chcl.Value) chcl.Edited {
		return chcl.DocumentEdit(object, what, a, b, place, value, joined(flags))
	})
}

func (d *Document) block(container string, blockType *string, labels []string, body any, flags []EditFlag) error {
	_, err := d.change(body, body != nil, func(object *chcl.Document, body *chcl.Value) chcl.Edited {
		return chcl.DocumentBlock(object, container, blockType, labels, body, joined(flags))
	})
	return err
}

func (d *Document) change(value any, has bool, call func(*chcl.Document, *chcl.Value) chcl.Edited) (n int, err error) {
	var given *chcl.Value
	if has {
		made, err := ValueOf(value)
		if err != nil {
			return 0, err
		}
		defer made.Close()
		if given, err = made.acquire(); err != nil {
			return 0, err
		}
		defer made.h.release()
	}
	err = d.hold(func(object *chcl.Document) error {
		n, err = edited(call(object, given))
		return err
	})
	return n, err
}

// edited is how an edit ended.
func edited(e chcl.Edited) (int, error) {
	if e.Status != chcl.OK {
		return 0, failure(background, e.Status, e.Diags, nil)
	}
	dropDiags(e.Diags)
	return e.N, nil
}
