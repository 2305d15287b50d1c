import {checkInput} from '#core/service/connections/input.ts'
import {exitCodeOf, hasCode, messageWithFix, reportError, usageError} from '#contract/errors.ts'
import {
	connectionsFileOf,
	isSealedFile,
	readConnectionsFile,
	type FiledConnection,
	thereAlready,
	type ImportedConnection
} from '#model/connections-file.ts'
import type {SubRun} from './session.ts'
import {usage} from './faults.ts'
import {unreadable} from './files.ts'
import {askSecret, readSecretFile} from './key.ts'
import {printObject} from './result.ts'

/** Standard output gets the file itself, with --json too. */
export async function exportConnections({host, option, output, session}: SubRun) {
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

export async function importConnections(run: SubRun) {
	const {sub, host} = run
	const [file = ''] = sub.words
	const text = await host.files.read(file).catch(unreadable(file, 'file'))
	const {results, exit} = isSealedFile(text) ? {results: await openSealed(run, text), exit: 1} : await importPlain(run, text)
	const added = results.filter(({outcome}) => outcome === 'added').length
	const code = results.some(({outcome}) => outcome === 'failed') ? exit : 0
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
	/** Why no further key is asked for. */
	let end: {message: string} | undefined
	let exit = 1
	for (const connection of read.connections) {
		const {name} = connection
		try {
			const there = thereAlready(run.session.profile.connections.list(), connection)
			results.push(there ?? (end === undefined ? await importOne(run, connection) : {name, outcome: 'failed', ...end}))
		} catch (error) {
			// What was added before is told too.
			const message = messageWithFix(error)
			results.push({name, outcome: 'failed', message})
			if (!hasCode(error, 'cancelled', 'secret_unavailable')) continue
			end = {message}
			exit = exitCodeOf(reportError(error).code)
		}
	}
	return {results, exit}
}

async function importOne({host, session}: SubRun, connection: FiledConnection): Promise<ImportedConnection> {
	const {name} = connection
	if (!host.stdin.isTTY)
		return {name, outcome: 'failed', message: 'Its key has to be typed, and there is no terminal to ask on: export it with its key, encrypted.'}
	checkInput({...connection, readOnly: true, apiKey: 'later'}, session.ports.clock.now())
	const apiKey = await askSecret(host, `API key of ${name} (it is not shown): `, 'seal-file')
	await session.profile.connections.add({...connection, readOnly: true, apiKey})
	return {name, outcome: 'added', message: 'Added, read-only.'}
}
