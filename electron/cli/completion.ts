import {bashScript, families, firstWords} from './completion-bash.ts'
import {
	type CompletionCommand,
	completionCommands,
	completionGlobals,
	type CompletionOption,
	secondWords,
	valueOptions,
	type ValueSource
} from './completion-words.ts'
import {summaryOf, zshScript} from './completion-zsh.ts'
import {usage} from './faults.ts'
import {printObject} from './result.ts'
import type {SubCall} from './session.ts'

export function printCompletion(call: SubCall) {
	const {output, sub} = call
	const [shell] = sub.words
	const text = shell === 'bash' ? bashScript() : shell === 'zsh' ? zshScript() : fishScript()
	if (output.mode === 'jsonl') throw usage('A script is not a record', 'leave --jsonl out', 'jsonl')
	if (output.mode === 'json') printObject(call, {shell}, text, `Completion for ${shell}.`)
	else output.raw(text)
	return 0
}

export function fishScript() {
	const commands = completionCommands()
	const taking = valueOptions()
		.map(name => `--${name}`)
		.join(' ')
	return `# fish completion of cordon: cordon completion fish | source
function __cordon_words
    set -l skip 0
    for word in (commandline -opc)[2..-1]
        if contains -- $word ${taking}
            set skip 1
        else if string match -q -- '-*' $word
            set skip 0
        else if test $skip -eq 1
            set skip 0
        else
            echo $word
        end
    end
end

function __cordon_is
    set -l words (__cordon_words)
    set -l wanted (count $argv)
    test (count $words) -ge $wanted; or return 1
    test "$words[1..$wanted]" = "$argv"
end

function __cordon_none
    test -z (__cordon_words)[1]
end

function __cordon_alone
    set -l words (__cordon_words)
    test (count $words) -eq 1; and test "$words[1]" = "$argv[1]"
end

function __cordon_values
    set -l scope
    set -l words (commandline -opc)
    for i in (seq (count $words))
        if contains -- $words[$i] --profile --connection; and test $i -lt (count $words)
            set -a scope $words[$i] $words[(math $i + 1)]
        end
    end
    cordon $scope __complete $argv[1] (commandline -ct | string replace -r '^--[^=]*=' '') 2>/dev/null
end

complete -c cordon -f
${completionGlobals()
	.map(option => optionLine('', option))
	.join('\n')}
${firstWords(commands)
	.map(name => `complete -c cordon -n __cordon_none -a ${name} -d ${quoted(summaryOf(commands, name) || `${name} …`)}`)
	.join('\n')}
${[...families(commands), ...commands.map(({name}) => [name, secondWords(commands, name)] as const)].flatMap(([family, seconds]) => seconds.map(second => `complete -c cordon -n '__cordon_alone ${family}' -a ${second} -d ${quoted(summaryOf(commands, `${family} ${second}`))}`)).join('\n')}
${commands.flatMap(command => commandLines(command, secondWords(commands, command.name))).join('\n')}
`
}

function commandLines({name, options, word}: CompletionCommand, seconds: readonly string[]) {
	const others = seconds.length === 0 ? '' : `; and not contains -- (__cordon_words)[2] ${seconds.join(' ')}`
	const condition = ` -n '__cordon_is ${name}${others}'`
	const values = valueFlags(word)
	return [
		...options.map(option => optionLine(condition, option)),
		...(values === '' || word.kind === 'free' ? [] : [`complete -c cordon${condition}${values.replace(/ -[xr]/, '')}`])
	]
}

function optionLine(condition: string, {name, summary, value}: CompletionOption) {
	return `complete -c cordon${condition} -l ${name} -d ${quoted(summary)}${valueFlags(value)}`
}

function valueFlags(value: ValueSource) {
	switch (value.kind) {
		case 'switch':
			return ''
		case 'free':
			return ' -x'
		case 'file':
			return ' -r -F'
		case 'choices':
			return ` -x -a ${quoted(value.choices.join(' '))}`
		case 'dynamic':
			return ` -x -a '(__cordon_values ${value.source})'`
	}
}

function quoted(text: string) {
	return `'${text.replaceAll('\\', '\\\\').replaceAll("'", String.raw`\'`)}'`
}
