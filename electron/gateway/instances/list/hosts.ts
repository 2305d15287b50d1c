/** Names of hosts as firewalls compare them: lower case, Punycode, `*` for a whole label. */
import {domainToASCII} from 'node:url'

/** A name without a leading `*.`, or why it is invalid. */
type HostName = {name: string; wildcard: boolean; problem?: undefined} | {problem: string}

/** Second-level labels of country registries, as in `co.uk`. */
const registryLabels = new Set(['ac', 'co', 'com', 'edu', 'gov', 'ne', 'net', 'or', 'org'])

/** A domain, or `*.` and a domain. Whole top-level domains are refused: a list that blocks them is a mistake. */
export function parseHostName(text: string): HostName {
	const wildcard = text.startsWith('*.')
	const plain = (wildcard ? text.slice(2) : text).replace(/\.$/, '')
	const name = asciiName(plain)
	const problem = nameProblem(name)
	return problem === null ? {name, wildcard} : {problem}
}

/** Lower case; Punycode for other letters. Empty if impossible. */
export function asciiName(text: string) {
	return /^[\x00-\x7f]*$/.test(text) ? text.toLowerCase() : domainToASCII(text)
}

function nameProblem(name: string) {
	if (name === '') return 'is not a domain'
	if (name.length > 253) return 'is longer than 253 characters'
	const labels = name.split('.')
	if (!labels.every(isLabel)) return 'is not a domain'
	if (/^\d+$/.test(labels.at(-1) ?? '')) return 'is an address, not a domain'
	return isSuffix(labels) ? 'is a whole top-level domain' : null
}

function isLabel(label: string) {
	return label.length <= 63 && /^[a-z0-9_](?:[a-z0-9_-]*[a-z0-9_])?$/.test(label)
}

/** No public suffix list, only the most harmful cases: `com`, `co.uk`. */
function isSuffix(labels: readonly string[]) {
	const [first = '', second = ''] = labels
	if (labels.length === 1) return true
	return labels.length === 2 && second.length === 2 && registryLabels.has(first) && first !== second
}
