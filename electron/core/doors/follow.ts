/** Server-sent events: changes and the progress of jobs and playbook runs, limited to the token's connections. */
import {once} from 'node:events'
import {setTimeout as pause} from 'node:timers/promises'

import type {LiveEvent} from '#contract/live.ts'

import type {Clock} from '#base/ports.ts'
import type {Visit} from './server.ts'

export interface RunStand {
	readonly id: string
	readonly kind: 'job' | 'playbook'
	readonly connection: string
	readonly title: string
	readonly state: string
	readonly because: string | null
	readonly startedAt: string
	readonly endedAt: string | null
	/** Of a playbook. */
	readonly steps: readonly {id: string; name: string; state: string}[]
	/** Targets of a job by state. */
	readonly counts: Readonly<Record<string, number>> | null
}

interface Changed {
	run: string
	kind: string
}

export interface FollowDependencies {
	clock: Pick<Clock, 'now'>
	live: (signal: AbortSignal) => AsyncIterable<LiveEvent>
	stands: {
		onChange(listener: (changed: Changed) => void): () => void
		/** `undefined` for anything but a job or a playbook run. */
		of(changed: Changed): Promise<RunStand | undefined>
	}
}

type Tell = (event: string, data: unknown) => Promise<void>

export async function follow(deps: FollowDependencies, {response, token, signal, isAdmitted}: Visit) {
	response.writeHead(200, {'content-type': 'text/event-stream', 'cache-control': 'no-store'})
	response.write(': Cordon\n\n')
	const tell: Tell = async (event, data) => {
		if (!isAdmitted()) return void response.end()
		if (response.destroyed || response.write(`event: ${event}\ndata: ${JSON.stringify(data)}\n\n`)) return
		await once(response, 'drain', {signal}).catch(() => {})
	}
	const stop = followRuns(deps, token.connections, tell, signal)
	try {
		for await (const event of deps.live(signal)) {
			if (isShown(event, token.connections)) await tell(event.kind, event)
			if (signal.aborted) break
		}
	} finally {
		stop()
	}
	response.end()
	return undefined
}

function isShown(event: LiveEvent, connections: readonly string[]) {
	return event.kind === 'log' || ('connection' in event && connections.includes(event.connection))
}

/** Between two reads, in milliseconds of real time: a run may have thousands of steps, and changes with each. */
const restMs = 250

/** A change during a read causes another read: a client gets fewer events, but always the last. */
function followRuns({stands, clock}: FollowDependencies, connections: readonly string[], tell: Tell, signal: AbortSignal) {
	const since = new Date(clock.now()).toISOString()
	/** Without the steps of those that ended. Only a failed run can go on after its end. */
	const known = new Map<string, RunStand>()
	const waiting = new Map<string, Changed>()
	let isBusy = false
	const look = async () => {
		if (isBusy) return
		isBusy = true
		while (waiting.size > 0 && !signal.aborted) {
			const all = [...waiting]
			waiting.clear()
			for (const [run, changed] of all) {
				const now = await stands.of(changed).catch(() => {})
				const before = known.get(run)
				if (now === undefined || !connections.includes(now.connection)) continue
				if (now.endedAt !== null && before?.endedAt === now.endedAt) continue
				for (const event of newsOf(before, now, since)) await tell('run', event)
				known.set(run, now.endedAt === null || now.state === 'failed' ? now : {...now, steps: []})
			}
			await pause(restMs, undefined, {signal}).catch(() => {})
		}
		isBusy = false
	}
	return stands.onChange(changed => {
		waiting.set(changed.run, changed)
		void look()
	})
}

/** The news of a run: its start, each new step, its end. */
export function newsOf(before: RunStand | undefined, now: RunStand, since: string): readonly object[] {
	const {id: run, kind, connection, title, state, because, counts, steps, endedAt} = now
	const about = {run, kind, connection, title}
	const former = new Map(before?.steps.map(step => [step.id, step.state]))
	const isNews = (step: RunStand['steps'][number]) => (former.get(step.id) ?? 'planned') !== step.state
	const isCounted = counts !== null && JSON.stringify(counts) !== JSON.stringify(before?.counts)
	return [
		...(before === undefined && now.startedAt >= since ? [{...about, event: 'started', state}] : []),
		...steps.filter(isNews).map(step => ({...about, event: 'step', step})),
		...(isCounted ? [{...about, event: 'step', counts}] : []),
		...(endedAt !== null && before?.endedAt !== endedAt ? [{...about, event: 'ended', state, because, endedAt}] : [])
	]
}
