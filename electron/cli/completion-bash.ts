import {completionCommands, completionGlobals, secondWords, skippedOptions, type CompletionCommand, type ValueSource} from './completion-words.ts'

/** For bash 3.2 and later. Names hold only letters, digits, `_` and `-`, so nothing in the script needs quoting. */
export function bashScript() {
	const commands = completionCommands()
	const globals = completionGlobals()
	const values = [
		...globals.map(({name, value}) => valueCase(`*:--${name}`, value)),
		...commands.flatMap(command => command.options.map(({name, value}) => valueCase(`"${command.name}:--${name}"`, value)))
	]
	return `# bash completion of cordon: eval "$(cordon completion bash)"
_cordon_dynamic() {
  local line
  while IFS= read -r line; do
    line=\${line%%$'\\t'*}
    [[ $line == "$cur"* ]] && COMPREPLY+=("$(printf '%q' "$line")")
  done < <(cordon "\${scope[@]}" __complete "$1" "$cur" 2>/dev/null)
}

_cordon_value() {
  case "$1" in
    file) COMPREPLY=($(compgen -f -- "$cur")) ;;
    dynamic) _cordon_dynamic "$2" ;;
    choices) local lead=""; [[ $cur == *,* ]] && lead="\${cur%,*},"; COMPREPLY=($(compgen -P "$lead" -W "$2" -- "\${cur##*,}")) ;;
  esac
}

_cordon() {
  local cur prev command first i word skip=0
  local scope=()
  COMPREPLY=()
  cur=\${COMP_WORDS[COMP_CWORD]}
  prev=\${COMP_WORDS[COMP_CWORD-1]}
  if [[ $cur == "=" ]]; then cur=""; elif [[ $prev == "=" ]]; then prev=\${COMP_WORDS[COMP_CWORD-2]}; fi
  for ((i = 1; i < COMP_CWORD; i++)); do
    word=\${COMP_WORDS[i]}
    case "$word" in
      --profile|--connection) if ((i + 1 < COMP_CWORD)); then scope+=("$word" "\${COMP_WORDS[i+1]}"); fi; skip=1 ;;
      ${skippedOptions()}) skip=1 ;;
      -*|=) ;;
${plainWord(commands)}
    esac
  done
  case "$command:$prev" in
${values.filter(line => line !== '').join('\n')}
  esac
  if [[ -z $command ]]; then
    COMPREPLY=($(compgen -W "${[...firstWords(commands), ...globals.map(({name}) => `--${name}`)].join(' ')}" -- "$cur"))
    return
  fi
  case "$command" in
${commands.map(command => commandCase(command, secondWords(commands, command.name))).join('\n')}
${families(commands)
	.map(([family, seconds]) => `    ${family}) COMPREPLY=($(compgen -W "${seconds.join(' ')}" -- "$cur")) ;;`)
	.join('\n')}
  esac
  [[ $cur == -* ]] && COMPREPLY+=($(compgen -W "${globals.map(({name}) => `--${name}`).join(' ')}" -- "$cur"))
}

complete -o default -F _cordon cordon
`
}

/** The case of a word that is no option. */
export function plainWord(commands: readonly CompletionCommand[]) {
	const pattern = twoWords(commands).map(name => `"${name}"`)
	return `      *) if ((skip)); then skip=0
         elif [[ -z $first ]]; then first=$word; command=$word
         elif [[ $command == "$first" ]]; then case "$first $word" in ${pattern.join('|')}) command="$first $word" ;; esac
         fi ;;`
}

function twoWords(commands: readonly CompletionCommand[]) {
	return commands.map(({name}) => name).filter(name => name.includes(' '))
}

export function firstWords(commands: readonly CompletionCommand[]): readonly string[] {
	return [...new Set(commands.map(({name}) => name.split(' ')[0] ?? ''))]
}

/** Words that are no command alone, with the words that may follow. */
export function families(commands: readonly CompletionCommand[]): readonly (readonly [family: string, seconds: readonly string[]])[] {
	const names = new Set(commands.map(({name}) => name))
	const families = Map.groupBy(twoWords(commands), name => name.split(' ')[0] ?? '')
	return [...families].filter(([family]) => !names.has(family)).map(([family, full]) => [family, full.map(name => name.slice(family.length + 1))])
}

function valueCase(pattern: string, value: ValueSource) {
	return value.kind === 'switch' ? '' : `    ${pattern}) ${valuesOf(value)}; return ;;`
}

function commandCase({name, options, word}: CompletionCommand, seconds: readonly string[]) {
	const words = [...options.map(option => `--${option.name}`), ...seconds].join(' ')
	const values = word.kind === 'choices' || word.kind === 'dynamic' ? `[[ $cur != -* ]] && ${valuesOf(word)}; ` : ''
	return `    "${name}") ${values}COMPREPLY+=($(compgen -W "${words}" -- "$cur")) ;;`
}

function valuesOf(value: ValueSource) {
	const detail = value.kind === 'choices' ? ` "${value.choices.join(' ')}"` : value.kind === 'dynamic' ? ` ${value.source}` : ''
	return `_cordon_value ${value.kind}${detail}`
}
