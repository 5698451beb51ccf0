package main

import (
	"context"
	"fmt"
	"io"
	"strings"
)

// shells are those that there is a completion script for.
func shells() []string { return []string{"bash", "zsh", "fish", "powershell"} }

// wordsOf are the arguments that a verb takes, where those are words of ours.
func wordsOf(v verb) []string {
	switch v.set {
	case vCompletion:
		return shells()
	case vHelp:
		return append(verbNames(), "apply", "man")
	}
	return nil
}

// withWords calls f with each verb whose arguments are words of ours.
func withWords(f func(verb, words string)) {
	for _, v := range verbs() {
		if words := wordsOf(v); words != nil {
			f(v.name, strings.Join(words, " "))
		}
	}
}

// completion prints the script that teaches a shell the verbs and flags.
func (c *command) completion(context.Context) error {
	if len(c.args) != 1 {
		return usagef("completion takes the name of a shell: %s", alternatives(shells()))
	}
	var b strings.Builder
	switch shell := c.args[0]; shell {
	case "bash":
		bashCompletion(&b)
	case "zsh":
		zshCompletion(&b)
	case "fish":
		fishCompletion(&b)
	case "powershell", "pwsh":
		powershellCompletion(&b)
	default:
		return usagef("completion: no script for %q, expected %s", shell, alternatives(shells()))
	}
	_, err := io.WriteString(c.stdout, b.String())
	return err
}

func bashCompletion(b *strings.Builder) {
	b.WriteString("_srpatch() {\n\tlocal cur=${COMP_WORDS[COMP_CWORD]} verb= word\n")
	b.WriteString("\tfor word in \"${COMP_WORDS[@]:1:COMP_CWORD-1}\"; do\n\t\tcase $word in\n")
	fmt.Fprintf(b, "\t\t%s) verb=$word; break ;;\n\t\tesac\n\tdone\n", strings.Join(verbNames(), "|"))
	b.WriteString("\t# readline splits at =, so the value of --flag=value is a word of its own\n")
	b.WriteString("\tlocal flag=${COMP_WORDS[COMP_CWORD-1]}\n\tif [[ $cur == = ]]; then cur=; elif [[ $flag == = ]]; then flag=${COMP_WORDS[COMP_CWORD-2]}; fi\n")
	b.WriteString("\tcase $flag in\n")
	for f := range flags(&config{}) {
		if !f.needsValue() {
			continue
		}
		names := "--" + f.name
		if f.short != "" {
			names += "|-" + strings.Join(strings.Split(f.short, ""), "|-")
		}
		switch {
		case len(f.choices) == 1 && f.choices[0] == "dir":
			fmt.Fprintf(b, "\t%s) COMPREPLY=($(compgen -d -- \"$cur\")); return ;;\n", names)
		case len(f.choices) == 1:
			fmt.Fprintf(b, "\t%s) COMPREPLY=($(compgen -f -- \"$cur\")); return ;;\n", names)
		case f.choices != nil:
			fmt.Fprintf(b, "\t%s) COMPREPLY=($(compgen -W '%s' -- \"$cur\")); return ;;\n", names, strings.Join(f.choices, " "))
		default:
			fmt.Fprintf(b, "\t%s) COMPREPLY=(); return ;;\n", names)
		}
	}
	b.WriteString("\tesac\n\tif [[ $cur == -* ]]; then\n\t\tcase $verb in\n")
	for _, v := range verbs() {
		var words []string
		for f := range flags(&config{}) {
			if f.verbs&v.set != 0 {
				words = append(words, "--"+f.name)
			}
		}
		name := v.name
		if name == "" {
			name = `""`
		}
		fmt.Fprintf(b, "\t\t%s) COMPREPLY=($(compgen -W '%s' -- \"$cur\")) ;;\n", name, strings.Join(words, " "))
	}
	b.WriteString("\t\tesac\n\t\treturn\n\tfi\n\tCOMPREPLY=($(compgen -f -- \"$cur\"))\n")
	withWords(func(verb, words string) {
		fmt.Fprintf(b, "\tif [[ $verb == %s ]]; then COMPREPLY=($(compgen -W '%s' -- \"$cur\")); fi\n",
			verb, words)
	})
	fmt.Fprintf(b, "\tif [[ -z $verb ]]; then COMPREPLY+=($(compgen -W '%s' -- \"$cur\")); fi\n", strings.Join(verbNames(), " "))
	b.WriteString("}\ncomplete -o filenames -F _srpatch srpatch\n")
}

func zshCompletion(b *strings.Builder) {
	b.WriteString("#compdef srpatch\n\n_srpatch() {\n\tlocal -a verbs=(\n")
	for _, v := range verbs() {
		if v.name != "" {
			fmt.Fprintf(b, "\t\t%s\n", single(v.name+":"+v.doc))
		}
	}
	b.WriteString("\t)\n\tlocal verb=${words[(r)" + strings.Join(verbNames(), "|") + "]}\n\tlocal -a flags\n\tcase $verb in\n")
	for _, v := range verbs() {
		name := v.name
		if name == "" {
			name = `""`
		}
		fmt.Fprintf(b, "\t%s)\n\t\tflags=(\n", name)
		for f := range flags(&config{}) {
			if f.verbs&v.set == 0 {
				continue
			}
			about := "[" + strings.NewReplacer("[", `\[`, "]", `\]`, ":", `\:`).Replace(f.doc) + "]"
			switch {
			case f.needsValue():
				about = "=" + about + ":" + f.value + ":" + zshAction(f.choices)
			case f.value != "":
				about = "=-" + about + "::" + strings.Trim(f.value, "[]") + ":"
			}
			fmt.Fprintf(b, "\t\t\t%s\n", single("--"+f.name+about))
		}
		b.WriteString("\t\t) ;;\n")
	}
	b.WriteString("\tesac\n\tcase $verb in\n\t'') _arguments $flags '*: :->word' && return ;;\n")
	withWords(func(verb, words string) {
		fmt.Fprintf(b, "\t%s) _arguments $flags '*: :(%s)' && return ;;\n", verb, words)
	})
	b.WriteString("\t*) _arguments $flags '*:reply:_files' && return ;;\n\tesac\n")
	b.WriteString("\t_describe verb verbs\n\t_files\n}\n\n_srpatch \"$@\"\n")
}

// zshAction says what completes a flag's value.
func zshAction(choices []string) string {
	switch {
	case choices == nil:
		return ""
	case len(choices) > 1:
		return "(" + strings.Join(choices, " ") + ")"
	case choices[0] == "dir":
		return "_files -/"
	}
	return "_files"
}

func fishCompletion(b *strings.Builder) {
	none := "not __fish_seen_subcommand_from " + strings.Join(verbNames(), " ")
	for _, v := range verbs() {
		condition := "__fish_seen_subcommand_from " + v.name
		if v.name == "" {
			condition = none
		} else {
			fmt.Fprintf(b, "complete -c srpatch -n %s -a %s -d %s\n", single(none), v.name, single(v.doc))
		}
		for f := range flags(&config{}) {
			if f.verbs&v.set == 0 {
				continue
			}
			fmt.Fprintf(b, "complete -c srpatch -n %s -l %s", single(condition), f.name)
			if f.short != "" {
				fmt.Fprintf(b, " -s %s", f.short[:1])
			}
			switch {
			case len(f.choices) > 1:
				fmt.Fprintf(b, " -x -a %s", single(strings.Join(f.choices, " ")))
			case f.choices != nil:
				b.WriteString(" -r")
			case f.needsValue():
				b.WriteString(" -x")
			}
			fmt.Fprintf(b, " -d %s\n", single(f.doc))
		}
	}
	withWords(func(verb, words string) {
		fmt.Fprintf(b, "complete -c srpatch -n '__fish_seen_subcommand_from %s' -x -a '%s'\n", verb, words)
	})
}

// powershellCompletion offers verbs, flags and the choices of a flag, in the order of the tables; names of files are PowerShell's own business.
func powershellCompletion(b *strings.Builder) {
	b.WriteString("Register-ArgumentCompleter -Native -CommandName srpatch, srpatch.exe -ScriptBlock {\n\tparam($word, $ast, $cursor)\n")
	b.WriteString("\t$verbs = [ordered]@{\n")
	for _, v := range verbs() {
		if v.name != "" {
			fmt.Fprintf(b, "\t\t%s = %s\n", doubled(v.name), doubled(v.doc))
		}
	}
	b.WriteString("\t}\n\t$flags = @(\n")
	for f := range flags(&config{}) {
		var names []string
		for _, v := range verbs() {
			if f.verbs&v.set != 0 {
				names = append(names, v.name)
			}
		}
		var choices []string
		if len(f.choices) > 1 {
			choices = f.choices
		}
		fmt.Fprintf(b, "\t\t,@(%s, %s, %s, %s)\n", doubled("--"+f.name), doubled(" "+strings.Join(names, " ")+" "), doubled(strings.Join(choices, " ")), doubled(f.doc))
	}
	b.WriteString("\t)\n\t$words = @{\n")
	withWords(func(verb, words string) {
		fmt.Fprintf(b, "\t\t%s = %s\n", doubled(verb), doubled(words))
	})
	b.WriteString("\t}\n" + powershellRest + "}\n")
}

// powershellRest chooses from the tables. A verb that is not named is the empty one, which the lists of verbs have between two blanks.
const powershellRest = `	$before = @($ast.CommandElements | Select-Object -Skip 1 | Where-Object { $_.Extent.EndOffset -lt $cursor } | ForEach-Object { $_.ToString() })
	$verb = @($before | Where-Object { $verbs.Contains($_) } | Select-Object -First 1) -join ''
	$last = if ($before.Count) { $before[-1] } else { '' }
	$offer = { param($text, $about) if ($text -like "$word*") { [System.Management.Automation.CompletionResult]::new($text, $text, 'ParameterValue', $about) } }
	foreach ($flag in $flags) {
		if ($flag[2] -and $last -eq $flag[0]) { foreach ($choice in $flag[2].Split(' ')) { & $offer $choice $choice }; return }
		if ($flag[2] -and $word -like ($flag[0] + '=*')) { foreach ($choice in $flag[2].Split(' ')) { & $offer ($flag[0] + '=' + $choice) $choice }; return }
	}
	if ($word -like '-*') {
		foreach ($flag in $flags) { if ($flag[1].Contains(" $verb ")) { & $offer $flag[0] $flag[3] } }
	} elseif ($words[$verb]) {
		foreach ($name in $words[$verb].Split(' ')) { & $offer $name $name }
	} elseif (-not $verb) {
		foreach ($name in $verbs.Keys) { & $offer $name $verbs[$name] }
	}
`

// doubled quotes s for PowerShell, which also takes typographic quotes for an end; none are in the tables.
func doubled(s string) string { return "'" + strings.ReplaceAll(s, "'", "''") + "'" }

// single quotes s for a shell. A quote is left and entered again around an escaped one, which all three read alike.
func single(s string) string { return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'" }
