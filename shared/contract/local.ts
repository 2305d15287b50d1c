/** Procedures about this computer: what is stored here, what the program can tell of itself, and its notices. */
import {oc, type} from '@orpc/contract'
import {z} from 'zod'

import type {ImportedConnection} from '../model/connections-file.ts'
import type {ShownNotice} from '../model/notice.ts'
import type {TextFile} from '../model/text-file.ts'
import type {ErrorReport} from './errors.ts'

const base = oc.errors({CORDON: {status: 500, data: type<ErrorReport>()}})

export const copyKinds = ['computers', 'events', 'directory', 'trajectories', 'audit'] as const
export type CopyKind = (typeof copyKinds)[number]

export const copyTitles: Readonly<Record<CopyKind, string>> = {
	computers: 'Computers and groups',
	events: 'Events',
	directory: 'Policies, file lists and group details',
	trajectories: 'Trajectories',
	audit: 'Audit log of the service',
}

export interface StoredCopy {
	readonly kind: CopyKind
	/** On the disk, journals included. */
	readonly bytes: number
	/** `null` when the file is not open in this process, or holds nothing that is counted. */
	readonly records: number | null
}

export interface LocalData {
	/** The profile's folder. */
	readonly folder: string
	readonly connections: readonly {readonly id: string; readonly name: string; readonly copies: readonly StoredCopy[]}[]
	/** What belongs to no connection. */
	readonly files: readonly {readonly kind: 'profile' | 'log' | 'other'; readonly bytes: number; readonly records: number | null}[]
}

export interface ChainState {
	/** Entries that were looked at. */
	readonly checked: number
	/** Sequence number and hash of the newest entry in the chain; `null` while the log is empty. */
	readonly head: {readonly seq: number; readonly hash: string} | null
	/** The first entry that does not fit, and what is wrong with it. */
	readonly broken: BrokenAt | null
	readonly at: string
}

export interface BrokenAt {
	readonly seq: number
	/** Of the entry as it is now, and its time; `null` where it is gone. */
	readonly id: string | null
	readonly at: string | null
	readonly what: string
}

export interface NetworkFacts {
	/** Where calls to a public address go: the proxy of the environment without its credentials, or `null` for none. */
	readonly proxy: string | null
	/** Why the proxy of the environment cannot be used. */
	readonly problem: string | null
	readonly exceptions: string | null
}

/** A browser that was let into the headless console. */
export interface EntrySession {
	readonly id: string
	readonly openedAt: string
	/** What it calls itself. */
	readonly agent: string
}

export const localContract = {
	/** `null` where the host has none: the window of the desktop lets nobody in. */
	sessions: base.output(type<readonly EntrySession[] | null>()),
	/** Its browser is out at once, and its pages are closed. */
	endSession: base.input(z.object({id: z.string().min(1).max(64)})).output(type<readonly EntrySession[]>()),
	data: base.output(type<LocalData>()),
	/** Deletes copies of what the service knows. The incident log is none. `confirm` is the connection's name. */
	wipe: base
		.input(z.object({connection: z.string().min(1), kinds: z.array(z.enum(copyKinds)).min(1), confirm: z.string().default('')}))
		.output(type<LocalData>()),
	/** What helps to find a defect, without names, addresses and secrets. Nothing is sent anywhere. */
	diagnostics: base.output(type<TextFile>()),
	/** All connections without their keys. */
	exportConnections: base.output(type<TextFile>()),
	/** The same with their keys, sealed with `seal`; asks who is there, and the log keeps the reason. */
	exportSealed: base
		.input(
			z.object({
				seal: z.string().min(1).max(1000),
				reason: z.string().trim().min(1).max(255),
				passphrase: z.string().max(1000).optional(),
			}),
		)
		.output(type<TextFile>()),
	/** Adds what a sealed file holds and is not there yet, read-only. */
	importSealed: base
		.input(z.object({text: z.string().max(30_000_000), seal: z.string().min(1).max(1000)}))
		.output(type<readonly ImportedConnection[]>()),
	network: base.output(type<NetworkFacts>()),
	/** Newest first. */
	notices: base.output(type<readonly ShownNotice[]>()),
	/** Takes one notice, or with `null` all of them, off the list. */
	dismissNotice: base.input(z.object({id: z.string().nullable()})).output(type<void>()),
}
