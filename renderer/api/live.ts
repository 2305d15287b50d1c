import {observable, type Observed} from './observable.ts'
import type {LiveEvent, RunProgress} from '#contract/live.ts'
import type {FrameState} from '#model/frame.ts'
import type {Stale} from './stale.ts'
import type {Client, Wire} from './wire.ts'

export interface Live {
	frames: Observed<ReadonlyMap<string, FrameState>>
	progress: Observed<ReadonlyMap<string, RunProgress>>
	endRun(run: string): void
	stop(): void
}

/** Resumes after every reconnection. */
export function startLive(wire: Wire, client: Client, stale: Stale): Live {
	const frames = observable<ReadonlyMap<string, FrameState>>(new Map())
	const progress = observable<ReadonlyMap<string, RunProgress>>(new Map())
	const stop = new AbortController()
	let connected = false
	let isFirst = true
	let isFollowing = false

	const take = (event: LiveEvent) => {
		switch (event.kind) {
			case 'hello':
				return isFirst ? undefined : stale.everything()
			case 'frame':
				stale.overview(event.frame.connection.id)
				return frames.set(new Map(frames.get()).set(event.frame.connection.id, event.frame))
			case 'computers':
				return stale.computers(event.connection)
			case 'computer':
				return stale.computer(event.connection, event.guid)
			case 'directory':
				return stale.directory(event.connection)
			case 'events':
				stale.overview(event.connection)
				return stale.events(event.connection)
			case 'log':
				stale.overview(null)
				return stale.log()
			case 'connections':
				return stale.connections()
			case 'settings':
				return stale.settings()
			case 'notices':
				return stale.notices()
			case 'approvals':
				return stale.approvals()
			case 'instances':
				stale.overview(null)
				return stale.instances()
			case 'streams':
				return stale.streams()
			case 'job':
				return stale.jobs()
			case 'run':
				return progress.set(new Map(progress.get()).set(event.run, event.progress))
			default:
				return assertNever(event)
		}
	}
	const follow = async () => {
		isFollowing = true
		try {
			for await (const event of await client.app.live(undefined, {signal: stop.signal})) {
				take(event)
				isFirst = false
			}
		} catch {
			// The wire reports the reason; the next connection starts this again.
		}
		isFirst = false
		isFollowing = false
	}
	const onWire = () => {
		const now = wire.state().kind === 'connected'
		if (now && !connected && !isFollowing) void follow()
		connected = now
	}
	const off = wire.subscribe(onWire)
	// Before any other call: what the host answers after it misses no news, so the first greeting makes nothing stale.
	void follow()
	return {
		frames,
		progress,
		endRun(run) {
			const next = new Map(progress.get())
			if (next.delete(run)) progress.set(next)
		},
		stop() {
			off()
			stop.abort()
			stale.stop()
		}
	}
}

function assertNever(_value: never) {
	// A newer host may send kinds that this page does not know.
}
