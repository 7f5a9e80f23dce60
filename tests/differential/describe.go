package main

import (
	"encoding/json"
	"fmt"
	"math"
	"sort"
	"strconv"
	"strings"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/zclconf/go-cty/cty"
)

// describe says of a value what our batch answers say.
func describe(value cty.Value, diags hcl.Diagnostics) Answer {
	answer := Answer{Diagnostics: diagnosticsOf(diags), Type: typeText(value.Type()), HasValue: true}
	plain, marks := value.Unmark()
	deep, paths := value.UnmarkDeepWithPaths()
	answer.Unknown = !plain.IsKnown()
	answer.Marks = markNames(marks)
	for _, place := range paths {
		path := pathText(place.Path)
		for _, name := range markNames(place.Marks) {
			answer.DeepMarks = append(answer.DeepMarks, [2]string{path, name})
		}
	}
	if answer.Unknown {
		answer.Refinements = unknownText(plain)
	} else {
		answer.Value = jsonOf(deep)
	}
	return answer
}

func markNames(marks cty.ValueMarks) []string {
	names := make([]string, 0, len(marks))
	for mark := range marks {
		names = append(names, fmt.Sprint(mark))
	}
	sort.Strings(names)
	return names
}

func jsonOf(value cty.Value) any {
	ty := value.Type()
	switch {
	case !value.IsKnown():
		return map[string]any{"$unknown": unknownText(value)}
	case value.IsNull():
		return nil
	case ty == cty.Bool:
		return value.True()
	case ty == cty.String:
		return value.AsString()
	case ty == cty.Number:
		if value.AsBigFloat().IsInf() {
			return map[string]any{"$number": numberText(value)}
		}
		return json.Number(numberText(value))
	case ty.IsCapsuleType():
		return map[string]any{"$capsule": ty.FriendlyName()}
	case ty.IsMapType() || ty.IsObjectType():
		entries := map[string]any{}
		for key, element := range value.Elements() {
			entries[key.AsString()] = jsonOf(element)
		}
		return entries
	default:
		elements := []any{}
		for _, element := range value.Elements() {
			elements = append(elements, jsonOf(element))
		}
		return elements
	}
}

// numberText gives all digits. Beyond some millions math/big takes minutes: that counts as an answer of a reference that crashed.
func numberText(value cty.Value) string {
	number := value.AsBigFloat()
	if exponent := number.MantExp(nil); exponent > mostBits || exponent < -mostBits {
		panic(fmt.Sprintf("a number with an exponent of %d bits", exponent))
	}
	return number.Text('f', -1)
}

const mostBits = 1 << 24

func unknownText(value cty.Value) string {
	ty := value.Type()
	var text strings.Builder
	text.WriteString(typeText(ty))
	if ty == cty.DynamicPseudoType {
		return text.String()
	}
	known := value.Range()
	if known.DefinitelyNotNull() {
		text.WriteString(", not null")
	}
	if ty == cty.Number {
		if low, inclusive := known.NumberLowerBound(); low.IsKnown() && low.RawEquals(cty.NegativeInfinity) == false {
			text.WriteString(bound(low, inclusive, ", >= ", ", > "))
		}
		if high, inclusive := known.NumberUpperBound(); high.IsKnown() && high.RawEquals(cty.PositiveInfinity) == false {
			text.WriteString(bound(high, inclusive, ", <= ", ", < "))
		}
	}
	if ty == cty.String && known.StringPrefix() != "" {
		text.WriteString(", prefix " + strconv.Quote(known.StringPrefix()))
	}
	if ty.IsCollectionType() {
		low, high := known.LengthLowerBound(), known.LengthUpperBound()
		if low > 0 || high < math.MaxInt {
			text.WriteString(fmt.Sprintf(", length %d..", low))
			if high < math.MaxInt {
				text.WriteString(fmt.Sprint(high))
			}
		}
	}
	return text.String()
}

func bound(value cty.Value, inclusive bool, closed, open string) string {
	if inclusive {
		return closed + numberText(value)
	}
	return open + numberText(value)
}

// typeText is a type as a type expression without blanks.
func typeText(ty cty.Type) string {
	switch {
	case ty == cty.DynamicPseudoType:
		return "any"
	case ty.IsPrimitiveType():
		return ty.FriendlyName()
	case ty.IsListType():
		return "list(" + typeText(ty.ElementType()) + ")"
	case ty.IsSetType():
		return "set(" + typeText(ty.ElementType()) + ")"
	case ty.IsMapType():
		return "map(" + typeText(ty.ElementType()) + ")"
	case ty.IsTupleType():
		texts := []string{}
		for _, element := range ty.TupleElementTypes() {
			texts = append(texts, typeText(element))
		}
		return "tuple([" + strings.Join(texts, ",") + "])"
	case ty.IsObjectType():
		attributes := ty.AttributeTypes()
		names := make([]string, 0, len(attributes))
		for name := range attributes {
			names = append(names, name)
		}
		sort.Strings(names)
		texts := []string{}
		for _, name := range names {
			text := typeText(attributes[name])
			if ty.AttributeOptional(name) {
				text = "optional(" + text + ")"
			}
			if !isName(name) {
				name = quotedName(name)
			}
			texts = append(texts, name+"="+text)
		}
		return "object({" + strings.Join(texts, ",") + "})"
	default:
		return ty.FriendlyName()
	}
}

// isName tells whether a text can stand as a name anywhere in a file. The reference's scanner passes over a byte order mark.
func isName(text string) bool {
	return hclsyntax.ValidIdentifier(text) && !strings.HasPrefix(text, "\ufeff")
}

// quotedName is a name as typeexpr.TypeString quotes it, but for the escapes that the language does not have.
func quotedName(name string) string {
	var text strings.Builder
	for _, char := range name {
		if (char < ' ' && !strings.ContainsRune("\t\n\r", char)) || char == 0x7f {
			fmt.Fprintf(&text, `\u%04x`, char)
			continue
		}
		quoted := strconv.Quote(string(char))
		text.WriteString(quoted[1 : len(quoted)-1])
	}
	return `"` + text.String() + `"`
}

func pathText(path cty.Path) string {
	var text strings.Builder
	for _, step := range path {
		switch step := step.(type) {
		case cty.GetAttrStep:
			if isName(step.Name) {
				text.WriteString("." + step.Name)
			} else {
				text.WriteString("[" + strconv.Quote(step.Name) + "]")
			}
		case cty.IndexStep:
			switch {
			case step.Key.Type() == cty.Number && step.Key.IsKnown():
				text.WriteString("[" + numberText(step.Key) + "]")
			case step.Key.Type() == cty.String && step.Key.IsKnown():
				text.WriteString("[" + strconv.Quote(step.Key.AsString()) + "]")
			default:
				text.WriteString("[...]")
			}
		}
	}
	return text.String()
}

// quote writes a text as a JSON string, without the escapes that HTML needs.
func quote(text string) string {
	var out strings.Builder
	encoder := json.NewEncoder(&out)
	encoder.SetEscapeHTML(false)
	if encoder.Encode(text) != nil {
		return "?"
	}
	quoted := strings.TrimSuffix(out.String(), "\n")
	return strings.NewReplacer(`\u2028`, "\u2028", `\u2029`, "\u2029").Replace(quoted)
}
