import {guessRoles} from '#model/computer-role.ts'
import type {CommandName} from '#shared/commands/catalogue.ts'
import type {CommandSpec} from '#shared/commands/define.ts'
import {foundOrNull} from '#contract/errors.ts'
import type {Agreement, GuardedAction, GuardTarget} from '#model/guard.ts'

import {getComputer} from '#core/service/api/endpoints/computers.ts'
import {getGroup} from '#core/service/api/endpoints/groups.ts'
import {askedAt} from '#core/service/api/pages.ts'
import type {ApiClient} from '#core/service/api/types.ts'
import {groupsMatter, groupTarget, hashTarget, type KnownHashes} from '../guards/targets.ts'
import type {Guards} from '../guards/guards.ts'
import type {Inventory} from '#core/replicas/computers/inventory.ts'

type Args = Readonly<Record<string, unknown>>
type Spec = CommandSpec & {name: CommandName}

interface GuardedChange {
	spec: Spec
	args: Args
	connection: string
	inventory: Inventory | undefined
	client: () => ApiClient
	signal?: AbortSignal | undefined
	knownHashes?: KnownHashes | undefined
}

export function subjectOf({guard}: Pick<CommandSpec, 'guard'>, args: Args): {action: GuardedAction; id: string} | undefined {
	const id = guard === undefined ? undefined : args[guard.of]
	return guard === undefined || typeof id !== 'string' ? undefined : {action: guard.action, id}
}

/**
 * The target as the guard rules see it. An unknown computer is read first (one call): its name and system tell what an
 * isolation would do and what the rules protect.
 */
export async function guardTargetOf(guards: Pick<Guards, 'targetsOf' | 'rules'>, change: GuardedChange): Promise<GuardTarget | undefined> {
	const subject = subjectOf(change.spec, change.args)
	if (subject === undefined) return undefined
	const {action, id} = subject
	if (action === 'policies') return await readGroup(id, change)
	if (action === 'add_hashes' || action === 'remove_hashes') return hashTarget(id, factsOf(change, id))
	const [known] = guards.targetsOf(change.connection, [id], change.inventory)
	if (known === undefined || action === 'release') return known
	const isKnown = change.inventory?.row(id) !== undefined
	const target = isKnown || !needsReading(guards, change, action) ? known : await readTarget(known, change)
	return (await withGroupsAbove(guards, [target], change))[0]
}

/**
 * A group that no full listing contained is read first (one call), for its name, its descendants and its protected
 * ancestors.
 */
async function readGroup(id: string, {inventory, client, signal}: GuardedChange) {
	const known = groupTarget(id, inventory)
	if (inventory?.ancestryOf(id) !== undefined && inventory.state().completeAt !== null) return known
	const answer = await foundOrNull(getGroup(client(), {group_guid: id}, {signal, deadlineMs: 30_000}))
	// The change itself then reports the missing group, and the log records it.
	if (answer === null) return known
	const {data} = answer
	const groups = [id, ...(data.ancestry ?? []).map(({guid}) => guid)]
	return {...known, label: data.name, groups, below: data.child_groups?.length ?? 0}
}

/** Unreadable local data never prevents the judgement. */
function factsOf({connection, args, knownHashes}: GuardedChange, id: string) {
	const sha256 = id.toLowerCase()
	const list = args['file_list_guid']
	try {
		return knownHashes?.(connection, [sha256], typeof list === 'string' ? list : undefined).get(sha256)
	} catch {
		return undefined
	}
}

/** What is said of a group holds for its descendants; a group that local data only know by name is read (one call each). */
export async function withGroupsAbove(
	guards: Pick<Guards, 'rules'>,
	targets: readonly GuardTarget[],
	{connection, client, inventory, signal}: Pick<GuardedChange, 'connection' | 'client' | 'inventory' | 'signal'>
) {
	if (!groupsMatter(guards.rules(connection))) return targets
	const above = async (own: string): Promise<readonly string[]> => {
		const answer = await getGroup(client(), {group_guid: own}, {signal, deadlineMs: 30_000})
		inventory?.observeGroups([answer.data], askedAt(answer))
		return [own, ...(answer.data.ancestry ?? []).map(({guid}) => guid)]
	}
	const whole: GuardTarget[] = []
	for (const target of targets) {
		const [own = ''] = target.groups
		whole.push(own === '' ? target : {...target, groups: inventory?.ancestryOf(own) ?? (await above(own))})
	}
	return whole
}

/** Nothing may delay a release; a move needs it only when rules name more than GUIDs. */
function needsReading(guards: Pick<Guards, 'rules'>, {connection}: GuardedChange, action: GuardedAction) {
	if (action !== 'move') return action === 'isolate'
	const rules = guards.rules(connection)
	return rules.protected.names.length > 0 || groupsMatter(rules)
}

async function readTarget(known: GuardTarget, {client, inventory, signal}: GuardedChange) {
	const answer = await foundOrNull(getComputer(client(), {connector_guid: known.id}, {signal, deadlineMs: 30_000}))
	// The change itself then reports the missing computer, and the log records it.
	if (answer === null) return known
	const {data} = answer
	inventory?.observe([data], askedAt(answer))
	const hostname = data.hostname ?? ''
	return {
		...known,
		label: hostname === '' ? known.id : hostname,
		guessedRoles: guessRoles({hostname, os: data.operating_system ?? ''}),
		groups: data.group_guid === undefined ? [] : [data.group_guid]
	}
}

/** A release may carry it under another name. */
export function commentOf({risk}: Spec, args: Args) {
	return args['comment'] ?? (risk === 'release' ? args['unlock_code'] : undefined)
}

/** The comment of an isolation or release is its reason. */
export function agreementOf(spec: Spec, args: Args, given: Agreement | undefined): Agreement {
	const comment = commentOf(spec, args)
	const reason = given?.reason ?? (typeof comment === 'string' ? comment : undefined)
	return {...given, ...(reason !== undefined && {reason})}
}
