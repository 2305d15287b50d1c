import {createBus} from '#base/bus.ts'
import type {ReplicaHost} from '../replica.ts'

/** A host that discards nothing and fails on trouble, unless a test overrides it. */
export function testHost(own: Pick<ReplicaHost, 'profile' | 'connections' | 'clock'> & Partial<ReplicaHost>): ReplicaHost {
	const onTrouble = (message: string, error: unknown) => {
		throw new Error(message, {cause: error})
	}
	return {bus: createBus(onTrouble), worthless: () => false, onTrouble, ...own}
}
