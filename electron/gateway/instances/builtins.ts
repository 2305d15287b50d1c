/** The built-in services, by name. Each is loaded when an instance of it first starts. */
import {readdir, rm} from 'node:fs/promises'
import {join} from 'node:path'

import type {ListStatus} from '#contract/instances.ts'
import type {Access, Program} from '#model/instance.ts'

import type {Desk} from '#core/app/gateway.ts'
import type {Clock} from '#base/ports.ts'
import type {FetchFileList} from './list/sources.ts'

type BuiltinDefinition = Extract<Program, {kind: 'builtin'}>['builtin']

interface BuiltinStart {
	definition: BuiltinDefinition
	id: string
	name: string
	access: Access
	host: string
	port: number
	onTrouble: (message: string, error?: unknown) => void
}

/** A running built-in instance. */
export interface RunningBuiltin {
	listStatus(): ListStatus | null
	publish(): Promise<ListStatus | null>
	reload(definition: BuiltinDefinition): unknown
	stop(): Promise<void>
}

export type Builtins = ReturnType<typeof createBuiltins>

interface BuiltinsOptions {
	/** Each instance has its own folder in `lists` within. */
	folder: string
	clock: Clock
	fetchFileList: FetchFileList
	signingKey: (id: string) => Promise<string | undefined>
	/** Omitted without a console. */
	desk?: Desk | undefined
}

export function createBuiltins(options: BuiltinsOptions) {
	const folderOf = (id: string) => join(options.folder, lists, id)
	return {
		/** Rejects when it cannot start. */
		start: (start: BuiltinStart) => startOne(options, start, folderOf(start.id)),
		/** Removes the files of a deleted instance. */
		remove: (id: string) => rm(folderOf(id), {recursive: true, force: true})
	}
}

const lists = 'lists'

/** Removes files of instances deleted while no console ran. */
export async function keepOnly(folder: string, list: () => readonly {id: string}[]) {
	const names = await readdir(join(folder, lists)).catch(() => [])
	// Listed afterwards: one may have been added meanwhile.
	const ids = new Set(list().map(({id}) => id))
	const gone = names.filter(name => !ids.has(name))
	await Promise.all(gone.map(name => rm(join(folder, lists, name), {recursive: true, force: true})))
}

async function startOne(options: BuiltinsOptions, start: BuiltinStart, folder: string): Promise<RunningBuiltin> {
	const {clock, fetchFileList, signingKey, desk} = options
	const {definition, id, name, access, host, port, onTrouble} = start
	const shared = {instance: {id, name}, folder, host, port, clock, onTrouble}
	switch (definition.service) {
		case 'list': {
			const {startListService} = await import('./list/service.ts')
			const running = await startListService({...shared, definition, fetchFileList})
			return {...running, listStatus: running.status, reload: next => next.service === 'list' && running.reload(next)}
		}
		case 'indicators': {
			const {startIndicatorService} = await import('./indicators/service.ts')
			const running = await startIndicatorService({...shared, definition, fetchFileList})
			return {...running, reload: next => next.service === 'indicators' && running.reload(next)}
		}
		case 'webhook': {
			if (desk === undefined) throw new Error('A webhook needs the console.')
			const {startWebhookService} = await import('./webhook/service.ts')
			const key = () => signingKey(id)
			const running = await startWebhookService({...shared, definition, access, desk, signingKey: key})
			const reload = (next: BuiltinDefinition): unknown => next.service === 'webhook' && running.reload(next)
			return {reload, stop: running.stop, listStatus: () => null, publish: async () => null}
		}
	}
}
