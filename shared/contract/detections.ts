/** Detection groups with what people decided about them. A decision is an entry of the incident log, and the newest one counts. */
import {type} from '@orpc/contract'
import {z} from 'zod'

import {connection, given, window} from './base.ts'
import {detectionStatuses, type DetectionStatus} from '../model/choices.ts'
import type {LogEntry} from '../model/incident.ts'
import type {DetectionGroup, EventRow} from './events.ts'

export interface DetectionCase extends DetectionGroup {
	/** The first of its keys. */
	readonly key: string
	/** A group that was closed is new again with its next detection. */
	readonly status: DetectionStatus
	/** Empty: nobody. */
	readonly owner: string
	/** Of the last decision (ISO 8601). */
	readonly changedAt: string | null
}

/** A row of the list: a group may have thousands of keys. */
export interface DetectionRow extends Omit<DetectionCase, 'keys' | 'computers' | 'hashes' | 'suspect'> {
	/** Of its keys. */
	readonly newest: string
	readonly events: number
	readonly computers: number
}

export type DetectionWindow = Readonly<{
	rows: readonly DetectionRow[]
	offset: number
	/** Of all groups, how many are not closed, and whether one has an owner. */
	matching: number
	open: number
	owned: boolean
}>

/** A job or a run of a playbook, by its first entry. */
interface WorkOnGroup {
	id: string
	title: string
}

export interface DetectionCaseDetail extends DetectionCase {
	/** The newest ones, oldest first. */
	readonly events: readonly EventRow[]
	/** Of its computers and hashes since its first event, newest first; the reads of the service are left out. */
	readonly entries: readonly LogEntry[]
	readonly jobs: readonly WorkOnGroup[]
	readonly runs: readonly WorkOnGroup[]
}

/** The key of any of its events. */
const key = z.string().min(1)

export const detectionsContract = {
	/** The worst first. */
	list: given({connection, ...window}).output(type<DetectionWindow>()),
	/** The group's place in the list, -1 for none. */
	position: given({connection, key}).output(type<number>()),
	detail: given({connection, key}).output(type<DetectionCaseDetail | null>()),
	/** Throws `not_found` for an event of no group. */
	decide: given({connection, key, status: z.enum(detectionStatuses), owner: z.string().max(200), note: z.string().max(2000)}).output(
		type<LogEntry>()
	)
}
