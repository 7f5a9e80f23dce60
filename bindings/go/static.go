package hcl

import "libhcl.dev/go/internal/chcl"

// Source is the text of the expression.
func (e *Expression) Source() string {
	text, _ := e.place()
	return text
}

// Range is where the expression stands.
func (e *Expression) Range() Range {
	_, place := e.place()
	return place
}

func (e *Expression) place() (string, Range) {
	object, err := e.h.acquire()
	if err != nil {
		return "", Range{}
	}
	defer e.h.release()
	dump := chcl.ExprPlace(object)
	defer dump.Free()
	if dump.Status != chcl.OK {
		return "", Range{}
	}
	w := words{dump.View()}
	text, filename := w.text(), w.text()
	return text, w.placeIn(filename)
}

// Functions are the functions that the expression calls, in the order of the source.
func (e *Expression) Functions() ([]Reference, error) { return e.references(chcl.ExprFunctions) }

// Pair is a key and a value of a map that is taken literally.
type Pair struct {
	Key, Value *Expression
}

// AsCall takes the expression literally as a call: the name of the function and its arguments, not evaluated. [ErrType]
// says that it is something else; so do the others.
func (e *Expression) AsCall() (name string, arguments []*Expression, err error) {
	return e.static(chcl.StaticCall)
}

// AsList takes the expression literally as a list of expressions.
func (e *Expression) AsList() ([]*Expression, error) {
	_, elements, err := e.static(chcl.StaticList)
	return elements, err
}

// AsMap takes the expression literally as pairs of keys and values, in the order of the source.
func (e *Expression) AsMap() ([]Pair, error) {
	_, parts, err := e.static(chcl.StaticMap)
	pairs := make([]Pair, len(parts)/2)
	for i := range pairs {
		pairs[i] = Pair{parts[2*i], parts[2*i+1]}
	}
	return pairs, err
}

// AsKeyword takes the expression literally as one word.
func (e *Expression) AsKeyword() (string, error) {
	word, _, err := e.static(chcl.StaticKeyword)
	return word, err
}

// AsReference takes the expression literally as a reference, such as local.ports["http"].
func (e *Expression) AsReference() (Reference, error) {
	all, err := e.references(chcl.ExprReference)
	if err != nil {
		return Reference{}, err
	}
	return all[0], nil
}

func (e *Expression) static(kind uint32) (string, []*Expression, error) {
	object, err := e.h.acquire()
	if err != nil {
		return "", nil, err
	}
	defer e.h.release()
	dump := chcl.ExprStatic(object, kind)
	defer dump.Free()
	if dump.Status != chcl.OK {
		return "", nil, Status(dump.Status)
	}
	w := words{dump.View()}
	name := w.text()
	n := w.word()
	if kind == chcl.StaticMap {
		n *= 2
	}
	parts := make([]*Expression, n)
	for i := range parts {
		parts[i] = &Expression{newHandle((*chcl.Expr)(w.pointer()), chcl.ExprFree)}
	}
	return name, parts, nil
}
