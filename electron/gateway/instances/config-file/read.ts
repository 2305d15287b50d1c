import {basename, dirname, resolve} from 'node:path'

import {CordonError, invalidArgument} from '#contract/errors.ts'
import {isRecord} from '#shared/is-record.ts'
import {exposureOf, instanceOfKey, parameterProblem, readParameters, type ServerParameters} from '#model/server-parameter.ts'
import {isLoopback} from '../../forwarder/access/addresses.ts'
import {defaultLimits} from '../../forwarder/limits.ts'
import type {Credentials, ServerLimits} from '../../forwarder/types.ts'
import {readDocument, type ReadDocument, shownPath} from './document.ts'
import {type FileOwner, readProblem, readWithOwner} from './owner-only.ts'
import {type FileInstanceValue, forwardFileSchema, type ForwardFileValue, publicAccess} from './schema.ts'
import {accessRule, type SecretSource, serverCredentials} from './secrets.ts'
import type {FileInstance, FileListen, FileProblem, ForwardFile} from './types.ts'
import {problemsIn} from './words.ts'

type Path = readonly (string | number)[]

const most = 8_388_608

interface ReadOptions {
	owner: FileOwner
	/** In the form of the access check: `scrypt$…`. */
	hashPassword(password: string): Promise<string>
	/** Checks certificate and key of the server; throws `bad_certificate`. */
	checkCredentials?(credentials: Credentials): void
}

/** Reads and checks the whole file. Throws `invalid_argument` with all faults in `details.problems`. */
export async function readForwardFile(path: string, options: ReadOptions): Promise<ForwardFile> {
	const {bytes, exposed} = await readWithOwner(path, options.owner, most).catch((error: unknown) => {
		throw invalidArgument(`${path} ${readProblem(error)}.`, 'config')
	})
	const problems: FileProblem[] = []
	const text = textOf(bytes, path)
	const document = readDocument(text)
	const tell = (at: Path, problem: string, fix: string) => void problems.push({line: document.lineOf(at), key: shownPath(at), problem, fix})
	const value = parse(document, problems, tell)
	if (value === undefined) throw refusal(path, [...document.problems, ...problems])
	const source: SecretSource = {...options, folder: dirname(resolve(path)), exposed, tell}
	const file = await assemble(value, document, source, options)
	if (problems.length > 0) throw refusal(path, problems)
	return file
}

/** Problems as text, one per line: `cordon.yaml:4: instances[0].listnPort is not known: did you mean listenPort?` */
export function problemLines(file: string, problems: readonly FileProblem[]): readonly string[] {
	return problems
		.toSorted((left, right) => left.line - right.line)
		.map(({line, key, problem, fix}) => `${basename(file)}:${line}: ${key === '' ? '' : `${key} `}${problem}: ${fix}.`.replace(/\?\.$/, '?'))
}

function textOf(bytes: Buffer, path: string) {
	try {
		return new TextDecoder('utf-8', {fatal: true}).decode(bytes)
	} catch {
		throw invalidArgument(`${path} is not UTF-8 text.`, 'config')
	}
}

function refusal(file: string, problems: readonly FileProblem[]) {
	const lines = problemLines(file, problems)
	const count = lines.length === 1 ? 'one mistake' : `${lines.length} mistakes`
	return new CordonError('invalid_argument', `The configuration has ${count}; nothing was changed.\n${lines.join('\n')}`, {
		field: problems[0]?.key ?? 'config',
		problems: problems.toSorted((left, right) => left.line - right.line)
	})
}

type Tell = (path: Path, problem: string, fix: string) => void

/** `undefined` for an unusable document. */
function parse(document: ReadDocument, problems: FileProblem[], tell: Tell) {
	// One syntax problem would cause many problems of values.
	if (document.problems.length > 0) return undefined
	if (document.value === undefined || document.value === null) {
		problems.push({line: 1, key: '', problem: 'the file is empty', fix: 'begin with instances:'})
		return undefined
	}
	const value = withWrittenParameters(document, tell)
	const {success, data, error} = forwardFileSchema.safeParse(value)
	if (success) return problems.length > 0 ? undefined : data
	for (const {path, problem, fix} of problemsIn(error, forwardFileSchema, value, document.writtenAt)) tell(path, problem, fix)
	return undefined
}

/** Parameters are texts: `forward.platformVersion: 6.10` means 6.10, not the number 6.1. */
function withWrittenParameters(document: ReadDocument, tell: Tell) {
	const {value} = document
	if (!isRecord(value) || !isRecord(value['parameters'])) return value
	const entries = Object.entries(value['parameters']).map(([key, given]): readonly [string, unknown] => {
		const path = ['parameters', key]
		const text = typeof given === 'boolean' ? String(given) : typeof given === 'number' ? document.writtenAt(path) : given
		if (typeof text === 'string') {
			const problem = parameterProblem(key, text)
			if (problem !== null) tell(path, ...partsOf(key, problem))
		}
		return [key, text]
	})
	return {...value, parameters: Object.fromEntries(entries)}
}

/** The parameter's own message already names the key. */
function partsOf(key: string, sentence: string): readonly [problem: string, fix: string] {
	const plain = sentence.replace(/\.$/, '')
	if (plain.startsWith(`${key} must be `)) return ['has a value that it cannot have', `it ${plain.slice(key.length + 1)}`]
	const [problem = '', hint] = plain.split(/\.\s/)
	const fix = hint ?? 'correct it'
	return [problem.startsWith('There is no') ? 'is not known' : `cannot be: ${problem}`, fix.charAt(0).toLowerCase() + fix.slice(1)]
}

async function assemble(value: ForwardFileValue, document: ReadDocument, source: SecretSource, options: ReadOptions): Promise<ForwardFile> {
	const parameters = normalised(value.parameters)
	const warnings: FileProblem[] = []
	const warn: Tell = (at, problem, fix) => void warnings.push({line: document.lineOf(at), key: shownPath(at), problem, fix})
	const listen = await listenOf(value, parameters, source, options)
	const told = {tell: source.tell, warn, lineOf: document.lineOf, has: document.has}
	checkInstances(value, parameters, told)
	checkListen(value, listen, parameters, told)
	const instances: FileInstance[] = []
	for (const [index, instance] of value.instances.entries()) instances.push(await instanceOf(instance, ['instances', index], source))
	return {parameters, instances, listen, warnings}
}

/** Names of instances are compared in NFC, and so are keys that contain them. */
function normalised(parameters: ServerParameters) {
	return Object.fromEntries(Object.entries(parameters).map(([key, value]) => [key.normalize('NFC'), value]))
}

async function instanceOf(value: FileInstanceValue, path: Path, source: SecretSource): Promise<FileInstance> {
	const access = await accessRule(value.access, [...path, 'access'], source)
	const authorities = access.kind === 'certificate' ? access.authorities : ''
	return {definition: {...value, access: publicAccess(value.access, authorities)}, access}
}

async function listenOf(
	{listen, instances}: ForwardFileValue,
	parameters: ServerParameters,
	source: SecretSource,
	{checkCredentials}: ReadOptions
): Promise<FileListen> {
	const {settings} = readParameters(
		parameters,
		instances.map(({name}) => name)
	)
	const said = parameters['forward.listen'] === undefined ? undefined : settings.listen
	const path = ['listen', 'certificate']
	const credentials = listen.certificate === undefined ? null : await serverCredentials(listen.certificate, path, source)
	if (credentials !== null && checkCredentials !== undefined) told(() => checkCredentials(credentials), path, source)
	const folder = source.folder
	return {
		host: listen.host ?? said?.host ?? null,
		port: listen.port ?? said?.port ?? null,
		lan: listen.lan || settings.lan,
		hostnames: [...new Set([...listen.hostnames, ...settings.hostnames])],
		trustedProxies: [...new Set([...listen.trustedProxies, ...settings.trustedProxies])],
		credentials,
		certificate:
			listen.certificate === undefined
				? null
				: {certificateFile: resolve(folder, listen.certificate.certificateFile), keyFile: resolve(folder, listen.certificate.keyFile)},
		metricsPort: listen.metricsPort,
		limits: limitsOf(listen.limits),
		log: listen.log
	}
}

function limitsOf(given: Readonly<Record<string, number | undefined>>): ServerLimits {
	const set = Object.entries(given).filter(([, value]) => value !== undefined)
	return {...defaultLimits, ...Object.fromEntries(set)}
}

function told(check: () => void, path: Path, {tell}: SecretSource) {
	try {
		check()
	} catch (error) {
		tell(
			path,
			`cannot be used (${error instanceof Error ? error.message.replace(/\.$/, '') : String(error)})`,
			'give a certificate and its key, in PEM form'
		)
	}
}

/** Checks across values: colliding instances, an impossible exposure, a port of the server. */
interface Told {
	tell: Tell
	warn: Tell
	lineOf(path: Path): number
	/** Whether it is in the file, not a default. */
	has(path: Path): boolean
}

function checkInstances(value: ForwardFileValue, parameters: ServerParameters, told: Told) {
	const names = value.instances.map(({name}) => name)
	tellTwice(names, names, 'name', told)
	tellTwice(
		value.instances.map(({listenPort}) => listenPort),
		names,
		'listenPort',
		told
	)
	warnOfCase(names, told)
	for (const key of Object.keys(parameters)) {
		const name = instanceOfKey(key)
		if (name !== null && !names.includes(name))
			told.warn(
				['parameters', key],
				'names no instance of this file',
				`names are case-sensitive; there are ${names.slice(0, 10).join(', ') || 'none'}`
			)
	}
	for (const [index, instance] of value.instances.entries()) {
		const here = ['instances', index]
		const {exposed, key} = exposureOf(parameters, instance.name)
		if (exposed && instance.certificate !== '')
			told.tell(
				[...here, 'certificate'],
				`must be empty, because ${key} leads the route to plain HTTP`,
				'remove it, or do not expose the instance'
			)
		checkSources(instance, here, told)
	}
}

function checkSources(instance: ForwardFileValue['instances'][number], here: Path, {tell}: Told) {
	if (instance.program.kind !== 'builtin') return
	const {builtin} = instance.program
	const at = [...here, 'program', 'builtin']
	if (builtin.service === 'webhook') return tell([...at, 'service'], 'needs the console', 'run the instance in the console')
	const lists =
		builtin.service === 'list'
			? [{path: [...at, 'sources'], sources: builtin.sources}]
			: builtin.collections.map(({sources}, place) => ({path: [...at, 'collections', place, 'sources'], sources}))
	for (const [path, index, source] of lists.flatMap(({path, sources}) => sources.map((one, place) => [path, place, one] as const)))
		if (source.kind === 'file_list')
			tell(
				[...path, index, 'kind'],
				'needs a connection, which only the console has',
				'use file or text here, or run the instance in the console'
			)
}

function tellTwice(values: readonly (string | number)[], names: readonly string[], key: string, {tell, lineOf}: Told) {
	const first = new Map<string | number, number>()
	for (const [index, value] of values.entries()) {
		const before = first.get(value)
		if (before === undefined) first.set(value, index)
		else
			tell(
				['instances', index, key],
				`${JSON.stringify(value)} is taken by the instance ${names[before]} in line ${lineOf(['instances', before, key])}`,
				'choose another'
			)
	}
}

function warnOfCase(names: readonly string[], {warn}: Told) {
	const first = new Map<string, string>()
	for (const [index, name] of names.entries()) {
		const other = first.get(name.toLowerCase())
		if (other !== undefined && other !== name)
			warn(['instances', index, 'name'], `differs from ${other} by case only`, 'choose names that nobody mixes up')
		first.set(name.toLowerCase(), other ?? name)
	}
}

function checkListen(value: ForwardFileValue, listen: FileListen, parameters: ServerParameters, told: Told) {
	const loopback = listen.host === null || isLoopback(listen.host)
	if (!loopback && !listen.lan) told.tell(['listen', 'host'], 'is reached from the network', 'add lan: true beside it, or listen on 127.0.0.1')
	const ports = [
		{path: ['listen', 'port'], port: listen.port, what: 'the server itself'},
		{path: ['listen', 'metricsPort'], port: listen.metricsPort, what: 'the metrics'}
	]
	for (const {path, port, what} of ports)
		for (const [index, instance] of value.instances.entries())
			if (port === instance.listenPort)
				told.tell(['instances', index, 'listenPort'], `${port} is the port of ${what} (line ${told.lineOf(path)})`, 'choose another')
	if (listen.port !== null && listen.port !== 0 && listen.port === listen.metricsPort)
		told.tell(['listen', 'metricsPort'], 'is the port of the server itself', 'choose another')
	if (parameters['forward.enabled'] === 'false')
		told.warn(['parameters', 'forward.enabled'], 'has no effect here', 'this command runs the server because it was asked to')
	if (listen.lan) tellOpenAccess(value, parameters, told)
}

/** Settings that need a typed confirmation in the console must be explicit in the file. */
function tellOpenAccess(value: ForwardFileValue, parameters: ServerParameters, {tell, has}: Told) {
	for (const [index, {name, access, allow}] of value.instances.entries()) {
		const path = ['instances', index, 'access']
		if (access.kind !== 'none' || allow.length > 0 || has(path) || !exposureOf(parameters, name).exposed) continue
		tell(
			path,
			'is missing, and everyone on the network could use the instance',
			'choose one, or write access: {kind: none} to say that it is meant'
		)
	}
}
