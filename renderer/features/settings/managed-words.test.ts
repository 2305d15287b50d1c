import {nothingManaged} from '#model/managed.ts'

import {heldFacts} from './managed-words.ts'

test('what an administrator holds is named; what is free is not', () => {
	expect(heldFacts({...nothingManaged, path: '/etc/cordon/managed.json'}).filter(Boolean)).toEqual([
		{name: 'File', value: '/etc/cordon/managed.json'}
	])
	const facts = heldFacts({
		...nothingManaged,
		state: 'applied',
		settings: ['theme', 'keptEvents'],
		guards: ['largestJob'],
		connections: {servers: ['https://a.test'], readOnly: true, verified: true, keysStay: false}
	})
	expect(facts.slice(1).map(held => held && `${held.name}: ${String(held.value)}`)).toEqual([
		'Settings: theme, kept events',
		'Guard rules: largest job',
		'Connections: read-only, certificates are verified',
		'Servers: https://a.test'
	])
})
