/** Converts typed input to a definition, or to its first problem. */
import {instanceDefinitionSchema, type Instance, type InstanceDefinition, type InstanceInput, type InstanceSecrets} from '#model/instance.ts'

import {linesOf} from '#ui/form.ts'
import {indicatorInputOf, webhookInputOf} from './builtin-draft.ts'
import {splitWords} from './command-words.ts'
import {numberFields, type Draft, type NumberField} from './draft.ts'
import {listInputOf} from './list-draft.ts'

export interface Problem {
	/** Path in the definition, such as `limits.body`, or `secrets.users`. */
	field: string
	message: string
}

type Reading = {kind: 'ok'; definition: InstanceDefinition; secrets: InstanceSecrets} | {kind: 'problem'; problem: Problem}

/** The input to send, or its first problem; core repeats the check. */
export function readDraft(draft: Draft, stored: Instance | null): Reading {
	const typed = typedProblem(draft) ?? secretsProblem(draft, stored)
	if (typed !== null) return {kind: 'problem', problem: typed}
	const parsed = instanceDefinitionSchema.safeParse(inputOf(draft, stored))
	if (parsed.success) return {kind: 'ok', definition: parsed.data, secrets: secretsOf(draft)}
	const [issue] = parsed.error.issues
	const field = issue?.path.map(String).join('.') ?? ''
	return {kind: 'problem', problem: {field, message: issueWords(issue?.code ?? '', issue?.message ?? '')}}
}

function inputOf(draft: Draft, stored: Instance | null): InstanceInput {
	const number = (field: NumberField) => Number(draft.numbers[field])
	return {
		name: draft.name.trim(),
		listenPort: draft.port === 'automatic' ? null : Number(draft.listenPort),
		host: draft.host,
		certificate: draft.certificate.trim(),
		program: programOf(draft),
		enabled: stored?.enabled ?? true,
		openPort: stored?.openPort ?? false,
		access: accessOf(draft),
		allow: linesOf(draft.allow),
		origins: linesOf(draft.origins),
		methods: draft.methods.trim() === '' ? null : [...wordsOf(draft.methods.toUpperCase())],
		limits: {
			body: number('limits.body'),
			head: number('limits.head'),
			ratePerSecond: number('limits.ratePerSecond'),
			burst: number('limits.burst'),
			concurrency: number('limits.concurrency'),
			queue: number('limits.queue')
		},
		timeouts: {
			connectS: number('timeouts.connectS'),
			firstByteS: number('timeouts.firstByteS'),
			idleS: number('timeouts.idleS'),
			minRate: number('timeouts.minRate')
		},
		...draft.switches,
		trailers: [...wordsOf(draft.trailers)],
		hostHeader: draft.hostHeader.trim(),
		serveStaleS: number('serveStaleS'),
		healthCheck: {path: draft.healthPath.trim(), intervalS: number('healthCheck.intervalS'), expect: wordsOf(draft.healthExpect).map(Number)}
	}
}

function programOf(draft: Draft): NonNullable<InstanceInput['program']> {
	if (draft.kind === 'external') return {kind: 'external'}
	if (draft.kind === 'indicators') return {kind: 'builtin', builtin: indicatorInputOf(draft.indicators)}
	if (draft.kind === 'webhook') return {kind: 'builtin', builtin: webhookInputOf(draft.webhook)}
	if (draft.kind === 'list') return {kind: 'builtin', builtin: listInputOf(draft.list)}
	return {
		kind: 'managed',
		command: [...(splitWords(draft.command) ?? [])],
		folder: draft.folder.trim() === '' ? null : draft.folder.trim(),
		environment: Object.fromEntries(
			linesOf(draft.environment).map(line => {
				const at = line.indexOf('=')
				return [line.slice(0, at).trim(), line.slice(at + 1)]
			})
		)
	}
}

function accessOf(draft: Draft): NonNullable<InstanceInput['access']> {
	switch (draft.access) {
		case 'none':
			return {kind: 'none'}
		case 'basic':
			return {kind: 'basic', realm: draft.realm}
		case 'bearer':
			return {kind: 'bearer', header: draft.header.trim()}
		case 'hmac':
			return {kind: 'hmac', preset: draft.preset, toleranceS: Number(draft.toleranceS)}
		case 'certificate':
			return {kind: 'certificate', authorities: draft.authorities.trim(), names: linesOf(draft.names)}
	}
}

function secretsOf(draft: Draft): InstanceSecrets {
	const users = typedUsers(draft)
	if (draft.access === 'basic' && users.length > 0) return {users}
	if (draft.access === 'bearer' && draft.token !== '') return {tokens: [draft.token]}
	if (draft.access === 'hmac' && draft.signingKey !== '') return {signingKey: draft.signingKey}
	return {}
}

function typedUsers({users}: Draft) {
	return users.filter(({name, password}) => name !== '' || password !== '').map(({name, password}) => ({name, password}))
}

/** Input that cannot become a definition. */
function typedProblem(draft: Draft): Problem | null {
	if (draft.name.trim() === '') return {field: 'name', message: 'Give it a name: it is part of the address.'}
	if (draft.port === 'given' && !/^\d{1,5}$/.test(draft.listenPort.trim()))
		return {field: 'listenPort', message: 'Type a port between 1 and 65535.'}
	const number = numberFields.find(field => !isNumber(draft.numbers[field]))
	if (number !== undefined) return {field: number, message: 'Type a number.'}
	if (draft.access === 'hmac' && !isNumber(draft.toleranceS)) return {field: 'access.toleranceS', message: 'Type a number of seconds.'}
	if (draft.kind !== 'managed') return null
	const words = splitWords(draft.command)
	if (words === null) return {field: 'program.command', message: 'A quote is not closed.'}
	if (words.length === 0) return {field: 'program.command', message: 'Type the command that Cordon shall start.'}
	const line = linesOf(draft.environment).find(each => !/^[A-Za-z_][A-Za-z0-9_]*=/.test(each.trim()))
	return line === undefined ? null : {field: 'program.environment', message: `“${line}” is not NAME=value.`}
}

/** Access control that nobody could pass, unless stored. */
function secretsProblem(draft: Draft, stored: Instance | null): Problem | null {
	const kept = stored?.access.kind === draft.access ? stored.secrets : null
	if (draft.access === 'basic') {
		const users = typedUsers(draft)
		const half = users.find(({name, password}) => name === '' || password === '')
		if (half !== undefined) return {field: 'secrets.users', message: 'Each user needs a name and a password.'}
		if (users.some(({name}) => name.includes(':')))
			return {field: 'secrets.users', message: 'The name of a user cannot hold a colon; a password can.'}
		if (users.length === 0 && (kept?.users.length ?? 0) === 0) return {field: 'secrets.users', message: 'Give at least one user.'}
	}
	if (draft.access === 'bearer') {
		if (draft.token !== '' && draft.token.length < 16) return {field: 'secrets.tokens', message: 'A token has 16 characters or more.'}
		if (draft.token === '' && (kept?.tokens ?? 0) === 0) return {field: 'secrets.tokens', message: 'Type a token or generate one.'}
	}
	if (draft.access === 'hmac' && draft.signingKey === '' && kept?.signingKey !== true)
		return {field: 'secrets.signingKey', message: 'Paste the signing key of the sender.'}
	return null
}

function issueWords(code: string, message: string) {
	// The schema's own texts continue "The value …"; those of the library are already sentences.
	return code === 'custom' || /^(is|has|holds) /.test(message) ? `The value ${message}.` : `${message}.`
}

function isNumber(text: string) {
	return /^\d+(\.\d+)?$/.test(text.trim())
}

function wordsOf(text: string) {
	return text.split(/[\s,]+/).filter(word => word !== '')
}
