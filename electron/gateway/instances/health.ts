import type {InstanceHealth, InstanceState} from '#model/instance.ts'

import type {Clock} from '#base/ports.ts'

/** State of an instance's health. */
export type Health = ReturnType<typeof createHealth>

/** `graceMs`: period after its start without an unhealthy state. */
export function createHealth(clock: Clock, graceMs: number, onChange: (health: InstanceHealth) => void) {
	let changedAt = clock.monotonic()
	let health: InstanceHealth = {state: 'stopped', reason: null, since: isoNow(clock), checkedAt: null}
	const set = (state: InstanceState, reason: string | null) => {
		if (state === health.state && reason === health.reason) return
		if (state !== health.state) changedAt = clock.monotonic()
		health = {...health, state, reason, since: state === health.state ? health.since : isoNow(clock)}
		onChange(health)
	}
	return {
		get: () => health,
		set,
		/**
		 * A check's result: `reason` is `null` when healthy; `remark` needs attention anyway. A starting instance has a grace period
		 * before it is unhealthy.
		 */
		looked(reason: string | null, remark: string | null) {
			health = {...health, checkedAt: isoNow(clock)}
			if (reason === null) set('healthy', remark)
			else if (health.state !== 'starting' || clock.monotonic() - changedAt >= graceMs) set('unhealthy', reason)
		},
		/** Milliseconds since it became healthy; 0 when it is not. */
		healthyMs: () => (health.state === 'healthy' ? clock.monotonic() - changedAt : 0)
	}
}

function isoNow(clock: Clock) {
	return new Date(clock.now()).toISOString()
}
