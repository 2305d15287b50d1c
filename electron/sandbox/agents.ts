import type {Host} from './tenant/host.ts'
import {dice} from './tenant/random.ts'

/** Pending requests of the cloud to connectors. No timers: time passes through `settle`. */
export type Agents = ReturnType<typeof createAgents>

interface Question {
	host: Host
	answer: (at: number) => void
	/** `undefined` while the connector is offline. */
	due: number | undefined
}

export function createAgents(seedNumber: number, meanDelayMs: number, isOnline: (host: Host) => boolean) {
	const open = new Set<Question>()
	const delayOf = (host: Host) => Math.round(meanDelayMs * (0.5 + dice(seedNumber, host.index, 7)))
	const answer = (questions: readonly Question[], now?: number) => {
		for (const question of questions.toSorted((a, b) => (a.due ?? 0) - (b.due ?? 0))) {
			open.delete(question)
			question.answer(now ?? question.due ?? 0)
		}
	}
	return {
		/** Response delay of this connector, in milliseconds. */
		delayOf,
		/** Calls `answer` with the time of the response after the connector's delay; an offline one answers once it connects. */
		ask: (host: Host, now: number, reply: (at: number) => void) =>
			void open.add({host, answer: reply, due: isOnline(host) ? now + delayOf(host) : undefined}),
		/** Runs everything due, in order. */
		settle: (now: number) => answer([...open].filter(({due}) => due !== undefined && due <= now)),
		/** Online connectors answer immediately: all, or one. */
		answerNow: (now: number, host?: Host) =>
			answer(
				[...open].filter(question => question.due !== undefined && (host === undefined || host === question.host)),
				now
			),
		/** The connector connected or disconnected. */
		connected: (host: Host, online: boolean, now: number) => {
			for (const question of open) if (question.host === host) question.due = online ? now + delayOf(host) : undefined
		}
	}
}
