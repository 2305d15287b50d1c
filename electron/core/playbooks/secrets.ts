/** Secrets that playbooks name in headers as `$secret:NAME`. Each is bound to one origin and is never given for another. */
import type {NamedSecret} from '#contract/automation.ts'
import {CordonError, invalidArgument} from '#contract/errors.ts'
import type {Surface} from '#model/incident.ts'
import {readOrigin} from '#model/origin.ts'

import type {SecretStore} from '#base/ports.ts'
import type {IncidentLog} from '#core/record/incidents/types.ts'

export interface PlaybookSecrets {
	list(): Promise<readonly NamedSecret[]>
	set(secret: NamedSecret & {readonly value: string}, surface: Surface): Promise<void>
	remove(name: string, surface: Surface): Promise<void>
	/** `undefined`: no secret of that name for exactly this origin. */
	read(name: string, origin: string): Promise<string | undefined>
}

type Kept = Readonly<Record<string, {readonly origin: string; readonly value: string}>>

const place = 'playbook-secrets'
const wrong = (field: string, message: string) => invalidArgument(message, field)

/** Where the secret may go. */
export function originFor({name, origin}: NamedSecret): string {
	if (!/^[\w.-]{1,100}$/.test(name)) throw wrong('name', 'A name has letters, digits, _, - and . only.')
	const found = readOrigin(`${origin} private`)?.origin
	if (found === undefined) throw wrong('origin', `${origin} is not an origin. Write it as https://tickets.example.org.`)
	return found
}

export function playbookSecrets(vault: SecretStore, log: Pick<IncidentLog, 'append'>): PlaybookSecrets {
	const all = async (): Promise<ReadonlyMap<string, Kept[string]>> =>
		// Written below.
		new Map(Object.entries(JSON.parse((await vault.read(place)) ?? '{}') as Kept))
	const keep = async (next: ReadonlyMap<string, Kept[string]>, message: string, surface: Surface) => {
		await log.append({kind: 'note', surface, message})
		await vault.write(place, JSON.stringify(Object.fromEntries(next)))
	}
	return {
		list: async () => [...(await all())].map(([name, {origin}]) => ({name, origin})),
		set: async ({name, origin, value}, surface) => {
			const found = originFor({name, origin})
			if (!/^[\x21-\x7e]{8,4000}$/.test(value)) throw wrong('value', 'A secret has 8 to 4000 characters of ASCII, without blanks.')
			const problem = await vault.unavailable()
			if (problem !== null) throw new CordonError('secret_unavailable', problem)
			await keep(
				new Map([...(await all()), [name, {origin: found, value}]]),
				`Secret ${name} for playbooks stored for ${found}.`,
				surface,
			)
		},
		remove: async (name, surface) => {
			const left = new Map(await all())
			if (!left.delete(name)) throw wrong('name', `There is no secret ${name}.`)
			await keep(left, `Secret ${name} for playbooks removed.`, surface)
		},
		read: async (name, origin) => {
			const found = (await all()).get(name)
			return found?.origin === origin ? found.value : undefined
		},
	}
}
