/** Procedures about this computer: stored data, diagnostics, and notifications. */
import {type} from '@orpc/contract'
import {z} from 'zod'

import {base, connection, given} from './base.ts'
import type {ImportedConnection} from '../model/connections-file.ts'
import type {ShownNotice} from '../model/notice.ts'
import type {TextFile} from '../model/text-file.ts'
import {type CopyKind, copyKinds} from '../model/choices.ts'

export interface StoredCopy {
	readonly kind: CopyKind
	/** On disk, including journals. */
	readonly bytes: number
	/** `null` when the file is not open in this process, or has no countable records. */
	readonly records: number | null
}

export interface LocalData {
	readonly folder: string
	readonly connections: readonly {id: string; name: string; copies: readonly StoredCopy[]}[]
	/** Files of no connection. */
	readonly files: readonly {kind: 'profile' | 'log' | 'other'; bytes: number; records: number | null}[]
}

export type ChainState = Readonly<{
	checked: number
	/** Sequence number and hash of the newest entry in the chain; `null` while the log is empty. */
	head: {seq: number; hash: string} | null
	/** The first entry that does not fit, and the problem. */
	broken: BrokenAt | null
	at: string
}>

export type BrokenAt = Readonly<{
	seq: number
	/** Of the present entry, and its time; `null` if it is missing. */
	id: string | null
	at: string | null
	what: string
}>

export interface NetworkFacts {
	/** The proxy for public addresses: the environment's without its credentials, or `null` for none. */
	readonly proxy: string | null
	/** Why the environment's proxy is unusable. */
	readonly problem: string | null
	readonly exceptions: string | null
}

/** A browser signed in to the headless console. */
export type EntrySession = Readonly<{
	id: string
	openedAt: string
	/** The browser's own name. */
	agent: string
	/** Whether this one asks. */
	own?: boolean
}>

export const localContract = {
	/** `null` without sign-ins: the desktop window has none. */
	sessions: base.output(type<readonly EntrySession[] | null>()),
	/** Signs its browser out at once, and closes its pages. */
	endSession: given({id: z.string().min(1).max(64)}).output(type<readonly EntrySession[]>()),
	data: base.output(type<LocalData>()),
	/** Deletes local copies of service data, not the incident log. `confirm` is the connection's name. */
	wipe: given({connection, kinds: z.array(z.enum(copyKinds)).min(1), confirm: z.string().default('')}).output(type<LocalData>()),
	/** Data for finding a defect, without names, addresses and secrets. Nothing is sent anywhere. */
	diagnostics: base.output(type<TextFile>()),
	/** All connections without their keys. */
	exportConnections: base.output(type<TextFile>()),
	/** The same with their keys, encrypted with `seal`; verifies the operator, and the log keeps the reason. */
	exportSealed: given({
		seal: z.string().min(1).max(1000),
		reason: z.string().trim().min(1).max(255),
		passphrase: z.string().max(1000).optional()
	}).output(type<TextFile>()),
	/** Adds missing connections of an encrypted file, read-only. */
	importSealed: given({text: z.string().max(30_000_000), seal: z.string().min(1).max(1000)}).output(type<readonly ImportedConnection[]>()),
	network: base.output(type<NetworkFacts>()),
	/** Newest first. */
	notices: base.output(type<readonly ShownNotice[]>()),
	/** Marks one notification as read, or with `null` all. */
	readNotice: given({id: z.string().nullable()}).output(type<void>()),
	/** Dismisses one notification, or with `null` all. */
	dismissNotice: given({id: z.string().nullable()}).output(type<void>())
}
