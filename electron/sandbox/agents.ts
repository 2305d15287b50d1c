import type {Host} from './tenant/host.ts'
import {dice} from './tenant/random.ts'

/** What the cloud asked of connectors and waits for. Nothing here uses a timer: time passes when `settle` is told so. */
export interface Agents {
	/** Calls `answer` with the time of the answer once the connector has had time; an offline one has none until it connects. */
	ask(host: Host, now: number, answer: (at: number) => void): void
	/** Carries out everything that is due, in order. */
	settle(now: number): void
	/** Online connectors answer at once: all of them, or one. */
	answerNow(now: number, host?: Host): void
	/** The connector came or went. */
	connected(host: Host, online: boolean, now: number): void
	/** How long this connector takes, in milliseconds. */
	delayOf(host: Host): number
}

interface Question {
	readonly host: Host
	readonly answer: (at: number) => void
	/** `undefined` while the connector is away. */
	due: number | undefined
}

export function createAgents(seedNumber: number, meanDelayMs: number, isOnline: (host: Host) => boolean): Agents {
	const open = new Set<Question>()
	const delayOf = (host: Host): number => Math.round(meanDelayMs * (0.5 + dice(seedNumber, host.index, 7)))
	const answer = (questions: readonly Question[], now?: number): void => {
		for (const question of questions.toSorted((a, b) => (a.due ?? 0) - (b.due ?? 0))) {
			open.delete(question)
			question.answer(now ?? question.due ?? 0)
		}
	}
	return {
		delayOf,
		ask: (host, now, reply) => void open.add({host, answer: reply, due: isOnline(host) ? now + delayOf(host) : undefined}),
		settle: now => answer([...open].filter(({due}) => due !== undefined && due <= now)),
		answerNow: (now, host) =>
			answer(
				[...open].filter(question => question.due !== undefined && (host === undefined || host === question.host)),
				now,
			),
		connected: (host, online, now) => {
			for (const question of open) if (question.host === host) question.due = online ? now + delayOf(host) : undefined
		},
	}
}
