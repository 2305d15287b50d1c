import type {Gateway, GatewayParts, RunningParts} from '#core/app/gateway.ts'
import {startInstances} from './console.ts'
import {openInstances} from './open.ts'

/** Instances and the forwarding server, as passed to the console by the hosts. */
export const gateway = {
	open(parts: GatewayParts) {
		const opened = openInstances(parts)
		return {...opened, run: (running: RunningParts) => startInstances({...parts, ...running, opened})}
	},
} satisfies Gateway
