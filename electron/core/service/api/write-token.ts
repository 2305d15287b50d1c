/**
 * Proof that the guards of `commands/runner.ts` let a change pass. The layer rule allows
 * `issueWriteToken` in that file alone; the client refuses to write without a live token.
 */
export interface WriteToken {
	/** The intent in the incident log that this change stands on. */
	readonly intent: string
	readonly connection: string
}

const issued = new WeakSet<WriteToken>()

export function issueWriteToken(intent: string, connection: string): WriteToken {
	const token = Object.freeze({intent, connection})
	issued.add(token)
	return token
}

/** After this the token is worth nothing. */
export function revokeWriteToken(token: WriteToken) {
	issued.delete(token)
}

export function isLiveWriteToken(token: WriteToken | undefined) {
	return token !== undefined && issued.has(token)
}
