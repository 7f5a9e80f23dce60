package oracle

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	reference "github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
)

// Two texts behind each other, with lines that are left out, exchanged or changed in a character: as long as they can be parsed
// they are decoded as by gohcl.
func TestChangedTextsDecodeAsWithGohcl(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	const characters = "\"1a= []{}"
	compared := 0
	for range 10_000 {
		lines := strings.Split(texts[random.IntN(len(texts))]+"\n"+texts[random.IntN(len(texts))], "\n")
		for range random.IntN(4) {
			at, other := random.IntN(len(lines)), random.IntN(len(lines))
			switch random.IntN(3) {
			case 0:
				lines = append(slices.Delete(lines, at, at+1), "")
			case 1:
				lines[at], lines[other] = lines[other], lines[at]
			case 2:
				from, to := random.IntN(len(characters)), random.IntN(len(characters))
				lines[at] = strings.Replace(lines[at], characters[from:from+1], characters[to:to+1], 1)
			}
		}
		text := strings.Join(lines, "\n")
		// What null does to a field is compared above.
		if _, diags := hclsyntax.ParseConfig([]byte(text), "main.hcl", reference.InitialPos); diags.HasErrors() || strings.Contains(text, "null") {
			continue
		}
		shape := shapes[random.IntN(len(shapes))]
		ours, oursSaid := decodeOurs(t, "main.hcl", text, shape.ours())
		theirs, theirsSaid := decodeTheirs(t, "main.hcl", text, shape.theirs())
		compared++
		if ours != theirs || oursSaid != theirsSaid {
			t.Fatalf("%s\nas %s, we say\n%sthey say\n%sis\n%s\ntheirs\n%s", text, shape.name, oursSaid, theirsSaid, ours, theirs)
		}
	}
	t.Logf("%d compared", compared)
	if compared < 3_000 {
		t.Error("hardly anything can be parsed")
	}
}
