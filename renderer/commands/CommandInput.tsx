import {useId, useMemo, useRef} from 'react'

import {computerOf} from '#shared/commands/arguments.ts'
import {type LineProblem, type ParsedLine, parseLine} from '#shared/commands/parse.ts'
import {mostOnScreen} from '#shared/commands/result.ts'
import type {ChangeAnswer} from '#contract/guards.ts'
import {counted, formatCount} from '#text/numbers.ts'
import {nouns} from '#text/terms.ts'
import {useActiveConnectionOrNull, useWriteRefusal, useAsked} from '#api/hooks.tsx'
import {cx} from '#ui/cx.ts'
import styles from './CommandInput.module.css'
import {copied} from './guard/use-judgement.ts'
import {lintLine, nameToChoose} from './line-lint.ts'
import {Suggestions} from './Suggestions.tsx'
import {t} from './text.ts'
import {type CommandInputProps, useLineEditor} from './use-line-editor.ts'

/** The command line with completion, lint and history. */
export function CommandInput(props: CommandInputProps) {
	const {value, isTried, isShown} = props
	const mirror = useRef<HTMLDivElement>(null)
	const id = useId()
	const editor = useLineEditor(props)
	const {isOpen, picked} = editor
	const problems = lintLine(value, isTried)
	const facts = useLineFacts(value, isShown)
	const label = editor.popup === 'history' ? 'Earlier lines' : 'Completions'
	return (
		<div className={styles.wrap}>
			{isOpen && <Suggestions id={`${id}-list`} label={label} items={editor.items} picked={picked} onTake={editor.take} />}
			<div className="entry">
				<span className={styles.mark} aria-hidden>
					!
				</span>
				<div className={styles.field}>
					<div ref={mirror} className={styles.mirror} aria-hidden>
						<Marked line={value} problems={problems} />
						<span className="dim">{editor.ghost}</span>
					</div>
					<input
						ref={editor.input}
						className={styles.input}
						role="combobox"
						aria-label={t.commandLine}
						aria-autocomplete="list"
						aria-expanded={isOpen}
						aria-controls={`${id}-list`}
						aria-describedby={`${id}-lint`}
						aria-invalid={problems.length > 0}
						{...(isOpen && picked >= 0 && {'aria-activedescendant': `${id}-list-${picked}`})}
						autoComplete="off"
						autoCapitalize="off"
						spellCheck={false}
						placeholder={t.svcGetComputers}
						value={value}
						onChange={({target}) => editor.typed(target.value, target.selectionStart ?? target.value.length)}
						onSelect={event => editor.setCaret(event.currentTarget.selectionStart ?? 0)}
						onScroll={event => mirror.current?.scrollTo({left: event.currentTarget.scrollLeft})}
						onBlur={editor.shut}
						onKeyDown={editor.press}
					/>
				</div>
			</div>
			<p
				id={`${id}-lint`}
				className={cx(styles.lint, 'cut', problems.length > 0 || facts?.isRefused === true ? 'bad' : 'dim')}
				aria-live="polite"
			>
				{problems.length === 0 && facts !== null
					? facts.words
					: wordsUnder(problems, isTried ? nameToChoose(value) : null, isOpen, editor.ghost !== '')}
			</p>
		</div>
	)
}

/** Repeats the line with a wave under each problem. It lies behind the input, so it needs the same letters. */
function Marked({line, problems}: {line: string; problems: readonly LineProblem[]}) {
	const problem = problems.find(each => each.to > each.from)
	if (problem === undefined) return <>{line}</>
	return (
		<>
			{line.slice(0, problem.from)}
			<span className={styles.wave}>{line.slice(problem.from, problem.to)}</span>
			{line.slice(problem.to)}
		</>
	)
}

function wordsUnder([problem]: readonly LineProblem[], name: string | null, isOpen: boolean, hasGhost: boolean) {
	if (problem !== undefined && name !== null)
		return isOpen
			? `"${name}" is a name, and the line needs the object itself: choose what is meant with ↑ ↓ and Enter.`
			: `Local data has nothing called "${name}". ${problem.message}: ${problem.fix}.`
	if (problem !== undefined) return `${problem.message}: ${problem.fix}.`
	if (hasGhost) return '→ takes the rest of the earlier line · Tab takes a completion · Enter runs'
	return isOpen ? 'Tab takes a completion · ↑ ↓ choose · Enter runs' : '↑ ↓ earlier lines · Ctrl R searches them · Enter runs'
}

/** What a valid line would do; `null` while it is invalid. Asks the service nothing. */
function useLineFacts(line: string, isShown: boolean) {
	const parsed = useMemo(() => parseLine(line), [line])
	const isWhole = isShown && parsed.spec !== undefined && parsed.problems.length === 0
	const refusal = useWriteRefusal()
	const matches = useMatches(parsed, isWhole)
	const answer = useAnswer(parsed, isWhole && refusal === null)
	if (!isWhole) return null
	return readFacts(parsed, matches) ?? changeFacts(parsed, refusal, answer)
}

const byName = {column: 'hostname', descending: false} as const

/** How many computers in local data have the names on the line. */
function useMatches({spec, args}: ParsedLine, isWhole: boolean) {
	const connection = useActiveConnectionOrNull()?.id ?? ''
	const given = spec?.name === 'svc_get_computers' && Object.keys(args).every(each => known.has(each)) ? args['hostname'] : undefined
	const names = given === undefined ? [] : typeof given === 'string' ? [given] : given
	const filter = names.length === 1 && !/["\\*]/.test(names[0] ?? '') ? `name:"${names[0]}"` : null
	const input = {connection, filter: filter ?? '', sort: byName, offset: 0, limit: 1}
	const isAsked = isWhole && filter !== null && connection !== ''
	const {data} = useAsked(q => q.computers.query, {input, enabled: isAsked, gcTime: 5_000})
	return isAsked ? data?.matching : undefined
}

/** With other conditions, local data would count something else. */
const known: ReadonlySet<string> = new Set(['hostname', 'limit', 'offset'])

/** The guard rules' answer for a computer in local data: for any other they would ask the service. */
function useAnswer({spec, args}: ParsedLine, isWhole: boolean) {
	const connection = useActiveConnectionOrNull()?.id ?? ''
	const isChange = isWhole && spec !== undefined && spec.risk !== 'read' && connection !== ''
	const guid = computerOf(args)
	const detail = useAsked(q => q.computers.detail, {input: {connection, guid: guid ?? '-'}, enabled: isChange && guid !== undefined})
	const isKnown = guid === undefined || (detail.data !== undefined && detail.data !== null)
	const {data} = useAsked(q => q.guards.judge, {
		input: {connection, name: spec?.name ?? '', args: copied(args)},
		enabled: isChange && isKnown,
		gcTime: 0,
		staleTime: 0,
		retry: false
	})
	return isChange && isKnown ? data : undefined
}

/** What stands under a valid line: what it reads or changes, and the cost. */
interface LineFacts {
	words: string
	/** Refused even when the operator confirms. */
	isRefused: boolean
}

/** The service returns no more records per call. */
const recordsOfCall = 500

/** `matches`: computers in local data that the line concerns, if known. */
export function readFacts({args, options, spec}: ParsedLine, matches: number | undefined): LineFacts | null {
	if (spec?.risk !== 'read') return null
	const found = matches === undefined ? [] : [`${formatCount(matches)} in local data match`]
	return {words: ['Reads', ...found, costOf(args, options, spec.paged === true, matches)].join(' · '), isRefused: false}
}

function costOf(args: ParsedLine['args'], {all, wait}: ParsedLine['options'], isPaged: boolean, matches: number | undefined) {
	if (wait !== undefined) return 'asks until it is so, or the time is over'
	if (isPaged && all === true)
		return matches === undefined ? 'a call for each page of it' : `about ${callsWords(Math.min(matches, mostOnScreen))}`
	const limit = Number(args['limit'] ?? 0)
	return isPaged && limit > 0 ? callsWords(Math.min(limit, mostOnScreen)) : '1 call'
}

function callsWords(records: number) {
	const calls = Math.max(1, Math.ceil(records / recordsOfCall))
	return `${counted(calls, nouns.call)}`
}

/** `refusal`: why this connection refuses changes now. */
export function changeFacts({spec}: ParsedLine, refusal: string | null, answer: ChangeAnswer | undefined): LineFacts | null {
	if (spec === undefined || spec.risk === 'read') return null
	if (refusal !== null) return {words: `Changes: ${spec.title} · refused. ${refusal}`, isRefused: true}
	if (answer === undefined) return {words: `Changes: ${spec.title} · asks before it is sent`, isRefused: false}
	const {judgement, price, target} = answer
	const about = `Changes: ${spec.title}${target === null ? '' : ` · ${target.label}`}`
	const no = judgement.refused?.message ?? judgement.protected[0]?.message
	if (no !== undefined) return {words: `${about} · refused. ${no}`, isRefused: true}
	return {words: `${about} · ${callsWords(price.calls * recordsOfCall)} at most · asks before it is sent`, isRefused: false}
}
