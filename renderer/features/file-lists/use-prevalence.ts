import {z} from 'zod'

import {useConnected, useSettings, useCall} from '#api/hooks.tsx'

interface SeenComputer {
	guid: string
	hostname: string
}

/** Number of computers that have seen a file, by the service, and the first of them. */
export interface Prevalence {
	sha256: string
	count: number
	first: readonly SeenComputer[]
}

export type PrevalenceQuestion = ReturnType<typeof usePrevalence>

const named = 25
const records = z.array(z.object({connector_guid: z.string(), hostname: z.string().nullish()}))

/** Queries the service on demand: one call. */
export function usePrevalence(sha256: string | null) {
	const {connection} = useConnected()
	const {activeIncident} = useSettings()
	const {data, error, isPending, mutate, variables} = useCall(async (client, hash: string): Promise<Prevalence> => {
		const args = {q: hash, limit: String(named)}
		const name = 'svc_get_computer_activity'
		const input = {connection, name, args, surface: 'screen' as const, incident: activeIncident}
		const {data: found, total} = await client.commands.run({...input, run: crypto.randomUUID()})
		const first = records.parse(found).map(record => ({guid: record.connector_guid, hostname: record.hostname ?? record.connector_guid}))
		return {sha256: hash, count: total ?? first.length, first}
	})
	return {
		/** The answer, if for this hash. */
		answer: data !== undefined && data.sha256 === sha256 ? data : null,
		isAsking: isPending,
		failed: error === null || variables !== sha256 ? null : error.message,
		ask: () => {
			if (sha256 !== null) mutate(sha256)
		}
	}
}
