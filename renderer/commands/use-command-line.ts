import {useMutation} from '@tanstack/react-query'
import {useEffect, useEffectEvent, useState} from 'react'

import {parseLine, type KnownCommand, type ParsedLine} from '#shared/commands/parse.ts'
import type {Agreement} from '#model/guard.ts'

import {useWriteRefusal, useConnected} from '#api/hooks.tsx'
import {useUi} from '#state/ui.tsx'
import {useAnnounce} from '#ui/Announcer.tsx'
import {helpTopic} from './help-topic.ts'
import {t} from './text.ts'
import {keptLine, shownLine} from './masked.ts'
import {useHistory} from './use-history.ts'
import {useRun, type RunRequest} from './use-run.ts'
import {computerOf} from '#shared/commands/arguments.ts'
import {omitUndefined} from '#shared/omit-undefined.ts'

/** What the panel above the line shows. */
type Shown = {kind: 'nothing'} | {kind: 'help'; topic: string} | {kind: 'run'; line: string; spec: KnownCommand}

interface Asked {
	parsed: ParsedLine
	spec: KnownCommand
}

export type CommandLine = ReturnType<typeof useCommandLine>

interface CommandLineOptions {
	/** Accepts lines from other parts of the window. Default: yes. */
	takesDrafts?: boolean
	/** Runs the line elsewhere than in `runner`. */
	onRun?: (request: RunRequest, spec: KnownCommand, line: string) => void
	onHelp?: (topic: string) => void
}

/** From a typed line to a run: help, lint, confirmation, history. */
export function useCommandLine({takesDrafts = true, onRun, onHelp}: CommandLineOptions) {
	const history = useHistory()
	const runner = useRun()
	const refusal = useWriteRefusal()
	const announce = useAnnounce()
	const [line, setLineOnly] = useState('')
	const [isTried, setTried] = useState(false)
	const [shown, setShown] = useState<Shown>({kind: 'nothing'})
	const reveal = useReveal()
	const [asked, setAsked] = useState<Asked | null>(null)
	const setLine = (next: string) => {
		setLineOnly(next)
		setTried(false)
	}
	const keep = (parsed: ParsedLine, spec: KnownCommand) => {
		history.remember(keptLine(spec, parsed.args, parsed.options))
		history.leave()
		setLine('')
	}
	const start = (parsed: ParsedLine, spec: KnownCommand, agreement: Agreement = {}, isolation?: RunRequest['isolation']) => {
		setAsked(null)
		keep(parsed, spec)
		const shownAs = shownLine(spec, parsed.args, parsed.options)
		const {all, wait} = parsed.options
		const options = omitUndefined({all, wait})
		const wish = isolation === undefined ? {} : {isolation}
		const request = {name: spec.name, args: parsed.args, options, agreement, ...wish}
		if (onRun !== undefined) return onRun(request, spec, shownAs)
		setShown({kind: 'run', line: shownAs, spec})
		void runner.run(request)
	}
	// Its outcome would be told nowhere.
	const isChanging = shown.kind === 'run' && shown.spec.risk !== 'read' && runner.state.kind === 'running'
	const submit = (typed: string) => {
		const topic = helpTopic(typed)
		if (topic !== null) {
			setLine('')
			return onHelp === undefined ? setShown({kind: 'help', topic}) : onHelp(topic)
		}
		const parsed = parseLine(typed)
		if (parsed.spec === undefined || parsed.problems.length > 0) return setTried(true)
		if (isChanging) return announce(t.changeStillRunning)
		const {spec} = parsed
		const wanted = revealOf(parsed)
		if (wanted !== null) {
			keep(parsed, spec)
			reveal.start(wanted)
		} else if (spec.risk === 'read') start(parsed, spec)
		// The line gives the reason below it; a form that cannot be sent would mislead.
		else if (refusal !== null) announce(refusal)
		else setAsked({parsed, spec})
	}
	useDraft(setLine, submit, takesDrafts)
	return {
		line,
		isTried,
		shown,
		asked,
		runner,
		history,
		setLine,
		submit,
		/** Sends the change that awaits confirmation. */
		confirm: (agreement: Agreement, isolation?: RunRequest['isolation']) =>
			asked === null ? undefined : start(asked.parsed, asked.spec, agreement, isolation),
		cancel: () => setAsked(null),
		/** The unlock code on screen; `null` when none is. */
		reveal: reveal.view,
		endReveal: reveal.end
	}
}

interface Wanted {
	guid: string
	reason: string
}

/** The computer whose unlock code a line reveals, and the reason. */
function revealOf({args, options}: ParsedLine): Wanted | null {
	const {reveal, reason} = options
	const guid = computerOf(args)
	return reveal === true && reason !== undefined && guid !== undefined ? {guid, reason} : null
}

/** Each reveal is an entry of the log, so only an entered line starts it, never a render. */
function useReveal() {
	const {queries, connection} = useConnected()
	const {mutate, reset, data, error, isIdle} = useMutation(queries.isolation.reveal.mutationOptions({gcTime: 0}))
	return {view: isIdle ? null : {code: data?.code, error}, start: (wanted: Wanted) => mutate({connection, ...wanted}), end: reset}
}

function useDraft(setLine: (line: string) => void, submit: (line: string) => void, isTaker: boolean) {
	const draft = useUi(ui => ui.draft)
	const takeDraft = useUi(ui => ui.takeDraft)
	const type = useEffectEvent(({line, run}: {line: string; run: boolean}) => {
		setLine(line)
		if (run) submit(line)
	})
	useEffect(() => {
		// React may run an effect twice; a line is taken and run once.
		const taken = draft === null || !isTaker ? null : takeDraft()
		if (taken !== null) type(taken)
	}, [draft, takeDraft, isTaker])
}
