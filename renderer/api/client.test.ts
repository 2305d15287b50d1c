import {createTanstackQueryUtils} from '@orpc/tanstack-query'

import {kept} from './client.ts'
import type {Client} from './wire.ts'

test('a path is made once, and its options and keys are those of the library', () => {
	const none = () => undefined
	// Only the paths are read: nothing is called.
	const plain = createTanstackQueryUtils({settings: {get: none}, computers: {query: none}} as unknown as Client)
	const queries = kept(plain)
	expect(queries.settings.get).toBe(queries.settings.get)
	expect(plain.settings.get).not.toBe(plain.settings.get)
	expect(queries.settings.get.queryKey()).toEqual(plain.settings.get.queryKey())
	expect(queries.settings.key()).toEqual(plain.settings.key())
	const options = queries.computers.query.queryOptions({input: {connection: 'a'} as never})
	expect(options.queryKey).toEqual(plain.computers.query.queryKey({input: {connection: 'a'} as never}))
})
