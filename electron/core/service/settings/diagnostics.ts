/**
 * What helps to find a defect, as text that a person reads before it leaves: versions, sizes, states and the program's
 * own last lines. Names, addresses, ids and everything that could be a key are taken out; nothing here reads a secret.
 */
import {redact, redactLine} from '#base/redact.ts'

interface DiagnosticFacts {
	at: string
	/** Versions, host, settings, states, sizes: names of connections must not be among them. */
	facts: Readonly<Record<string, unknown>>
	/** Newest last, as the program wrote them. */
	lines: readonly string[]
	/** Texts that identify a person, with their replacements. */
	names: readonly (readonly [text: string, placeholder: string])[]
}

export function diagnosticsText({at, facts, lines, names}: DiagnosticFacts) {
	const head = `Cordon diagnostics, ${at}\nRead it before you hand it on. Names, addresses, ids and keys were taken out.\n`
	const told = withoutNames(JSON.stringify(redact(facts), null, 2), names)
	const last = lines.map(line => anonymous(line, names))
	return `${head}\n${told}\n\nThe program's last ${last.length} lines\n${last.map(line => `${line}\n`).join('')}`
}

/** A line of the program log without names and possible secrets. */
export function anonymous(line: string, names: DiagnosticFacts['names']) {
	return (
		withoutNames(redactLine(line.trimEnd()), names)
			.replace(/\b(Basic|Bearer)\s+[\w+/=.~-]+/gi, '$1 <credentials>')
			.replace(/\b(password|passphrase|secret|token|key)(["']?\s*[:=]\s*["']?)[^\s"',}]+/gi, '$1$2<secret>')
			.replace(/\/\/[^\s/@"']+@/g, '//<credentials>@')
			.replace(/\b[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\b/gi, '<guid>')
			.replace(/\b(?:\d{1,3}\.){3}\d{1,3}\b/g, address => (address.startsWith('127.') ? address : '<address>'))
			.replace(/(?<![\w:.])(?:[\da-f]{0,4}:){2,7}[\da-f]{0,4}/gi, maskColons)
			.replace(/(ENOTFOUND |EAI_AGAIN |Host: |"host(?:name)?":")[^\s"]+/g, '$1<host>')
			// What it tells an operator names computers, targets and their receivers.
			.replace(/"notice":.*/, '"notice":"<notice>"}')
			.replace(/(?<![\w/.-])(?=[\w+=-]*\d)[\w+=-]{20,}(?![\w/])/g, '<token>')
	)
}

/** An IPv6 or MAC address; a time has two colons, and none side by side. */
function maskColons(text: string) {
	return text !== '::1' && (text.includes('::') || text.split(':').length > 5) ? '<address>' : text
}

/** Longest first, so that a name within another leaves no rest. */
function withoutNames(text: string, names: DiagnosticFacts['names']) {
	return names
		.filter(([name]) => name.length >= 2)
		.toSorted(([one], [other]) => other.length - one.length)
		.reduce((rest, [name, placeholder]) => rest.replace(anywhere(name), placeholder), text)
}

/** Short ones only as whole words. JSON writes some characters in another way. */
function anywhere(name: string) {
	const written = JSON.stringify(name).slice(1, -1)
	const either = [...new Set([name, written])].map(text => RegExp.escape(text)).join('|')
	return name.length < 4 ? new RegExp(`(?<![\\p{L}\\p{N}])(?:${either})(?![\\p{L}\\p{N}])`, 'giu') : new RegExp(either, 'gi')
}
