import {fileURLToPath} from 'node:url'

export {freePort} from '#base/testing/port.ts'
import {instanceDefinitionSchema, type Instance, type InstanceInput} from '#model/instance.ts'

/** A stored instance with defaults. */
export function instanceOf(input: InstanceInput & {listenPort: number}, id = input.name): Instance {
	return {
		...instanceDefinitionSchema.parse(input),
		listenPort: input.listenPort,
		id,
		aliases: [],
		secrets: {users: [], tokens: 0, signingKey: false},
		createdAt: '2026-01-01T00:00:00.000Z',
		revision: 1
	}
}

/** Program of a managed instance; `behaviour`: see `program.mjs`. */
export function testProgram(behaviour = 'plain') {
	const command: [string, ...string[]] = [process.execPath, fileURLToPath(new URL('./program.mjs', import.meta.url)), behaviour]
	return {kind: 'managed' as const, command}
}
