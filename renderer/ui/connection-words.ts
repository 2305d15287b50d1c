import type {Connection, Environment} from '#model/connection.ts'
import type {WriteMode} from '#model/frame.ts'

const environmentWords: Readonly<Record<Environment, string>> = {production: 'Production', test: 'Test', lab: 'Lab', sandbox: 'Sandbox'}

/** `Production`; `null` for the embedded sandbox, which has its own name. */
export function environmentOf(connection: Connection) {
	const environment = environmentWords[connection.environment]
	return connection.name.toLowerCase() === environment.toLowerCase() ? null : environment
}

/** `ACME-EU · Production` */
export function connectionTitle(connection: Connection) {
	const environment = environmentOf(connection)
	return environment === null ? connection.name : `${connection.name} · ${environment}`
}

/** `read-write`, `read-only` or `locked`, with its meaning. */
export function modeWords(mode: WriteMode) {
	if (mode.kind === 'guarded') return {word: 'read-write', meaning: 'Changes are allowed after confirmation.'}
	if (mode.because === 'managed') return {word: 'read-only', meaning: `Set to read-only by your administrator. ${mode.problem ?? ''}`.trim()}
	return mode.because === 'locked'
		? {word: 'locked', meaning: 'Changes are locked. Unlock them to continue.'}
		: {word: 'read-only', meaning: 'This connection is read-only.'}
}

/** `ACME-EU PRODUCTION`, for buttons that change something: production is unmistakable. */
export function loudTitle(connection: Connection) {
	const environment = connection.environment.toUpperCase()
	return connection.name.toUpperCase() === environment ? environment : `${connection.name} ${environment}`
}
