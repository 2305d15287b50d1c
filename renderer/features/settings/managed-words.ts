import type {ManagedView} from '#model/managed.ts'

/** Managed settings as names and words; only the file when there are none. */
export function heldFacts({path, settings, guards, connections}: ManagedView): {name: string; value: string}[] {
	const {servers, readOnly, verified, keysStay} = connections
	const held = [
		...(readOnly ? ['read-only'] : []),
		...(verified ? ['certificates are verified'] : []),
		...(keysStay ? ['keys are not exported'] : []),
	]
	return [
		{name: 'File', value: path ?? 'Not configured'},
		...(settings.length === 0 ? [] : [{name: 'Settings', value: settings.map(spaced).join(', ')}]),
		...(guards.length === 0 ? [] : [{name: 'Guard rules', value: guards.map(spaced).join(', ')}]),
		...(held.length === 0 ? [] : [{name: 'Connections', value: held.join(', ')}]),
		...(servers === null ? [] : [{name: 'Servers', value: servers.join(', ')}]),
	]
}

/** `largestJob` as `largest job`. */
function spaced(name: string) {
	return name.replaceAll(/[A-Z]/g, letter => ` ${letter.toLowerCase()}`)
}
