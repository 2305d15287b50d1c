import {createContext, useContext, useMemo, useRef, useState, type ReactNode} from 'react'

import {findCommand} from '#shared/commands/catalogue.ts'
import type {KnownCommand} from '#shared/commands/parse.ts'

import {useActiveConnectionOrNull, useApi, useSettings} from '#api/hooks.tsx'
import {useUi} from '#state/ui.tsx'
import {useIsShown} from '#ui/use-is-shown.ts'
import {runFailure} from './stopped.ts'
import {inputOf, type RunRequest, type RunState} from './use-run.ts'

export interface RanLine {
	id: string
	line: string
	spec: KnownCommand
	request: RunRequest
	at: string
	/** `forgotten`: it succeeded, and its records made room for newer ones. */
	state: RunState | {kind: 'forgotten'; message: string}
}

interface Scrollback {
	/** Oldest first. */
	lines: readonly RanLine[]
	start(request: RunRequest, spec: KnownCommand, line: string): void
	/** Stops sending; what was sent stays sent. */
	stop(id: string): void
	/** Removes ended lines; running ones stay. */
	clear(): void
}

const ScrollbackContext = createContext<Scrollback | null>(null)

/** Lines shown, and lines whose records are kept: one listing may have 100,000 records. */
const mostLines = 100
const mostResults = 20

/** Runs lines side by side and keeps them while the window is open, whatever screen is shown. */
export function ScrollbackProvider({children}: {children: ReactNode}) {
	const {client, live} = useApi()
	const connection = useActiveConnectionOrNull()?.id ?? null
	const {activeIncident} = useSettings()
	const setLastCommand = useUi(ui => ui.setLastCommand)
	const [lines, setLines] = useState<readonly RanLine[]>([])
	const running = useRef(new Map<string, AbortController>())
	const isShown = useIsShown()

	const value = useMemo((): Scrollback => {
		const show = (id: string, state: RanLine['state']) => {
			if (isShown.current) setLines(old => trimmed(old.map(each => (each.id === id ? {...each, state} : each))))
		}
		const run = async (id: string, where: string, request: RunRequest) => {
			const abort = new AbortController()
			running.current.set(id, abort)
			try {
				const input = inputOf(request, {connection: where, incident: activeIncident, run: id})
				show(id, {kind: 'done', result: await client.commands.run(input, {signal: abort.signal})})
			} catch (error) {
				show(id, {kind: 'failed', error: runFailure(error, findCommand(request.name))})
			} finally {
				running.current.delete(id)
				live.endRun(id)
			}
		}
		return {
			lines,
			start(request, spec, line) {
				if (connection === null) return
				const id = crypto.randomUUID()
				const now = Date.now()
				const state: RunState = {kind: 'running', name: request.name, run: id, since: now}
				setLastCommand(line)
				setLines(old => trimmed([...old, {id, line, spec, request, at: new Date(now).toISOString(), state}]))
				void run(id, connection, request)
			},
			stop: id => running.current.get(id)?.abort(),
			clear: () => setLines(old => old.filter(({state}) => state.kind === 'running'))
		}
	}, [lines, client, live, connection, activeIncident, setLastCommand, isShown])
	return <ScrollbackContext.Provider value={value}>{children}</ScrollbackContext.Provider>
}

export function useScrollback(): Scrollback {
	const scrollback = useContext(ScrollbackContext)
	if (scrollback === null) throw new Error('There is no ScrollbackProvider above this component.')
	return scrollback
}

function trimmed(lines: readonly RanLine[]): readonly RanLine[] {
	const kept = lines.slice(-mostLines)
	const withRecords = kept.filter(({state}) => state.kind === 'done')
	const old = new Set(withRecords.slice(0, Math.max(0, withRecords.length - mostResults)).map(({id}) => id))
	return kept.map(each =>
		each.state.kind === 'done' && old.has(each.id) ? {...each, state: {kind: 'forgotten', message: each.state.result.message}} : each
	)
}
