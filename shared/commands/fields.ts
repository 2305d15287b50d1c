/** A command as form fields: shown by the palette for commands without their own screen. */
import type {ArgKind, ArgSpec, CommandSpec} from './define.ts'

export type FormField = ReturnType<typeof fieldOf>

/** Required fields first, the main argument before all. */
export function fieldsOf(spec: CommandSpec): readonly FormField[] {
	return Object.entries(spec.args)
		.map(([name, arg]) => fieldOf(name, arg))
		.toSorted((left, right) => rank(spec, left) - rank(spec, right))
}

/** `connector_guid` in words: *Computer GUID*. */
function labelOf(name: string) {
	const known = labels[name]
	if (known !== undefined) return known
	const words = name
		.split('_')
		.map(word => acronyms[word] ?? word)
		.join(' ')
	return words.charAt(0).toUpperCase() + words.slice(1)
}

/** The format of an argument's value, in a few words. */
export function valueHint(arg: ArgSpec) {
	if (arg.choices !== undefined) return arg.choices.join(' | ')
	if (arg.kind === 'integer') return `${arg.min ?? 0}-${arg.max ?? ''}`
	return hints[arg.kind]
}

const labels: Readonly<Record<string, string>> = {q: 'Search for', connector_guid: 'Computer GUID', name: 'Name', hostname: 'Host name'}

const acronyms: Readonly<Record<string, string>> = {
	guid: 'GUID',
	ip: 'IP',
	sha256: 'SHA-256',
	mac: 'macOS',
	linux: 'Linux',
	windows: 'Windows',
	android: 'Android'
}

const hints: Readonly<Record<ArgKind, string>> = {
	guid: 'GUID',
	sha256: 'SHA-256',
	ipv4: 'IPv4',
	integer: 'number',
	text: 'text',
	date_time: 'ISO 8601 time',
	choice: 'choice',
	unlock_code: 'code'
}

function fieldOf(name: string, arg: ArgSpec) {
	return {
		name,
		label: labelOf(name),
		kind: arg.kind,
		required: arg.required,
		many: arg.many,
		/** Empty if any value of the kind is accepted. */
		choices: arg.choices ?? [],
		hint: arg.summary,
		complete: arg.complete ?? null,
		secret: arg.secret === true
	}
}

function rank(spec: CommandSpec, field: FormField) {
	if (field.name === spec.positional) return 0
	return field.required ? 1 : 2
}
