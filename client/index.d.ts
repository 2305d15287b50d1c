import type {Approval, Operations, Problem} from './operations.js'

export type {Approval, Computers, Operations, Problem, Result, Run, Runs} from './operations.js'

/** An error as the API returns it (RFC 9457). */
export class CordonProblem extends Error {
	readonly problem: Problem
	constructor(problem: Problem)
}

export interface ClientOptions {
	token: string
	/** Default: http://127.0.0.1:4810 */
	address?: string
	fetch?: typeof globalThis.fetch
}

export interface CallOptions {
	signal?: AbortSignal
	/** The same change with the same key is carried out once in 24 hours. Default: a new key for each change. */
	idempotencyKey?: string
}

type Id = keyof Operations

export interface Client {
	/**
	 * Throws `CordonProblem`. A change may come back as an approval that waits for a person: see `isPending`. Integers beyond 2^53, such
	 * as IDs of events, arrive as texts.
	 */
	call<One extends Id>(id: One, given?: Operations[One]['input'], options?: CallOptions): Promise<Operations[One]['output']>
	/** Page after page of a list, by its links. */
	pages<One extends Id>(id: One, given?: Operations[One]['input'], options?: CallOptions): AsyncGenerator<Operations[One]['output'], void>
	/** Waits until a person has decided. Throws the reason of `signal`. */
	decided(approval: Pick<Approval, 'id'>, options?: {signal?: AbortSignal; everyMs?: number}): Promise<Approval>
}

export function createClient(options: ClientOptions): Client

/** Whether nothing was sent yet, because a person has to allow it. */
export function isPending(answer: unknown): answer is Approval
