import type {OpenedInstances} from '#gateway/instances/open.ts'
import {hasCode} from '#contract/errors.ts'
import {omitUndefined} from '#shared/omit-undefined.ts'
import {instanceDefinitionSchema, type InstanceDefinition, type InstanceSecrets} from '#model/instance.ts'

import {numberOption, valuesOf} from './argv.ts'
import {usage} from './faults.ts'
import {unreadable} from './files.ts'
import {readSecretFile, readSecretText} from './key.ts'
import type {SubCall} from './session.ts'

export interface Run extends Omit<OpenedInstances, 'stop'>, SubCall {
	readonly name: string
	readonly confirm: string | undefined
}

type Fields = Readonly<Record<string, unknown>>

/** Bytes: far more than the users or tokens of one instance. */
const most = 1_048_576

export async function addInstance(run: Run) {
	const definition = await definitionOf(run, {name: run.name})
	const secrets = await secretsOf(run)
	const exposed = run.sub.options.has('expose') ? true : undefined
	return (await run.store.save({definition, secrets, exposed, confirm: run.confirm})).id
}

export async function changeInstance(run: Run) {
	const {store, name, sub, confirm} = run
	if (sub.options.size === 0) throw usage('instances set needs something to change', 'see "cordon help instances set"', 'set')
	const {id} = store.find(name)
	const exposed = sub.options.has('expose') ? true : undefined
	// Standard input can be read once.
	let secrets: InstanceSecrets | undefined
	for (let left = 5; ; left -= 1) {
		const stored = store.find(id)
		const definition = await definitionOf(run, definitionFields(stored))
		secrets ??= await secretsOf(run)
		try {
			await store.save({id, revision: stored.revision, definition, secrets, exposed, confirm})
			return id
		} catch (error) {
			if (left === 0 || !hasCode(error, 'conflict')) throw error
		}
	}
}

/** What the operator set, without the store's additions. */
function definitionFields(stored: InstanceDefinition): Fields {
	const known = new Set(Object.keys(instanceDefinitionSchema.shape))
	return Object.fromEntries(Object.entries(stored).filter(([key]) => known.has(key)))
}

async function definitionOf(run: Run, base: Fields) {
	const {assigned, checkedDefinition} = await import('#gateway/instances/config-file/assign.ts')
	let definition = {...base, ...(await namedFields(run, base))}
	for (const text of valuesOf(run.sub, 'set')) {
		const [, key, value] = /^([^=]+)=(.*)$/s.exec(text) ?? []
		if (key === undefined || value === undefined) throw usage(`--set ${text} has no value`, 'write it like --set timeouts.firstByteS=60', 'set')
		definition = assigned(definition, key.trim(), value)
	}
	return checkedDefinition(definition)
}

/** Options with a name of their own. */
async function namedFields(run: Run, base: Fields): Promise<Fields> {
	const allow = valuesOf(run.sub, 'allow')
	return omitUndefined({
		listenPort: numberOption(run.sub, 'port', 1, 65_535),
		name: run.option('rename'),
		allow: allow.length === 0 ? undefined : allow.length === 1 && allow[0] === 'none' ? [] : allow,
		program: programOf(run),
		access: await accessOf(run, base)
	})
}

function programOf(run: Run): Fields | undefined {
	const command = valuesOf(run.sub, 'run')
	const folder = run.option('folder') ?? null
	if (command.length === 0 && folder !== null)
		throw usage('--folder belongs to --run', 'give the program too, or --set program.folder=DIR', 'folder')
	return command.length === 0 ? undefined : {kind: 'managed', command, folder}
}

async function accessOf({sub, option, host}: Run, base: Fields): Promise<Fields | undefined> {
	const file = option('authorities-file')
	const old = kindOf(base)
	const kind = option('access') ?? (file === undefined ? undefined : 'certificate')
	checkFits(kind ?? old, sub.options)
	if (kind === undefined) return undefined
	if (kind === 'certificate' && file === undefined && old !== 'certificate')
		throw usage('Access by certificate needs the authorities of the clients', 'give --authorities-file FILE', 'authorities-file')
	const kept = kind === old ? (base['access'] as Fields) : {} // `kindOf` found it to be one
	const authorities = file === undefined ? undefined : await host.files.read(file).catch(unreadable(file, 'authorities-file'))
	return {...kept, kind, ...omitUndefined({authorities})}
}

/** A secret that the access check would ignore is a mistake. */
function checkFits(kind: string | undefined, options: Run['sub']['options']) {
	const belongs = {'users-file': 'basic', 'tokens-file': 'bearer', 'signing-key-file': 'hmac', 'authorities-file': 'certificate'}
	for (const [name, wanted] of Object.entries(belongs))
		if (options.has(name) && kind !== wanted) throw usage(`--${name} belongs to --access ${wanted}`, `give --access ${wanted} too`, name)
}

function kindOf({access}: Fields) {
	const kind = typeof access === 'object' && access !== null && 'kind' in access ? access.kind : undefined
	return typeof kind === 'string' ? kind : undefined
}

async function secretsOf({option, host}: Run): Promise<InstanceSecrets> {
	const [users, tokens, key] = ['users-file', 'tokens-file', 'signing-key-file'].map(option)
	if ([users, tokens, key].filter(name => name === '-').length > 1)
		throw usage('Standard input can be read once', 'use files for the others', 'users-file')
	return {
		...(users !== undefined && {users: usersIn(await readSecretText(host, users, 'users-file', most))}),
		...(tokens !== undefined && {tokens: linesOf(await readSecretText(host, tokens, 'tokens-file', most))}),
		...(key !== undefined && {signingKey: await readSecretFile(host, key, 'signing-key-file')})
	}
}

/** The first colon ends the name: a password may contain more. */
function usersIn(text: string): readonly {name: string; password: string}[] & InstanceSecrets['users'] {
	return linesOf(text).map((line, index) => {
		const colon = line.indexOf(':')
		if (colon < 1 || colon === line.length - 1)
			throw usage(`Line ${index + 1} of the users is not NAME:PASSWORD`, 'write one user a line', 'users-file')
		return {name: line.slice(0, colon), password: line.slice(colon + 1)}
	})
}

function linesOf(text: string) {
	return text.split(/\r?\n/).filter(line => line.trim() !== '' && !line.startsWith('#'))
}
