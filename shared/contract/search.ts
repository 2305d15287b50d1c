/** Procedures of the search: local results at once, and the service's on request, at a cost in calls. */
import {type} from '@orpc/contract'
import {z} from 'zod'

import {base, onConnection} from './base.ts'
import type {ActivityKind, Indicator} from '../model/indicator.ts'
import type {ErrorReport} from './errors.ts'

const text = z.string().trim().min(1).max(2000)
const question = onConnection.extend({text, kind: z.enum(['activity', 'user'])})

const searchKinds = ['computer', 'user', 'hash', 'file', 'ip', 'url', 'group', 'policy', 'file_list', 'event', 'log'] as const
export type SearchKind = (typeof searchKinds)[number]

export type SearchHit = Readonly<{
	/** Unique within its group. */
	key: string
	label: string
	detail: string
	/** Path of its screen. */
	open: string
}>

export type SearchGroup = Readonly<{
	kind: SearchKind
	title: string
	count: number
	/** `false`: there are more, not counted. */
	exact: boolean
	/** The first ones. */
	hits: readonly SearchHit[]
	/** Path of a screen with all; `null` without one. */
	open: string | null
}>

/** A possible query to the service. */
export interface ActivityOffer {
	readonly kind: ActivityKind
	/** Cost in calls: one page covers up to 500 computers. */
	readonly least: number
	/** `null` while the number of computers is unknown. */
	readonly most: number | null
}

export type SearchResults = Readonly<{
	text: string
	/** `null`: nothing to search for. */
	indicator: Indicator | null
	/** In display order, without empty groups. */
	groups: readonly SearchGroup[]
	offers: readonly ActivityOffer[]
	/** The data behind the answer. */
	computers: {count: number; readAt: string | null}
	events: {count: number; oldest: string | null; readAt: string | null}
}>

export type ActivityComputer = Readonly<{
	guid: string
	hostname: string
	/** Name of its group in the local copy; `null` if missing. */
	group: string | null
	os: string
	lastSeen: string | null
	active: boolean
	/** Seen by the service, without a local event. */
	silent: boolean
}>

export type ActivityFacts = Readonly<{
	text: string
	kind: ActivityKind
	/** The value as queried, for example refanged. */
	value: string
	askedAt: string
	/** `partial`: stopped early; another query continues. */
	phase: 'reading' | 'complete' | 'partial'
	read: number
	total: number | null
	calls: number
	/** Cost of continuing, in calls; `null` if unknown or complete. */
	callsLeft: number | null
	error: ErrorReport | null
	silent: number
	/** An event filter for the same indicator. */
	eventFilter: string
}>

export interface ActivityAnswer extends ActivityFacts {
	readonly computers: readonly ActivityComputer[]
}

/** One arriving page. */
export interface ActivityNews {
	readonly facts: ActivityFacts
	readonly fresh: readonly ActivityComputer[]
}

export const searchContract = {
	/** Queries only local copies: no cost. */
	local: base.input(onConnection.extend({text: z.string().max(2000), limit: z.int().min(1).max(50).default(5)})).output(type<SearchResults>()),
	/** The service's last answer in this session, with local events checked anew; no cost. */
	asked: base.input(question).output(type<ActivityAnswer | null>()),
	/**
	 * Queries the service for computers that saw it, or on which a user was: one call per 500 computers. Pages arrive one by one;
	 * leaving the stream stops the query and keeps the pages. `further` continues a partial answer.
	 */
	activity: base.input(question.extend({further: z.boolean().default(false)})).output(type<AsyncIteratorObject<ActivityNews, void>>())
}
