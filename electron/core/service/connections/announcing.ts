import type {ApiClient} from '../api/types.ts'
import type {Connections} from './types.ts'

/** The same connections, telling of every change of quota, link or clock of any client that they hand out. */
export function announcing(connections: Connections, onChange: (connection: string) => void): Connections {
	const known = new WeakSet<ApiClient>()
	const client = (id: string) => {
		const made = connections.client(id)
		if (known.has(made)) return made
		known.add(made)
		made.onChange(() => onChange(id))
		return made
	}
	return {...connections, client}
}
