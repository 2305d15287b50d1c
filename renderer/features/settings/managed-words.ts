import type {ManagedView} from '#model/managed.ts'
import {type Fact, fact} from '#ui/Facts.tsx'

/** Managed settings as names and words; only the file when there are none. */
export function heldFacts({path, settings, guards, connections}: ManagedView): readonly Fact[] {
	const {servers, readOnly, verified, keysStay} = connections
	const held = [
		...(readOnly ? ['read-only'] : []),
		...(verified ? ['certificates are verified'] : []),
		...(keysStay ? ['keys are not exported'] : [])
	]
	return [
		fact('File', path ?? 'Not configured'),
		settings.length > 0 && fact('Settings', settings.map(spaced).join(', ')),
		guards.length > 0 && fact('Guard rules', guards.map(spaced).join(', ')),
		held.length > 0 && fact('Connections', held.join(', ')),
		servers && fact('Servers', servers.join(', '))
	]
}

/** `largestJob` as `largest job`. */
function spaced(name: string) {
	return name.replaceAll(/[A-Z]/g, letter => ` ${letter.toLowerCase()}`)
}
