/**
 * Unlock codes of isolations requested here, sealed in the secret store before the request is sent, so that a crash loses
 * none. `profile.db` lists them without the codes.
 */
import type {SecretStore} from '#base/ports.ts'
import type {Database} from '#core/store/database.ts'
import type {SealedCode} from '#model/lease.ts'

interface SealRequest {
	/** The intent in the incident log, or another ID of this isolation. */
	id: string
	connection: {id: string; name: string}
	guid: string
	label: string
	made: SealedCode['made']
	code: string
}

export type UnlockCodes = ReturnType<typeof openUnlockCodes>

interface UnlockCodesOptions {
	database: Database
	secrets: SecretStore
	clock: {now(): number}
	random(bytes: number): Uint8Array
}

/** Per computer: the newest may have been refused where its answer was lost. */
const keptEach = 3

export function openUnlockCodes({database, secrets, clock, random}: UnlockCodesOptions) {
	// In the order of the requests: the clock may be set back between two.
	const list = (where: string, ...values: string[]) => database.all<SealedCode>(`${columns} ${where} ORDER BY rowid DESC`, ...values)
	// The secret first: a row without one would promise a lost code.
	const remove = async (id: string) => {
		await secrets.remove(secretName(id))
		database.run('DELETE FROM unlock_code WHERE intent = ?', id)
	}
	return {
		make: () => makeCode(random),
		/** Rejects when the secret store cannot keep the code: then nothing may be sent. */
		seal: async ({id, connection, guid, label, made, code}: SealRequest) => {
			await secrets.write(secretName(id), code)
			try {
				database.run(
					'INSERT OR REPLACE INTO unlock_code (intent, connection, connection_name, guid, label, at, made, state) VALUES (?, ?, ?, ?, ?, ?, ?, ?)',
					...[id, connection.id, connection.name, guid.toLowerCase(), label],
					...[new Date(clock.now()).toISOString(), made, 'sealed']
				)
			} catch (error) {
				// Nobody could find a code that is not listed; the failure to list it is what counts.
				await secrets.remove(secretName(id)).catch(() => {})
				throw error
			}
		},
		/** The service's answer: accepted, refused (then it is no code), or unknown. */
		settle: async (id: string, outcome: 'in_use' | 'unknown' | 'refused') => {
			if (outcome === 'refused') return await remove(id)
			database.run('UPDATE unlock_code SET state = ? WHERE intent = ?', outcome, id)
			const own = list('WHERE (connection, guid) = (SELECT connection, guid FROM unlock_code WHERE intent = ?)', id)
			for (const outdated of own.slice(keptEach)) if (outdated.id !== id) await remove(outdated.id)
		},
		/** Newest first; without `connection` those of all, also of deleted connections. */
		list: (connection?: string) => (connection === undefined ? list('') : list('WHERE connection = ?', connection)),
		newest: (connection: string, guid: string) => list('WHERE connection = ? AND guid = ?', connection, guid.toLowerCase())[0],
		/** `undefined` when the id is unknown. Only `reveal.ts` calls it. */
		open: (id: string) => secrets.read(secretName(id)),
		/** Removes every code of a connection whose tenant is gone. */
		forget: async (connection: string) => {
			for (const {id} of list('WHERE connection = ?', connection)) await remove(id)
		}
	}
}

const columns = 'SELECT intent AS id, connection, connection_name AS "connectionName", guid, label, at, made, state FROM unlock_code'

const secretName = (id: string) => `unlock-code/${id}`

/** Capital letters and digits that nobody confuses, read aloud or written by hand. */
export const codeAlphabet = 'ACDEFHJKMNPRTWXY34679'
/** 70 bits; the service takes up to 24 characters. */
export const codeLength = 16

/** `random`: bytes of the host's generator. A byte that would bias the letters is skipped. */
export function makeCode(random: (bytes: number) => Uint8Array) {
	const even = 256 - (256 % codeAlphabet.length)
	let code = ''
	while (code.length < codeLength) {
		for (const byte of random(codeLength - code.length)) {
			if (byte < even) code += codeAlphabet[byte % codeAlphabet.length]
		}
	}
	return code
}
