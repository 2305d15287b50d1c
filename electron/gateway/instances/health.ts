import type {InstanceHealth, InstanceState} from '#shared/model/instance.ts'

import type {Clock} from '#core/base/ports.ts'

/** What is known of an instance's health. */
export interface Health {
	get(): InstanceHealth
	set(state: InstanceState, reason: string | null): void
	/**
	 * A look's result: `null` when all is well, and then what deserves attention nevertheless. One that starts has a while
	 * before it is called unhealthy.
	 */
	looked(reason: string | null, remark: string | null): void
	/** How long it has been healthy, in milliseconds; 0 when it is not. */
	healthyMs(): number
}

/** `graceMs`: so long after its start nothing is called unhealthy. */
export function createHealth(clock: Clock, graceMs: number, onChange: (health: InstanceHealth) => void): Health {
	let changedAt = clock.monotonic()
	let health: InstanceHealth = {state: 'stopped', reason: null, since: isoNow(clock), checkedAt: null}
	const set = (state: InstanceState, reason: string | null): void => {
		if (state === health.state && reason === health.reason) return
		if (state !== health.state) changedAt = clock.monotonic()
		health = {...health, state, reason, since: state === health.state ? health.since : isoNow(clock)}
		onChange(health)
	}
	return {
		get: () => health,
		set,
		looked(reason, remark) {
			health = {...health, checkedAt: isoNow(clock)}
			if (reason === null) set('healthy', remark)
			else if (health.state !== 'starting' || clock.monotonic() - changedAt >= graceMs) set('unhealthy', reason)
		},
		healthyMs: () => (health.state === 'healthy' ? clock.monotonic() - changedAt : 0),
	}
}

function isoNow(clock: Clock): string {
	return new Date(clock.now()).toISOString()
}
