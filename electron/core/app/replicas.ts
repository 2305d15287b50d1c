/** The local data of this process. A new kind needs its own folder and a line in both lists below. */
import type {Connection} from '#model/connection.ts'

import {auditReplica} from '#core/replicas/audit/audits.ts'
import {computersReplica} from '#core/replicas/computers/replica.ts'
import {directoryReplica} from '#core/replicas/directory/replica.ts'
import {eventsReplica} from '#core/replicas/events/replica.ts'
import type {ReplicaHost} from '#core/replicas/kit/replica.ts'
import {registryOf} from '#core/replicas/kit/registry.ts'
import {trajectoriesReplica} from '#core/replicas/trajectories/trajectories.ts'
import type {Base} from './base.ts'

export type Replicas = ReturnType<typeof createReplicas>

export function createReplicas({ports, profile, connections, isConsole, onTrouble, bus}: Base) {
	// The embedded sandbox forgets with its process, and the next one may be another tenant.
	const worthless = (connection: Connection) => isConsole && connection.sandbox && connection.stopped !== true
	const {clock, secrets} = ports
	const host: ReplicaHost = {profile: ports.profile, clock, bus, connections, worthless, onTrouble}
	const labels = (connection: string) => profile.labels.of(connection)
	const inventories = computersReplica({...host, console: isConsole, labels})
	const keptEvents = () => profile.settings.get().keptEvents
	const eventStores = eventsReplica({...host, inventories, keptEvents})
	const directories = directoryReplica({...host, inventories, eventStores})
	const trajectories = trajectoriesReplica(host)
	const random = (bytes: number) => ports.random(bytes)
	const audits = auditReplica({...host, secrets, random, log: () => profile.log})
	const registry = registryOf([inventories, eventStores, directories, trajectories, audits])
	return {inventories, eventStores, directories, trajectories, audits, registry}
}
