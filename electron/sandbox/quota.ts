/** The service's API limit: a fixed window per client id that starts with the first call (API reference, 1.6). */
export type Quota = ReturnType<typeof createQuota>

interface QuotaReading {
	limit: number
	remaining: number
	/** Unix milliseconds. */
	resetAt: number
	/** Whether this call exceeded the limit. */
	exceeded: boolean
}

interface Window {
	endsAt: number
	used: number
}

/** Unknown client ids have windows too, as at the service; this limits their number. */
const windowsKept = 1000

export function createQuota(limit: number, windowSeconds: number) {
	const windows = new Map<string, Window>()
	return {
		/** Ends the windows of all clients now. */
		renew: () => windows.clear(),
		/** Counts one call. */
		spend: (clientId: string, now: number) => {
			const window = currentWindow(windows, clientId, now, windowSeconds)
			const exceeded = window.used >= limit
			if (!exceeded) window.used += 1
			return {limit, remaining: limit - window.used, resetAt: window.endsAt, exceeded}
		}
	}
}

function currentWindow(windows: Map<string, Window>, clientId: string, now: number, seconds: number) {
	const known = windows.get(clientId)
	if (known !== undefined && now < known.endsAt) return known
	const fresh = {endsAt: now + seconds * 1000, used: 0}
	windows.delete(clientId)
	windows.set(clientId, fresh)
	const oldest = windows.keys().next().value
	if (windows.size > windowsKept && oldest !== undefined) windows.delete(oldest)
	return fresh
}

/** The four headers of every response, `Reset` in seconds. */
export function quotaHeaders(reading: QuotaReading, now: number): Readonly<Record<string, string>> {
	return {
		'X-RateLimit-Limit': String(reading.limit),
		'X-RateLimit-Remaining': String(reading.remaining),
		'X-RateLimit-Reset': String(Math.max(0, Math.ceil((reading.resetAt - now) / 1000))),
		'X-RateLimit-ResetDate': `${new Date(reading.resetAt).toISOString().slice(0, 19)}Z`
	}
}
