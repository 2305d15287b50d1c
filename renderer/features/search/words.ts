import type {ActivityAnswer, ActivityComputer, ActivityOffer} from '#contract/search.ts'
import type {ActivityKind, Indicator, IndicatorKind} from '#model/indicator.ts'
import {counted, formatCount} from '#text/numbers.ts'
import {nouns} from '#text/terms.ts'

export const kindWords: Readonly<Record<IndicatorKind, string>> = {
	sha256: 'SHA-256',
	sha1: 'SHA-1',
	md5: 'MD5',
	ip: 'IPv4 address',
	network: 'Network',
	ipv6: 'IPv6 address',
	mac: 'MAC address',
	url: 'URL',
	domain: 'Domain',
	guid: 'GUID',
	file: 'File name',
	user: 'User',
	name: 'Name',
	text: 'Words'
}

/** Why the service cannot be queried for it, and an alternative; `null` when it can. */
export function adviceFor({kind}: Indicator, knowsSha256: boolean) {
	switch (kind) {
		case 'sha1':
		case 'md5':
			return knowsSha256
				? `The service searches by SHA-256 alone. Stored events give the SHA-256 of this file: open it below.`
				: `The service searches by SHA-256 alone, and no stored event gives one for this ${kindWords[kind]}. Look it up elsewhere, and search for the SHA-256.`
		case 'network':
			return 'The service is asked for one address at a time, not for a network.'
		case 'ipv6':
			return 'The service searches for IPv4 addresses alone.'
		case 'mac':
		case 'guid':
			return `The service does not search its activity for a ${kindWords[kind]}; local results are below.`
		case 'sha256':
		case 'ip':
		case 'url':
		case 'domain':
		case 'file':
		case 'user':
		case 'name':
		case 'text':
			return null
	}
}

export function questionWords(kind: ActivityKind, indicator: Indicator): string {
	if (kind === 'user') return 'Which computers has this user been on?'
	return indicator.kind === 'name' || indicator.kind === 'text'
		? 'Which computers have seen a file with this name?'
		: 'Which computers have seen it?'
}

/** The cost of a query: `1 call`, `1 to 10 calls`. */
export function priceOf({least, most}: Pick<ActivityOffer, 'least' | 'most'>) {
	if (most === null) return `${least} call or more`
	if (most === least) return `${counted(least, nouns.call)}`
	return `${least} to ${formatCount(most)} calls`
}

export function describeComputer(row: ActivityComputer) {
	return [
		row.hostname,
		row.silent ? 'no local events: no stored event names it' : 'stored events name it',
		row.group,
		row.active ? null : 'inactive'
	]
		.filter(part => part !== null)
		.join(', ')
}

/** Whether an answer stopped before its first computer: then nothing is known about who saw it. */
export function isNothingYet({phase, computers}: Pick<ActivityAnswer, 'phase' | 'computers'>) {
	return phase === 'partial' && computers.length === 0
}
