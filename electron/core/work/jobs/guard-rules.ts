/** What the job engine asks of guards and quota, in its own words. */
import {guessRoles} from '#model/computer-role.ts'
import type {GuardTarget} from '#model/guard.ts'
import type {JobAction} from '#model/job.ts'
import {reservations, reserveCalls} from '#core/service/connections/reservations.ts'
import type {Connections} from '#core/service/connections/types.ts'
import type {Inventory} from '#core/replicas/computers/inventory.ts'
import type {Clock} from '#base/ports.ts'
import type {Database} from '#core/store/database.ts'
import {withGroupsAbove} from '#core/actions/commands/guarding.ts'
import {groupTarget, hashTarget, type KnownHashes} from '#core/actions/guards/targets.ts'
import type {CopyForGuards} from '#core/actions/guards/types.ts'
import type {Guards} from '#core/actions/guards/guards.ts'
import type {QuotaPlanner, GuardJudge, JudgeTarget} from './types.ts'

/** `copy`: the local copy of a connection, which knows its groups; `known`: what speaks against hashes. */
export function judgeForJobs(
	guards: Guards,
	copy: (connection: string) => Inventory | undefined,
	known: KnownHashes = () => new Map()
): GuardJudge {
	return {
		judge: async ({connection, action, targets, reviewed, ahead, client, signal}) => {
			const inventory = copy(connection)
			const seen = async () => {
				switch (action.kind) {
					case 'policies':
						return targets.map(({id, label}) => ({...groupTarget(id, inventory), label}))
					case 'add_hashes':
					case 'remove_hashes':
					case 'change_hashes':
						return hashes(connection, action, targets, known)
					default: {
						const own = computers(guards, connection, targets, inventory)
						if (action.kind === 'release') return own
						return await withGroupsAbove(guards, own, {connection, client: () => client, inventory, signal})
					}
				}
			}
			return await guards.judge({connection, action: action.kind, targets: await seen(), reviewed, ahead})
		}
	}
}

type HashAction = Extract<JobAction, {list: string}>

function hashes(connection: string, action: HashAction, targets: readonly JudgeTarget[], known: KnownHashes) {
	const ids = targets.map(({id}) => id)
	const facts = known(connection, ids, action.list)
	const removes = new Set(action.kind === 'change_hashes' ? action.removes : [])
	return ids.map(id => ({...hashTarget(id, facts.get(id)), removes: removes.has(id)}))
}

/** The row that the plan is made from decides, not one that was read since. */
function computers(guards: Guards, connection: string, targets: readonly JudgeTarget[], own: CopyForGuards | undefined): readonly GuardTarget[] {
	const rows = new Map(targets.map(({id, row}) => [id, row]))
	const copy: CopyForGuards = {row: guid => rows.get(guid) ?? own?.row(guid), ancestryOf: guid => own?.ancestryOf(guid)}
	const ids = targets.map(({id}) => id)
	return guards.targetsOf(connection, ids, copy).map((target, index) => {
		const {label = target.label, row} = targets[index] ?? {}
		const guessedRoles = row === null || row === undefined ? target.guessedRoles : guessRoles(row)
		return {...target, label, guessedRoles}
	})
}

interface PlannerDependencies {
	database: Database
	clock: Clock
	connections: Pick<Connections, 'client'>
}

/** Reservations lie in `profile.db`: other jobs and other processes see them at once, and lose sight of those of the dead. */
export function quotaPlanner({database, clock, connections}: PlannerDependencies): QuotaPlanner {
	return {
		reserve: (connection, job, calls) => {
			const reservation = reserveCalls(database, {connection, id: job, title: job, calls})
			if (calls <= 0) reservation.end()
		},
		room: (connection, job) => {
			const quota = connections.client(connection).quota()
			if (quota === null) return null
			const others = reservations(database, connection).filter(({id}) => id !== job)
			const kept = quota.reserve + others.reduce((sum, {calls}) => sum + calls, 0)
			const resetAt = Date.parse(quota.resetAt)
			const remaining = clock.now() >= resetAt ? quota.limit : quota.remaining
			return {calls: Math.max(0, remaining - kept), resetAt}
		}
	}
}
