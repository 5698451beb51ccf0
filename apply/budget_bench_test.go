//go:build unix

package apply_test

import (
	"bytes"
	"context"
	"fmt"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/srpatch/srpatch/apply"
	"github.com/srpatch/srpatch/internal/effort"
	"github.com/srpatch/srpatch/parser"
)

// costly returns replies designed to use all the work that the default budget of a run allows.
var costly = map[string]func() (apply.Files, []parser.Block, apply.Options){
	"short-blocks-with-slips": func() (apply.Files, []parser.Block, apply.Options) {
		lines := likeLines(100_000)
		return blocksOn(lines, 1000, func(i int) (search, replace string) {
			s := transposed(strings.Join(lines[100*i:][:3], ""))
			return s, strings.Replace(s, "\n", " // changed\n", 2)
		})
	},
	"short-blocks-of-elsewhere": func() (apply.Files, []parser.Block, apply.Options) {
		return blocksOn(likeLines(100_000), 1000, func(i int) (search, replace string) {
			return fmt.Sprintf("value_x%d = compute(beta)\n  other(%d)\n  value = %d\n", i, i, 7*i), "x\n"
		})
	},
	"one-line-with-slips": func() (apply.Files, []parser.Block, apply.Options) {
		lines := likeLines(100_000)
		return blocksOn(lines, 1000, func(i int) (search, replace string) { return transposed(lines[100*i]), "x\n" })
	},
	"long-blocks-of-long-lines": func() (apply.Files, []parser.Block, apply.Options) {
		lines := longLines(20_000)
		return blocksOn(lines, 500, func(i int) (search, replace string) {
			s := transposed(strings.Join(lines[40*i:][:30], ""))
			return s, s + "x\n"
		})
	},
	"long-lines-of-elsewhere": func() (apply.Files, []parser.Block, apply.Options) {
		lines := longLines(20_000)
		return blocksOn(lines, 500, func(i int) (search, replace string) {
			return strings.NewReplacer("a", "o", "s", "tt").Replace(strings.Join(lines[40*i:][:30], "")), "x\n"
		})
	},
	"long-blocks-with-slips": func() (apply.Files, []parser.Block, apply.Options) {
		lines := likeLines(100_000)
		return blocksOn(lines, 1000, func(i int) (search, replace string) {
			s := transposed(strings.Join(lines[100*i:][:30], ""))
			return s, s + "x\n"
		})
	},
	"few-words": func() (apply.Files, []parser.Block, apply.Options) {
		words := []string{"begin", "end", "if", "else", "call"}
		var lines []string
		for i := range 100_000 {
			lines = append(lines, fmt.Sprintf("%s %s %s\n", words[i%5], words[i/5%5], words[i/25%5]))
		}
		return blocksOn(lines, 1000, func(i int) (search, replace string) {
			s := strings.Replace(strings.Join(lines[100*i:][:8], ""), "call", "cal", 3) + "stop stop\n"
			return s, s + "x\n"
		})
	},
	"many-files": func() (apply.Files, []parser.Block, apply.Options) {
		files, blocks := apply.Files{}, []parser.Block(nil)
		lines := likeLines(2000)
		for i := range 1000 {
			name := fmt.Sprintf("f%d.py", i)
			files[name] = []byte(strings.Join(lines, ""))
			s := transposed(strings.Join(lines[i:][:5], ""))
			blocks = append(blocks,
				parser.Block{ID: i + 1, Op: parser.OpEdit, Path: name, Search: []byte(s), Replace: []byte(s + "x\n")})
		}
		return files, blocks, apply.Options{}
	},
	"ambiguous-everywhere": func() (apply.Files, []parser.Block, apply.Options) {
		var lines []string
		for i := range 100_000 {
			lines = append(lines, []string{"if a {\n", "\tb()\n", "}\n", fmt.Sprintf("step(%d)\n", i)}[i%4])
		}
		return blocksOn(lines, 1000, func(i int) (search, replace string) {
			return "if a {\n\tb()\n}\n", fmt.Sprintf("if a {\n\tc(%d)\n}\n", i)
		})
	},
	"elisions": func() (apply.Files, []parser.Block, apply.Options) {
		lines := likeLines(100_000)
		return blocksOn(lines, 1000, func(i int) (search, replace string) {
			a, b := transposed(lines[100*i]), transposed(lines[100*i+20])
			return a + "...\n" + b, a + "...\nx\n" + b
		})
	},
	"fragments": func() (apply.Files, []parser.Block, apply.Options) {
		lines := likeLines(100_000)
		files, blocks, opt := blocksOn(lines, 1000, func(i int) (search, replace string) {
			return strings.TrimSpace(transposed(lines[100*i][2:])), "x"
		})
		for i := range blocks {
			blocks[i].Substring, blocks[i].ReplaceAll = true, i%2 == 0
		}
		return files, blocks, opt
	},
	"fragments-everywhere": func() (apply.Files, []parser.Block, apply.Options) {
		lines := likeLines(100_000)
		files, blocks, opt := blocksOn(lines, 1000,
			func(i int) (search, replace string) { return "compute(alpha", fmt.Sprint("derive", i) })
		for i := range blocks {
			blocks[i].Substring = true
		}
		return files, blocks, opt
	},
	"diff-hunks": func() (apply.Files, []parser.Block, apply.Options) {
		lines := likeLines(100_000)
		var diff strings.Builder
		diff.WriteString("```diff\n--- a/f.py\n+++ b/f.py\n")
		for i := range 1000 {
			at := lines[100*i:]
			fmt.Fprintf(&diff, "@@ -%d,5 +%d,5 @@\n %s %s-%s+x\n %s", 100*i+9, 100*i+9,
				transposed(at[0]), transposed(at[1]), at[2], at[3])
		}
		diff.WriteString("```\n")
		return apply.Files{"f.py": []byte(strings.Join(lines, ""))},
			parser.Parse([]byte(diff.String())).Blocks, apply.Options{}
	},
	"v4a": func() (apply.Files, []parser.Block, apply.Options) {
		lines := likeLines(100_000)
		var patch strings.Builder
		patch.WriteString("*** Begin Patch\n*** Update File: f.py\n")
		for i := range 1000 {
			at := lines[100*i:]
			fmt.Fprintf(&patch, "@@\n %s %s-%s+x\n %s", transposed(at[0]), transposed(at[1]), at[2], at[3])
		}
		patch.WriteString("*** End Patch\n")
		return apply.Files{"f.py": []byte(strings.Join(lines, ""))},
			parser.Parse([]byte(patch.String())).Blocks, apply.Options{}
	},
	"applied-nearly-everywhere": func() (apply.Files, []parser.Block, apply.Options) {
		lines := likeLines(100_000)
		return blocksOn(lines, 1000, func(i int) (search, replace string) {
			s := strings.Join(lines[100*i:][:4], "")
			return strings.ReplaceAll(s, "compute", "derive"), transposed(s)
		})
	},
	"loose": func() (apply.Files, []parser.Block, apply.Options) {
		lines := likeLines(20_000)
		files, blocks, opt := blocksOn(lines, 200, func(i int) (search, replace string) {
			return transposed(strings.Join(lines[100*i:][:10], "")) + "other\n", "x\n"
		})
		opt.Policy = apply.Loose
		return files, blocks, opt
	},
	"reference": func() (apply.Files, []parser.Block, apply.Options) {
		lines := likeLines(20_000)
		files, blocks, opt := blocksOn(lines, 200, func(i int) (search, replace string) {
			return transposed(strings.Join(lines[100*i:][:10], "")) + "other\n", "x\n"
		})
		opt.Policy, opt.Splice = apply.Loose, apply.Verbatim
		return files, blocks, opt
	},
	"utf-16-with-crlf": func() (apply.Files, []parser.Block, apply.Options) {
		lines := likeLines(50_000)
		files, blocks, opt := blocksOn(lines, 1000, func(i int) (search, replace string) {
			return transposed(strings.Join(lines[50*i:][:3], "")), "x\n"
		})
		wide := []byte{0xff, 0xfe}
		for _, c := range bytes.ReplaceAll(files["f.py"], []byte("\n"), []byte("\r\n")) {
			wide = append(wide, c, 0)
		}
		files["f.py"] = wide
		return files, blocks, opt
	},
	"each-on-the-one-before": func() (apply.Files, []parser.Block, apply.Options) {
		lines := likeLines(100_000)
		state := func(i int) string { return fmt.Sprintf("state_%d = start(%d)\n", i, 3*i) }
		lines[50_000] = state(0)
		return blocksOn(lines, 1000, func(i int) (search, replace string) { return state(i), state(i + 1) })
	},
	"each-on-the-one-before-with-slips": func() (apply.Files, []parser.Block, apply.Options) {
		lines := likeLines(100_000)
		state := func(i int) string { return fmt.Sprintf("state_of_it_%d = start_with(%d)\n", i, 3*i) }
		lines[50_000] = state(0)
		return blocksOn(lines, 1000, func(i int) (search, replace string) {
			return lines[49_999] + strings.Replace(state(i), "start", "satrt", 1) + lines[50_001],
				lines[49_999] + state(i+1) + lines[50_001]
		})
	},
	"blocks-that-overlap": func() (apply.Files, []parser.Block, apply.Options) {
		lines := likeLines(100_000)
		return blocksOn(lines, 1000, func(i int) (search, replace string) {
			s := strings.Join(lines[50_000+i:][:6], "")
			return s, strings.Replace(s, "compute", fmt.Sprint("derive", i), 6)
		})
	},
	"tall-blocks": func() (apply.Files, []parser.Block, apply.Options) {
		lines := likeLines(100_000)
		return blocksOn(lines, 20, func(i int) (search, replace string) {
			s := transposed(strings.Join(lines[5000*i:][:4000], ""))
			return s, s + "x\n"
		})
	},
	"one-long-line": func() (apply.Files, []parser.Block, apply.Options) {
		line := strings.Repeat("call(a, b); ", 400_000)
		return blocksOn([]string{line, "\n"}, 300, func(i int) (search, replace string) {
			return line[:4800] + fmt.Sprintf("call(b, %d);\n", i), "x\n"
		})
	},
	"escapes": func() (apply.Files, []parser.Block, apply.Options) {
		var lines []string
		for i := range 100_000 {
			lines = append(lines, fmt.Sprintf("say(\\\"a%d\\\", '\\\\n')\n", i%500))
		}
		return blocksOn(lines, 1000, func(i int) (search, replace string) {
			return strings.Repeat(fmt.Sprintf("say(\\\\\\\"b%d\\\\\\\", '\\\\\\\\n')\n", i), 10), "x\n"
		})
	},
	"exact": func() (apply.Files, []parser.Block, apply.Options) {
		lines := likeLines(100_000)
		return blocksOn(lines, 10_000,
			func(i int) (search, replace string) { return strings.Join(lines[10*i:][:5], ""), "x\n" })
	},
	"indentation-lost": func() (apply.Files, []parser.Block, apply.Options) {
		lines := likeLines(100_000)
		return blocksOn(lines, 5000, func(i int) (search, replace string) {
			s := "    " + strings.Join(lines[20*i:][:5], "    ")
			return s, s + "    x\n"
		})
	},
}

// likeLines returns n lines that resemble each other.
func likeLines(n int) []string {
	lines := make([]string, n)
	for i := range lines {
		lines[i] = fmt.Sprintf("value_%d = compute(alpha_%d, beta_%d, %d)\n", i, i*7%10_007, i%97, i%13)
	}
	return lines
}

// longLines returns n lines of about 400 characters.
func longLines(n int) []string {
	lines := make([]string, n)
	for i := range lines {
		var line strings.Builder
		for k := range 20 {
			fmt.Fprintf(&line, "%s%d = \"%x\", ", []string{"first", "second", "third"}[k%3], i*k%1009, i*k)
		}
		lines[i] = line.String() + "\n"
	}
	return lines
}

// transposed swaps two letters in one or two words of each line.
func transposed(s string) string {
	return strings.NewReplacer("value", "valeu", "alpha_", "alhpa_", "second", "secodn").Replace(s)
}

func blocksOn(lines []string, n int, sides func(i int) (search, replace string)) (apply.Files,
	[]parser.Block, apply.Options) {
	blocks := make([]parser.Block, n)
	for i := range blocks {
		search, replace := sides(i)
		blocks[i] = parser.Block{ID: i + 1, Op: parser.OpEdit, Path: "f.py", Search: []byte(search),
			Replace: []byte(replace)}
	}
	return apply.Files{"f.py": []byte(strings.Join(lines, ""))}, blocks, apply.Options{}
}

// BenchmarkRunBudget prints how much user CPU time and how many units replies take that use up the
// default budget of a run.
func BenchmarkRunBudget(b *testing.B) {
	for name, make := range costly {
		if !effort.Tries(name, 9) {
			continue
		}
		b.Run(name, func(b *testing.B) {
			files, blocks, opt := make()
			least, units, refused, out := time.Hour, int64(0), 0, 0
			for b.Loop() {
				begun := userTime(b)
				plan, err := apply.New(files, opt).Plan(context.Background(), &parser.Reply{Blocks: blocks})
				if err != nil {
					b.Fatal(err)
				}
				least, units, refused, out = min(least, userTime(b)-begun), plan.Work, 0, 0
				for _, r := range plan.Blocks {
					if r.Status == apply.BlockFailed {
						refused++
					}
					if r.Reason == apply.Budget {
						out++
					}
				}
			}
			b.ReportMetric(least.Seconds(), "cpu-s")
			b.ReportMetric(float64(units)/1e6, "Munits")
			b.ReportMetric(float64(refused), "refused")
			b.ReportMetric(float64(out), "out-of-budget")
			b.ReportMetric(0, "ns/op")
		})
	}
}

func userTime(b *testing.B) time.Duration {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		b.Fatal(err)
	}
	return time.Duration(u.Utime.Nano())
}
