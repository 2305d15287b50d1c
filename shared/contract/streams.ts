/** Procedures of event streams and targets. None returns a password or signing secret, except a new secret once. */
import {type} from '@orpc/contract'
import {z} from 'zod'

import {base, given, onConnection} from './base.ts'
import type {EventStream, StreamState} from '../model/event-stream.ts'
import {targetSchema, type RefusedEntry, type TargetRow} from '../model/target.ts'

const limit = z.int().min(1).max(1000)
const target = z.object({target: z.string().min(1)})

export type ReadStream = Readonly<{
	/** The service's. */
	id: number
	name: string
	host: string
	createdAt: string
}>

export type UnreadableMessage = Readonly<{
	at: string
	reason: string
	/** Bytes. */
	size: number
	/** As received, if it is text. */
	text: string
}>

export const streamsContract = {
	/** Local data: the service is not queried. */
	own: base.input(onConnection).output(type<{stream: ReadStream; state: StreamState | null} | null>()),
	/** All of the organisation, from the service. */
	list: base.input(onConnection).output(type<readonly (EventStream & {own: boolean})[]>()),
	create: base
		.input(onConnection.extend({name: z.string().trim().min(1).max(200).optional(), eventTypes: z.array(z.int()), groups: z.array(z.string())}))
		.output(type<ReadStream>()),
	/** Default `id`: the one being read. */
	delete: base.input(onConnection.extend({id: z.int().optional()})).output(type<{id: number; wasThere: boolean}>()),
	/** Resumes a stream that had ended for good. */
	follow: base.input(onConnection).output(type<void>()),
	unreadable: base.input(onConnection.extend({limit})).output(type<readonly UnreadableMessage[]>())
}

export const targetsContract = {
	list: base.output(type<readonly TargetRow[]>()),
	save: given({
		id: z.string().min(1).optional(),
		definition: targetSchema,
		secret: z.string().min(1).max(500).optional(),
		fromBeginning: z.boolean().optional()
	}).output(type<{target: TargetRow; secret: string | null}>()),
	setEnabled: base.input(target.extend({enabled: z.boolean()})).output(type<TargetRow>()),
	remove: base.input(target).output(type<void>()),
	/** Sends one test message. */
	test: base.input(target).output(type<{ms: number}>()),
	refused: base.input(target.extend({limit})).output(type<readonly RefusedEntry[]>())
}
