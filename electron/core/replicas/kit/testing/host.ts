import {createBus} from '#core/base/bus.ts'
import type {ReplicaHost} from '../replica.ts'

/** A host that throws nothing away and fails on trouble, but for what a test says otherwise. */
export function testHost(own: Pick<ReplicaHost, 'profile' | 'connections' | 'clock'> & Partial<ReplicaHost>): ReplicaHost {
	const onTrouble = (message: string, error: unknown): never => {
		throw new Error(message, {cause: error})
	}
	return {bus: createBus(onTrouble), worthless: () => false, onTrouble, ...own}
}
