/** Procedures of the search: what is known locally, at once; and what the service knows, for a price in calls. */
import {oc, type} from '@orpc/contract'
import {z} from 'zod'

import type {ActivityKind, Indicator} from '../model/indicator.ts'
import type {ErrorReport} from './errors.ts'

const base = oc.errors({CORDON: {status: 500, data: type<ErrorReport>()}})
const text = z.string().trim().min(1).max(2000)
const onConnection = z.object({connection: z.string().min(1)})
const question = onConnection.extend({text, kind: z.enum(['activity', 'user'])})

export const searchKinds = [
	'computer',
	'user',
	'hash',
	'file',
	'ip',
	'url',
	'group',
	'policy',
	'file_list',
	'event',
	'log',
] as const
export type SearchKind = (typeof searchKinds)[number]

export interface SearchHit {
	/** Distinct within its group. */
	readonly key: string
	readonly label: string
	readonly detail: string
	/** Path of the screen that shows it. */
	readonly open: string
}

export interface SearchGroup {
	readonly kind: SearchKind
	readonly title: string
	readonly count: number
	/** `false`: there are more, and they were not counted. */
	readonly exact: boolean
	/** The first of them. */
	readonly hits: readonly SearchHit[]
	/** Path of the screen that shows all of them; `null` where there is none. */
	readonly open: string | null
}

/** A question to the service. */
export interface ActivityOffer {
	readonly kind: ActivityKind
	/** Price in calls: one page tells up to 500 computers. */
	readonly least: number
	/** `null` while nobody knows how many computers there are. */
	readonly most: number | null
}

export interface SearchResults {
	readonly text: string
	/** `null`: there is nothing in the text to look for. */
	readonly indicator: Indicator | null
	/** In the order in which they are shown; groups without a hit are left out. */
	readonly groups: readonly SearchGroup[]
	readonly offers: readonly ActivityOffer[]
	/** What stands behind the answer. */
	readonly computers: {readonly count: number; readonly readAt: string | null}
	readonly events: {readonly count: number; readonly oldest: string | null; readonly readAt: string | null}
}

export interface ActivityComputer {
	readonly guid: string
	readonly hostname: string
	/** Name of its group in the local copy; `null` when it is not there. */
	readonly group: string | null
	readonly os: string
	readonly lastSeen: string | null
	readonly active: boolean
	/** No stored event of this computer tells of it: seen, but silent. */
	readonly silent: boolean
}

export interface ActivityFacts {
	readonly text: string
	readonly kind: ActivityKind
	/** What was really asked for, such as the address without its defanging. */
	readonly value: string
	readonly askedAt: string
	/** `partial`: it stopped early, and asking again goes on where it stopped. */
	readonly phase: 'reading' | 'complete' | 'partial'
	readonly read: number
	readonly total: number | null
	readonly calls: number
	/** What going on costs, in calls; `null` when it is not known or there is nothing left. */
	readonly callsLeft: number | null
	readonly error: ErrorReport | null
	readonly silent: number
	/** A typed filter of events that tell of it. */
	readonly eventFilter: string
}

export interface ActivityAnswer extends ActivityFacts {
	readonly computers: readonly ActivityComputer[]
}

/** A page as it arrives. */
export interface ActivityNews {
	readonly facts: ActivityFacts
	readonly fresh: readonly ActivityComputer[]
}

export const searchContract = {
	/** Asks the local copies alone: costs nothing. */
	local: base
		.input(onConnection.extend({text: z.string().max(2000), limit: z.int().min(1).max(50).default(5)}))
		.output(type<SearchResults>()),
	/** The last answer of the service in this session, its silent computers worked out anew; costs nothing. */
	asked: base.input(question).output(type<ActivityAnswer | null>()),
	/**
	 * Asks the service which computers saw it, or on which a user was: one call for each 500 computers. Pages come as they
	 * arrive; leaving the stream ends the asking, and what came stays. With `further` a partial answer is gone on with.
	 */
	activity: base.input(question.extend({further: z.boolean().default(false)})).output(type<AsyncIterator<ActivityNews, void>>()),
}
