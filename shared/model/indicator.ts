/**
 * Typed or pasted search text: hashes, addresses, URLs, file names, users, computers, in the forms used by reports. Pure, so that
 * page and core parse it alike.
 */
import {isGuid, isIpv4, isSha256} from './formats.ts'

const indicatorKinds = ['sha256', 'sha1', 'md5', 'ip', 'network', 'ipv6', 'mac', 'url', 'domain', 'guid', 'file', 'user', 'name', 'text'] as const
export type IndicatorKind = (typeof indicatorKinds)[number]

export interface Indicator {
	readonly kind: IndicatorKind
	/** The searched form: without defanging, quotes and a `sha256:` prefix, hashes in lower case. */
	readonly value: string
	/** It was defanged, so that nobody follows it by accident. */
	readonly wasDefanged: boolean
}

/** `null` without anything to search for. */
export function readIndicator(typed: string): Indicator | null {
	const plain = unwrapped(typed)
	const fanged = fangedOf(plain)
	if (!/[\p{L}\p{N}]/u.test(fanged)) return null
	const wasDefanged = fanged !== plain
	const {kind, value} = formOf(fanged)
	return {kind, value, wasDefanged}
}

/** Removes surrounding blanks, quotation marks, brackets and zero-width characters from copying. */
function unwrapped(typed: string) {
	const text = typed.replaceAll(/[\u200b-\u200d\u2060\ufeff]/g, '').trim()
	const inner = /^(?:"(.*)"|'(.*)'|`(.*)`|<(.*)>|“(.*)”)$/su.exec(text)
	return (inner?.slice(1).find(part => part !== undefined) ?? text).trim()
}

/** `hxxps[:]//bad[.]example(.)com`, `user[@]example[dot]com`: the original form. */
function fangedOf(text: string) {
	return text
		.replaceAll(/\s*[[({]\s*(?:\.|dot)\s*[\])}]\s*/gi, '.')
		.replaceAll(/\s*[[({]\s*(?:@|at)\s*[\])}]\s*/gi, '@')
		.replaceAll(/[[({]:\/\/[\])}]/g, '://')
		.replaceAll(/[[({]:[\])}]/g, ':')
		.replaceAll(/[[({]\/[\])}]/g, '/')
		.replace(/^(?:hxxp|hXXp|h\*\*p|htxp|meow)(s?)(?=:)/i, 'http$1')
		.replace(/^fxp(s?)(?=:)/i, 'ftp$1')
		.replaceAll(/(?<=[\da-z])\\\.(?=[\da-z])/gi, '.')
}

interface Form {
	kind: IndicatorKind
	value: string
}

function formOf(text: string): Form {
	const bare = text.replace(/^(?:sha-?256|sha-?1|md5)\s*[:=]\s*/i, '')
	const hash = hashKind(bare)
	if (hash !== null) return {kind: hash, value: bare.toLowerCase()}
	if (isGuid(bare)) return {kind: 'guid', value: bare.toLowerCase()}
	return addressForm(text) ?? webForm(text) ?? nameForm(text)
}

function hashKind(text: string) {
	if (isSha256(text)) return 'sha256'
	if (/^[0-9a-f]{40}$/i.test(text)) return 'sha1'
	return /^[0-9a-f]{32}$/i.test(text) ? 'md5' : null
}

function addressForm(text: string): Form | null {
	const [, address = '', width, port] = /^([\d.]+)(?:\/(\d{1,2}))?(?::(\d{1,5}))?$/.exec(text) ?? []
	if (isIpv4(address)) {
		if (width === undefined) return {kind: 'ip', value: address}
		if (port === undefined && Number(width) <= 32) return {kind: 'network', value: `${address}/${width}`}
	}
	if (/^(?:[0-9a-f]{2}([:-])(?:[0-9a-f]{2}\1){4}[0-9a-f]{2}|(?:[0-9a-f]{4}\.){2}[0-9a-f]{4})$/i.test(text))
		return {kind: 'mac', value: text.toLowerCase()}
	const six = text.replace(/^\[([^\]]+)\](?::\d+)?$/, '$1')
	if (/^[0-9a-f:]*:[0-9a-f:]*:[0-9a-f:.]*$/i.test(six) && /[0-9a-f]/i.test(six)) return {kind: 'ipv6', value: six.toLowerCase()}
	return null
}

function webForm(text: string): Form | null {
	if (/^[a-z][a-z0-9+.-]*:\/\/\S+$/i.test(text)) return {kind: 'url', value: text}
	const domain = /^(?:[a-z0-9_](?:[a-z0-9_-]*[a-z0-9])?\.)+([a-z]{2,24})(:\d{1,5})?(\/\S*)?$/i.exec(text)
	if (domain === null) return null
	const [, ending = '', port, path] = domain
	if (port !== undefined || path !== undefined) return {kind: 'url', value: text}
	if (fileEndings.has(ending.toLowerCase())) return null
	// `first.last` is a common user name.
	const isCertain = text.split('.').length > 2 || ending.length === 2 || domainEndings.has(ending.toLowerCase())
	return isCertain ? {kind: 'domain', value: text.toLowerCase()} : null
}

const domainEndings: ReadonlySet<string> = new Set(
	(
		'com net org info biz edu gov mil int name pro mobi arpa onion local lan internal example invalid test ' +
		'xyz top online site website space store shop club icu app dev cloud live link click work vip fun buzz life world ' +
		'today host press tech agency email network solutions services support digital systems bank'
	).split(' ')
)

/** File extensions that are no top-level domains anyone would search for. */
const fileEndings: ReadonlySet<string> = new Set(
	(
		'exe dll sys scr msi msu cab ocx cpl drv bin dat ini log tmp bak lnk iso img vhd zip rar gz tar tgz xz ' +
		'ps psm psd ps1 bat cmd vbs vbe js jse wsf hta jar class py rb pl sh elf so dylib dmg pkg app apk ipa deb rpm ' +
		'doc docx docm dot dotm rtf xls xlsx xlsm xlsb ppt pptx pptm pdf txt csv xml json html htm eml msg chm one torrent'
	).split(' ')
)

function nameForm(text: string): Form {
	const path = /^(?:[a-z]:[\\/]|\\\\|\/|~\/|%\w+%[\\/]).*?([^\\/]+)$/i.exec(text)
	if (path?.[1] !== undefined) return {kind: 'file', value: path[1]}
	if (/^[^\s@\\]+@[^\s@\\]+$/.test(text) || /^[^\s\\/:]+\\[^\\/:]+$/.test(text)) return {kind: 'user', value: text}
	const ending = /^[^\\/:*?"<>|]+\.([a-z0-9]{1,7})$/i.exec(text)?.[1]?.toLowerCase()
	if (ending !== undefined && fileEndings.has(ending)) return {kind: 'file', value: text}
	return {kind: /\s/.test(text) ? 'text' : 'name', value: text}
}

/** Defangs an address, URL or user; anything else is unchanged. */
export function defanged(text: string) {
	return text
		.replaceAll(/\bhttp(s?):\/\//gi, 'hxxp$1://')
		.replaceAll(/\b(\d{1,3})\.(\d{1,3})\.(\d{1,3})\.(\d{1,3})\b/g, '$1[.]$2[.]$3[.]$4')
		.replaceAll(/(hxxps?:\/\/)([^/\s]+)/gi, (_all, scheme: string, host: string) => scheme + host.replaceAll(/(?<!\[)\.(?!\])/g, '[.]'))
}

/** Possible queries to the service: computers that saw it, or on which a user was. */
export type ActivityKind = 'activity' | 'user'

export function askableAs({kind}: Indicator): readonly ActivityKind[] {
	switch (kind) {
		case 'sha256':
		case 'ip':
		case 'url':
		case 'domain':
		case 'file':
			return ['activity']
		case 'user':
			return ['user']
		// A single word may be a file without an extension, or a user.
		case 'name':
		case 'text':
			return ['activity', 'user']
		case 'sha1':
		case 'md5':
		case 'network':
		case 'ipv6':
		case 'mac':
		case 'guid':
			return []
	}
}
