/** The content of an instance's form, from a definition. Numbers are strings until sent. */
import {instanceDefinitionSchema, type Access, type AccessKind, type Instance, type InstanceDefinition} from '#model/instance.ts'

import {emptyIndicators, emptyWebhook, indicatorDraftOf, webhookDraftOf, type IndicatorDraft, type WebhookDraft} from './builtin-draft.ts'
import {joinWords} from './command-words.ts'
import {emptyList, listDraftOf, type ListDraft} from './list-draft.ts'

export interface Draft {
	name: string
	kind: 'external' | 'managed' | 'list' | 'indicators' | 'webhook'
	command: string
	folder: string
	/** `NAME=value`, one per line. */
	environment: string
	list: ListDraft
	indicators: IndicatorDraft
	webhook: WebhookDraft
	port: 'automatic' | 'given'
	listenPort: string
	host: InstanceDefinition['host']
	certificate: string
	isExposed: boolean
	access: AccessKind
	realm: string
	header: string
	preset: Extract<Access, {kind: 'hmac'}>['preset']
	toleranceS: string
	authorities: string
	names: string
	/** New secrets; empty ones keep the stored ones. */
	users: readonly {row: number; name: string; password: string}[]
	token: string
	signingKey: string
	allow: string
	origins: string
	methods: string
	trailers: string
	numbers: Readonly<Record<NumberField, string>>
	switches: Readonly<Record<SwitchField, boolean>>
	hostHeader: string
	healthPath: string
	healthExpect: string
}

/** Paths in the definition with typed numbers. */
export const numberFields = [
	'limits.body',
	'limits.head',
	'limits.ratePerSecond',
	'limits.burst',
	'limits.concurrency',
	'limits.queue',
	'timeouts.connectS',
	'timeouts.firstByteS',
	'timeouts.idleS',
	'timeouts.minRate',
	'serveStaleS',
	'healthCheck.intervalS'
] as const
export type NumberField = (typeof numberFields)[number]

const switchFields = ['websocket', 'stripAuthorization', 'rewriteLocation', 'scopeCookies', 'forwarded', 'webInterface', 'singleFlight'] as const
export type SwitchField = (typeof switchFields)[number]

const plain = instanceDefinitionSchema.parse({name: 'new'})

export const emptyDraft: Draft = {...draftOf({...plain, name: ''}), listenPort: ''}

/** A new instance that publishes a file list of the service. */
export function publishing({connection, list, name}: Readonly<Record<'connection' | 'list' | 'name', string>>): Draft {
	const source: ListDraft = {...emptyList, type: 'sha256', connection, fileLists: list}
	const short = name
		.toLowerCase()
		.replace(/[^a-z0-9]+/g, '-')
		.replace(/^-|-$/g, '')
	return {...emptyDraft, name: short, kind: 'list', list: source, port: 'automatic'}
}

/** A definition in the form; `listenPort` of a stored instance is always set. */
export function draftOf(from: InstanceDefinition | Instance): Draft {
	const {program, access, healthCheck} = from
	return {
		name: from.name,
		kind: program.kind === 'builtin' ? program.builtin.service : program.kind,
		command: program.kind === 'managed' ? joinWords(program.command) : '',
		folder: program.kind === 'managed' ? (program.folder ?? '') : '',
		environment:
			program.kind === 'managed'
				? Object.entries(program.environment)
						.map(([name, value]) => `${name}=${value}`)
						.join('\n')
				: '',
		...builtinDrafts(program),
		port: 'given',
		listenPort: from.listenPort === null ? '' : String(from.listenPort),
		host: from.host,
		certificate: from.certificate,
		isExposed: false,
		access: access.kind,
		realm: access.kind === 'basic' ? access.realm : 'Cordon',
		header: access.kind === 'bearer' ? access.header : 'Authorization',
		preset: access.kind === 'hmac' ? access.preset : 'slack',
		toleranceS: access.kind === 'hmac' ? String(access.toleranceS) : '300',
		authorities: access.kind === 'certificate' ? access.authorities : '',
		names: access.kind === 'certificate' ? access.names.join('\n') : '',
		users: [{row: 0, name: '', password: ''}],
		token: '',
		signingKey: '',
		allow: from.allow.join('\n'),
		origins: from.origins.join('\n'),
		methods: from.methods?.join(' ') ?? '',
		trailers: from.trailers.join(' '),
		numbers: numbersOf(from),
		switches: switchesOf(from),
		hostHeader: from.hostHeader,
		healthPath: healthCheck.path,
		healthExpect: healthCheck.expect.join(' ')
	}
}

function builtinDrafts(program: InstanceDefinition['program']): Pick<Draft, 'list' | 'indicators' | 'webhook'> {
	const builtin = program.kind === 'builtin' ? program.builtin : null
	return {
		list: builtin?.service === 'list' ? {...emptyList, ...listDraftOf(builtin)} : emptyList,
		indicators: builtin?.service === 'indicators' ? indicatorDraftOf(builtin) : emptyIndicators,
		webhook: builtin?.service === 'webhook' ? webhookDraftOf(builtin) : emptyWebhook
	}
}

function numbersOf({limits, timeouts, serveStaleS, healthCheck}: InstanceDefinition): Draft['numbers'] {
	return {
		'limits.body': String(limits.body),
		'limits.head': String(limits.head),
		'limits.ratePerSecond': String(limits.ratePerSecond),
		'limits.burst': String(limits.burst),
		'limits.concurrency': String(limits.concurrency),
		'limits.queue': String(limits.queue),
		'timeouts.connectS': String(timeouts.connectS),
		'timeouts.firstByteS': String(timeouts.firstByteS),
		'timeouts.idleS': String(timeouts.idleS),
		'timeouts.minRate': String(timeouts.minRate),
		serveStaleS: String(serveStaleS),
		'healthCheck.intervalS': String(healthCheck.intervalS)
	}
}

function switchesOf(from: InstanceDefinition): Draft['switches'] {
	const {websocket, stripAuthorization, rewriteLocation, scopeCookies, forwarded, webInterface, singleFlight} = from
	return {websocket, stripAuthorization, rewriteLocation, scopeCookies, forwarded, webInterface, singleFlight}
}
