import type {Gateway, GatewayDependencies} from '#core/app/gateway.ts'
import {InstanceConsole} from './console.ts'
import {openInstances} from './open.ts'

/** Instances and the forwarding server, as passed to the console by the hosts. */
export const gateway = {
	open(deps: GatewayDependencies) {
		const opened = openInstances(deps)
		return {...opened, run: running => new InstanceConsole({...deps, ...running, opened})}
	}
} satisfies Gateway
