/** Secrets that playbooks name in headers as `$secret:NAME`. Each is bound to one origin and is never given for another. */
import {join} from 'node:path'

import type {NamedSecret} from '#contract/automation.ts'
import {CordonError, invalidArgument} from '#contract/errors.ts'
import type {Surface} from '#model/incident.ts'
import {readOrigin} from '#model/origin.ts'

import type {Ports} from '#base/ports.ts'
import type {IncidentLog} from '#core/record/incidents/types.ts'
import {withSecretsLocked} from '#core/store/lock-file.ts'

export type PlaybookSecrets = ReturnType<typeof playbookSecrets>

type Kept = Readonly<Record<'origin' | 'value', string>>

const place = 'playbook-secrets'

/** Where the secret may go. */
export function originFor({name, origin}: NamedSecret) {
	if (!/^[\w.-]{1,100}$/.test(name)) throw invalidArgument('A name has letters, digits, _, - and . only.', 'name')
	const found = readOrigin(`${origin} private`)?.origin
	if (found === undefined) throw invalidArgument(`${origin} is not an origin. Write it as https://tickets.example.org.`, 'origin')
	return found
}

export function playbookSecrets({secrets: vault, profile}: Pick<Ports, 'secrets' | 'profile'>, log: Pick<IncidentLog, 'append'>) {
	// Written below.
	const all = async () => new Map(Object.entries(JSON.parse((await vault.read(place)) ?? '{}') as Record<string, Kept>))
	const change = (edit: (known: Map<string, Kept>) => void, message: string, surface: Surface) =>
		withSecretsLocked(join(profile, `${place}.lock`), async () => {
			const known = await all()
			edit(known)
			await log.append({kind: 'note', surface, message})
			await vault.write(place, JSON.stringify(Object.fromEntries(known)))
		})
	return {
		list: async (): Promise<readonly NamedSecret[]> => [...(await all())].map(([name, {origin}]) => ({name, origin})),
		set: async ({name, origin, value}: NamedSecret & {value: string}, surface: Surface) => {
			const found = originFor({name, origin})
			if (!/^[\x21-\x7e]{8,4000}$/.test(value)) throw invalidArgument('A secret has 8 to 4000 characters of ASCII, without blanks.', 'value')
			const problem = await vault.unavailable()
			if (problem !== null) throw new CordonError('secret_unavailable', problem)
			const message = `Secret ${name} for playbooks stored for ${found}.`
			await change(known => known.set(name, {origin: found, value}), message, surface)
		},
		remove: async (name: string, surface: Surface) => {
			const edit = (known: Map<string, unknown>) => {
				if (!known.delete(name)) throw new CordonError('not_found', `There is no secret ${name}.`, {field: 'name'})
			}
			await change(edit, `Secret ${name} for playbooks removed.`, surface)
		},
		/** `undefined`: no secret of that name for exactly this origin. */
		read: async (name: string, origin: string) => {
			const found = (await all()).get(name)
			return found?.origin === origin ? found.value : undefined
		}
	}
}
