/** Vulnerable programs of computers, as reported in this session; queried only on request. */
import type {Vulnerabilities, VulnerableProgram} from '#contract/insight.ts'
import type {Vulnerability} from '#model/vulnerability.ts'

import {getVulnerabilities} from '#core/service/api/endpoints/vulnerabilities.ts'
import type {ApiClient} from '#core/service/api/types.ts'
import {createRecent, type Recent} from '#shared/recent.ts'

/** Newest answers kept for each connection. */
const kept = 200

export function createFindings(client: (connection: string) => ApiClient) {
	const answers = new Map<string, Recent<Vulnerabilities>>()
	return {
		/** No API call; `null` when not queried yet. */
		stored: (connection: string, guid: string) => answers.get(connection)?.get(guid.toLowerCase()) ?? null,
		/** One call, and one more for each further 500. */
		async read(connection: string, guid: string, signal?: AbortSignal) {
			const asked = {purpose: 'interactive', maxQuotaWaitMs: 5000, signal, all: true} as const
			const listing = await getVulnerabilities(client(connection), {connector_guid: guid}, asked)
			const answer = {
				guid,
				readAt: new Date(listing.at).toISOString(),
				complete: listing.complete,
				programs: listing.records.map(programOf).toSorted((one, other) => worst(other) - worst(one))
			}
			const own = answers.get(connection) ?? createRecent<Vulnerabilities>(kept)
			answers.set(connection, own)
			return own.set(guid.toLowerCase(), answer)
		},
		forget: (connection: string) => void answers.delete(connection)
	}
}

function programOf(found: Vulnerability): VulnerableProgram {
	return {
		application: found.application ?? found.file?.filename ?? 'unnamed program',
		version: found.version ?? '',
		fileName: found.file?.filename ?? null,
		// The service writes these in upper case (API reference, 1.8).
		sha256: found.file?.identity?.sha256?.toLowerCase() ?? null,
		seenAt: found.latest_date ?? null,
		cves: (found.cves ?? [])
			.map(({id, link, cvss}) => ({id, link: link ?? null, score: scoreOf(cvss)}))
			.toSorted((one, other) => (other.score ?? 0) - (one.score ?? 0))
	}
}

/** A number here, a string in events. */
function scoreOf(cvss: number | string | null | undefined) {
	const score = typeof cvss === 'string' ? Number.parseFloat(cvss) : cvss
	return score === null || score === undefined || Number.isNaN(score) ? null : score
}

function worst({cves}: VulnerableProgram) {
	return cves[0]?.score ?? 0
}
