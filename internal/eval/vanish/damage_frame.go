package vanish

import (
	"math/rand/v2"
	"slices"
	"strings"
)

// nameDamages returns the damages of the line that names the file.
func nameDamages() []damage {
	name := func(f func(r *rand.Rand, text string) []string) func(*rand.Rand, layout) layout {
		return func(r *rand.Rand, l layout) layout {
			return change(r, l, string(naming), func(x line) (out []line) {
				for _, text := range f(r, x.text) {
					out = append(out, line{naming, text})
				}
				return out
			})
		}
	}
	written := func(formats ...string) func(*rand.Rand, layout) layout {
		return name(func(r *rand.Rand, text string) []string {
			return strings.Split(strings.ReplaceAll(pick(r, formats), "NAME", strings.Trim(text, " *`:#")), "\n")
		})
	}
	return []damage{
		{name: "name_dropped", do: name(func(*rand.Rand, string) []string { return nil })},
		{name: "name_misspelt",
			do: name(func(r *rand.Rand, text string) []string { return []string{swapLetters(r, text)} })},
		{name: "name_in_sentence",
			do: written("In `NAME` change this:", "Edit `NAME`:",
				"Now the file NAME, where we do the same:", "Next comes `NAME`.", "Change to `NAME` (new):")},
		{name: "name_decorated",
			do: written("- NAME", "1. `NAME`", "> NAME", "<!-- NAME -->", "// NAME", "# NAME",
				"[NAME](NAME)", "**`NAME`** (modified)", "\"NAME\"", "(NAME)", "NAME -", "📄 NAME",
				"File path: NAME", "`NAME`:", "## File: `NAME`")},
		{name: "name_farther", do: written("NAME\n\nThis is what changes there.\n", "NAME\n\n\n", "NAME\n---\n")},
		{name: "name_below", do: moveName(func(l layout) int { return len(l) })},
		{name: "name_below_opener",
			do: moveName(func(l layout) int {
				return slices.IndexFunc(l,
					func(x line) bool { return x.role == opener }) + 1
			})},
		{name: "name_in_info", do: func(r *rand.Rand, l layout) layout {
			n, f := l.all(string(naming)), l.all(string(fence))
			if len(n) != 1 || len(f) == 0 {
				return nil
			}
			out := slices.Clone(l)
			path := strings.Trim(out[n[0]].text, " *`:#")
			info := strings.TrimLeft(out[f[0]].text, "`~ ")
			out[f[0]].text = "```" +
				strings.ReplaceAll(pick(r,
					[]string{info + ":NAME", info + " NAME", "NAME", info + ` title="NAME"`, info +
						` {file="NAME"}`, info + " file=NAME", "NAME:" + info}), "NAME", path)
			return slices.Delete(out, n[0], n[0]+1)
		}},
	}
}

// moveName moves the line with the name to the index that to returns for the layout without it.
func moveName(to func(layout) int) func(*rand.Rand, layout) layout {
	return func(_ *rand.Rand, l layout) layout {
		n := l.all(string(naming))
		if len(n) != 1 {
			return nil
		}
		out := slices.Delete(slices.Clone(l), n[0], n[0]+1)
		at := to(out)
		if at <= 0 {
			return nil
		}
		return slices.Insert(out, at, l[n[0]])
	}
}

// fenceDamages returns the damages of the fence.
func fenceDamages() []damage {
	ends := func(roles string, f func(r *rand.Rand, text string) string) func(*rand.Rand, layout) layout {
		return func(r *rand.Rand, l layout) layout {
			return change(r, l, roles, func(x line) []line { return one(x, f(r, x.text)) })
		}
	}
	drop := func(roles string) func(*rand.Rand, layout) layout {
		return func(r *rand.Rand, l layout) layout {
			return change(r, l, roles, func(line) []line { return nil })
		}
	}
	const either = string(fence) + string(unfence)
	return []damage{
		{name: "fence_open_dropped", do: drop(string(fence))},
		{name: "fence_close_dropped", do: drop(string(unfence))},
		{name: "fences_dropped", do: func(_ *rand.Rand, l layout) layout {
			if len(l.all(either)) == 0 {
				return nil
			}
			return slices.DeleteFunc(slices.Clone(l), func(x line) bool { return x.role == fence || x.role == unfence })
		}},
		{name: "fence_short", do: ends(either, plain(func(s string) string { return strings.Replace(s, "```", "``", 1) }))},
		{name: "fence_long", do: ends(either, plain(func(s string) string { return strings.Replace(s, "```", "````", 1) }))},
		{name: "fence_another_sign", do: ends(either, func(r *rand.Rand, s string) string {
			return strings.Replace(s, "```", pick(r, []string{"~~~", "'''", "\"\"\"", "´´´", "---"}), 1)
		})},
		{name: "fence_info", do: ends(string(fence), func(r *rand.Rand, s string) string {
			if strings.ContainsAny(s, " :=") {
				return s
			}
			return strings.TrimRight(s, "abcdefghijklmnopqrstuvwxyz") +
				pick(r, []string{"diff", "bash", "html", "text", "search-replace", "markdown", "xml", "patch", "sh"})
		})},
		{name: "fence_info_on_closer",
			do: ends(string(unfence), plain(func(s string) string { return s + "python" }))},
		{name: "fence_repeated", do: func(r *rand.Rand, l layout) layout {
			return change(r, l, either, func(x line) []line { return []line{x, x} })
		}},
		{name: "fence_indented", do: ends(either, plain(func(s string) string { return "    " + s }))},
		{name: "fence_joined_to_closer", do: func(_ *rand.Rand, l layout) layout {
			at := l.all(string(unfence))
			if len(at) == 0 || at[0] == 0 {
				return nil
			}
			out := slices.Clone(l)
			out[at[0]-1].text += out[at[0]].text
			return slices.Delete(out, at[0], at[0]+1)
		}},
	}
}
