import {families, plainWord} from './completion-bash.ts'
import {
	completionCommands,
	completionGlobals,
	secondWords,
	skippedOptions,
	type CompletionCommand,
	type CompletionOption,
	type ValueSource
} from './completion-words.ts'

export function zshScript() {
	const commands = completionCommands()
	const globals = completionGlobals()
	return `#compdef cordon
# zsh completion of cordon: eval "$(cordon completion zsh)"
_cordon_dynamic() {
  local -a values labels
  local line
  cordon "\${scope[@]}" __complete "$1" "$PREFIX" 2>/dev/null | while IFS= read -r line; do
    values+=("\${line%%$'\\t'*}")
    labels+=("\${line//$'\\t'/  }")
  done
  compadd -l -d labels -a values
}

_cordon_value() {
  case "$1" in
    file) _files ;;
    dynamic) _cordon_dynamic "$2" ;;
    choices) compset -P '*,'; compadd -- \${=2} ;;
    free) _message 'value' ;;
  esac
}

_cordon() {
  local command first word i skip=0
  local -a scope entries
  for ((i = 2; i < CURRENT; i++)); do
    word=\${words[i]}
    case "$word" in
      --profile|--connection) ((i + 1 < CURRENT)) && scope+=("$word" "\${words[i+1]}"); skip=1 ;;
      ${skippedOptions()}) skip=1 ;;
      -*) skip=0 ;;
${plainWord(commands)}
    esac
  done
  local previous=\${words[CURRENT-1]}
  if compset -P '--*='; then previous=\${IPREFIX%=}; fi
  case "$command:$previous" in
${[...globals.map(option => valueCase('*', option)), ...commands.flatMap(command => command.options.map(option => valueCase(`"${command.name}"`, option)))].filter(line => line !== '').join('\n')}
  esac
  case "$command" in
    "") entries=(${firstEntries(commands).join(' ')}); _describe 'command' entries ;;
${commands.map(command => commandCase(command, commands)).join('\n')}
${families(commands)
	.map(
		([family, seconds]) =>
			`    ${family}) entries=(${seconds.map(second => entry(second, summaryOf(commands, `${family} ${second}`))).join(' ')}); _describe 'command' entries ;;`
	)
	.join('\n')}
  esac
  entries=(${globals.map(({name, summary}) => entry(`--${name}`, summary)).join(' ')})
  [[ $PREFIX == -* ]] && _describe -o 'option' entries
}

if [[ \${funcstack[1]} == _cordon ]]; then _cordon "$@"; else compdef _cordon cordon; fi
`
}

function firstEntries(commands: readonly CompletionCommand[]) {
	const own = commands.filter(({name}) => !name.includes(' ')).map(({name, summary}) => entry(name, summary))
	return [...own, ...families(commands).map(([family, seconds]) => entry(family, seconds.join(', ')))]
}

export function summaryOf(commands: readonly CompletionCommand[], name: string) {
	return commands.find(command => command.name === name)?.summary ?? ''
}

function valueCase(command: string, {name, value}: CompletionOption) {
	return value.kind === 'switch' ? '' : `    ${command}:--${name}) _cordon_value ${value.kind}${detailOf(value)}; return ;;`
}

function commandCase({name, options, word}: CompletionCommand, commands: readonly CompletionCommand[]) {
	const entries = options.map(option => entry(`--${option.name}`, option.summary)).join(' ')
	const values = word.kind === 'switch' || word.kind === 'free' ? '' : `[[ $PREFIX != -* ]] && _cordon_value ${word.kind}${detailOf(word)}; `
	const following = secondWords(commands, name).map(second => entry(second, summaryOf(commands, `${name} ${second}`)))
	const seconds = following.length > 0 ? `entries=(${following.join(' ')}); _describe 'command' entries; ` : ''
	return `    "${name}") ${values}${seconds}entries=(${entries}); _describe -o 'option' entries ;;`
}

function detailOf(value: ValueSource) {
	if (value.kind === 'choices') return ` ${quoted(value.choices.join(' '))}`
	return value.kind === 'dynamic' ? ` ${value.source}` : ''
}

/** `name:summary`, the format of \`_describe\`. */
function entry(name: string, summary: string) {
	return quoted(`${name.replaceAll(':', '\\:')}:${summary.replaceAll(':', '\\:')}`)
}

function quoted(text: string) {
	return `'${text.replaceAll("'", String.raw`'\''`)}'`
}
