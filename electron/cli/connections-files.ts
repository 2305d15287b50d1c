import {checkInput} from '#core/service/connections/input.ts'
import {hasCode, reportError, usageError} from '#contract/errors.ts'
import {
	connectionsFileOf,
	isSealedFile,
	readConnectionsFile,
	type FiledConnection,
	thereAlready,
	type ImportedConnection,
} from '#model/connections-file.ts'
import type {SubRun} from './session.ts'
import {usage} from './faults.ts'
import {unreadable} from './files.ts'
import {askSecret, readSecretFile} from './key.ts'
import {printObject} from './result.ts'

/** Standard output gets the file itself, with --json too. */
export async function exportConnections({host, option, output, session}: SubRun): Promise<number> {
	const {connections} = session.profile
	const [file, reason] = ['seal-file', 'reason'].map(option)
	if (file === undefined) {
		output.file(connectionsFileOf(connections.list()))
		return 0
	}
	if (reason === undefined) throw usage('--seal-file needs --reason TEXT', 'say why the keys leave', 'reason')
	const seal = await readSecretFile(host, file, 'seal-file')
	output.file(await connections.exportSealed(seal, reason))
	return 0
}

export async function importConnections(run: SubRun): Promise<number> {
	const {sub, host} = run
	const [file = ''] = sub.words
	const text = await host.files.read(file).catch(unreadable(file, 'file'))
	const results = isSealedFile(text) ? await openSealed(run, text) : await importPlain(run, text)
	const added = results.filter(({outcome}) => outcome === 'added').length
	const code = Number(results.some(({outcome}) => outcome === 'failed'))
	const lines = results.map(({name, message}) => `${name}: ${message}`)
	return printObject(run, {file}, results, [...lines, `${added} of ${results.length} added.`].join('\n'), {code})
}

async function openSealed({host, option, session}: SubRun, text: string) {
	const file = option('seal-file')
	const seal =
		file === undefined
			? await askSecret(host, 'Passphrase of the file (it is not shown): ', 'seal-file')
			: await readSecretFile(host, file, 'seal-file')
	return await session.profile.connections.importSealed(text, seal)
}

async function importPlain(run: SubRun, text: string) {
	const read = readConnectionsFile(text)
	if (!read.ok) throw usageError(read.problem, 'file')
	const results: ImportedConnection[] = []
	for (const connection of read.connections) results.push(await importOne(run, connection))
	return results
}

async function importOne({host, session}: SubRun, connection: FiledConnection): Promise<ImportedConnection> {
	const {name} = connection
	const {connections} = session.profile
	const there = thereAlready(connections.list(), connection)
	if (there !== undefined) return there
	if (!host.stdin.isTTY)
		return {
			name,
			outcome: 'failed',
			message: 'Its key has to be typed, and there is no terminal to ask on: export it with its key, encrypted.',
		}
	try {
		checkInput({...connection, readOnly: true, apiKey: 'later'}, session.ports.clock.now())
		const apiKey = await askSecret(host, `API key of ${name} (it is not shown): `, 'seal-file')
		await connections.add({...connection, readOnly: true, apiKey})
		return {name, outcome: 'added', message: 'Added, read-only.'}
	} catch (error) {
		if (hasCode(error, 'cancelled')) throw error
		// What was added before is told too.
		return {name, outcome: 'failed', message: reportError(error).message}
	}
}
