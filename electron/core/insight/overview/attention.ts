/** What needs attention, most urgent first. Each item opens exactly the rows that it counts. */
import {urgencies} from '#model/notice.ts'
import {phaseOf} from '#core/actions/isolation/lease-words.ts'
import type {AttentionItem} from '#contract/insight.ts'
import {mostOfAKind} from '#model/handover.ts'
import {pendingTooLongMs} from '#model/isolation.ts'
import type {Lease} from '#model/lease.ts'
import {needsSomebody} from '#model/playbook.ts'
import {counted, formatCount, formOf} from '#text/numbers.ts'
import {nouns} from '#text/terms.ts'
import {unknownForMs, unknownOutcomes} from '#core/record/incidents/all-entries.ts'
import type {DetectionFacts, OverviewInventory, OverviewDependencies} from './types.ts'
import {address, anyOf, computersWith, namesShown} from './words.ts'

const hourMs = 3_600_000
/** An isolated computer not seen for this long is offline. */
export const silentAfterMs = hourMs
/** This many computers can be named in a filter; more are shown by what they have in common. */
const named = 25

/** The screen shows the worst groups of detections; the others are watched too. */
export function shownOf(items: readonly AttentionItem[]): readonly AttentionItem[] {
	const left = new Set(items.filter(({kind}) => kind === 'detection_group').slice(namesShown))
	return items.filter(item => !left.has(item)).map(({keys: _keys, ...item}) => item)
}

export async function attentionOf(deps: OverviewDependencies): Promise<readonly AttentionItem[]> {
	const items = [
		keyRejected(deps),
		compromised(deps.inventory),
		pendingTooLong(deps.inventory, deps.now),
		isolatedAndSilent(deps.inventory, deps.now),
		leasesOf(deps, 'over'),
		leasesOf(deps, 'ending'),
		playbooksWaiting(deps),
		quarantineFailed(deps.events.failed),
		forwardingFailed(deps),
		await outcomeUnknown(deps),
		...detectionGroups(deps),
		auditPolicyOnCompromised(deps.inventory),
		instancesUnhealthy(deps),
		listsUncovered(deps)
	]
	return items.filter(item => item !== null).toSorted((a, b) => urgencies.indexOf(a.urgency) - urgencies.indexOf(b.urgency))
}

function keyRejected({link, connection}: OverviewDependencies): AttentionItem | null {
	if (link.kind !== 'failing' || link.error.code !== 'unauthorized') return null
	return {
		kind: 'key_rejected',
		title: `The service rejects the key of ${connection.name}`,
		count: 1,
		names: [],
		since: link.since,
		open: address('/connections', {edit: connection.id, replaceKey: true}),
		urgency: 'now'
	}
}

const pendingTooLongFilter = `isolation:pending* state_since>${pendingTooLongMs / 60_000}m`

function pendingTooLong(inventory: OverviewInventory, now: number): AttentionItem | null {
	const waiting = inventory.pending().filter(({since}) => now - Date.parse(since) > pendingTooLongMs)
	const [oldest] = waiting
	if (oldest === undefined) return null
	return {
		kind: 'pending_too_long',
		title: `${counted(waiting.length, ['computer has', 'computers have'])} not answered an isolation or release request for over 10 minutes`,
		count: waiting.length,
		names: waiting.slice(0, namesShown).map(({label}) => label),
		since: oldest.since,
		open: waiting.length > named ? computersWith(pendingTooLongFilter) : theseComputers(waiting),
		urgency: 'now'
	}
}

function theseComputers(computers: readonly {guid: string}[]) {
	const guids = computers.map(({guid}) => guid)
	return computersWith(anyOf('guid', guids))
}

function isolatedAndSilent(inventory: OverviewInventory, now: number): AttentionItem | null {
	const {count, first} = inventory.silentSince(now - silentAfterMs, namesShown)
	if (count === 0) return null
	const since = first[0]?.seen ?? 0
	return {
		kind: 'isolated_and_silent',
		title: `${counted(count, ['isolated computer has', 'isolated computers have'])} been offline for over an hour`,
		count,
		names: first.map(({guid, hostname}) => (hostname === '' ? guid : hostname)),
		since: since > 0 ? new Date(since).toISOString() : null,
		// A computer that was never seen has no time to compare.
		open: computersWith('isolation:isolated -last_seen<1h'),
		urgency: 'now'
	}
}

const leaseTitles = {
	over: ['lease has expired', 'leases have expired'],
	ending: ['lease expires within the hour', 'leases expire within the hour']
} as const

function leasesOf({leases, inventory, now}: OverviewDependencies, phase: 'over' | 'ending'): AttentionItem | null {
	const near = leases.filter(lease => phaseOf(lease, now) === phase)
	// Those leases are about to end.
	const released = inventory.released(near.map(({guid}) => guid))
	const found = near.filter(({guid}) => !released.has(guid))
	const [first] = found
	if (first === undefined) return null
	// The handover lists the first ones, by their end.
	const listed = leases.slice(0, mostOfAKind).filter(lease => found.includes(lease))
	return {
		kind: `lease_${phase}`,
		title: counted(found.length, leaseTitles[phase]),
		count: found.length,
		names: found.slice(0, namesShown).map(lease => leaseWords(lease)),
		since: first.endsAt,
		open: listed.length > named ? '/log/handover' : theseComputers(found.slice(0, named)),
		urgency: phase === 'over' ? 'now' : 'soon'
	}
}

function leaseWords({label, auto, trouble}: Lease) {
	if (trouble !== null) return `${label} (release failed)`
	return auto ? `${label} (automatic release)` : label
}

/** Runs that go on only when somebody answers or resumes them. */
function playbooksWaiting({runs, connection}: OverviewDependencies): AttentionItem | null {
	const found = runs.filter(run => run.connection === connection.id && needsSomebody(run))
	const oldest = found.at(-1)
	if (oldest === undefined) return null
	return {
		kind: 'playbook_waits',
		title: counted(found.length, ['playbook run needs you', 'playbook runs need you']),
		count: found.length,
		names: found.slice(0, namesShown).map(({title, state}) => `${title}: ${state}`),
		since: oldest.startedAt,
		open: found.length === 1 ? `/playbooks/${oldest.id}` : address('/playbooks', {state: 'open'}),
		urgency: 'now'
	}
}

function quarantineFailed({count, atLeast, names, since}: DetectionFacts): AttentionItem | null {
	if (count === 0) return null
	const title = `${atLeast ? 'At least ' : ''}${counted(count, nouns.detection)} with failed quarantine`
	const open = address('/events', {filter: 'outcome:failed', grouping: 'detections'})
	return {kind: 'quarantine_failed', title, count, names, since, open, urgency: 'now'}
}

/** The worst of the last week that were neither stopped nor closed. */
function detectionGroups({groups, now}: OverviewDependencies): readonly AttentionItem[] {
	const recent = groups.filter(({until, stopped, status}) => !stopped && status !== 'closed' && now - Date.parse(until) < unknownForMs)
	return recent.map(({title, severity, key, keys, since, status, owner}) => ({
		kind: 'detection_group',
		title,
		count: 1,
		names: [`${severity}, not stopped`, owner === '' ? status : `${status}, ${owner}`],
		since,
		open: address('/detections', {group: key}),
		keys,
		urgency: severity === 'critical' || severity === 'high' ? 'now' : 'soon'
	}))
}

function compromised(inventory: OverviewInventory): AttentionItem | null {
	const {compromised: count} = inventory.counts()
	if (count === 0) return null
	const groups = inventory
		.sums()
		.groups.filter(group => group.compromised > 0)
		.toSorted((a, b) => b.compromised - a.compromised)
	return {
		kind: 'compromised',
		title: `${counted(count, ['computer is', 'computers are'])} compromised, in ${counted(groups.length, nouns.group)}`,
		count,
		names: firstOf(groups.map(group => `${group.name === '' ? 'no group' : group.name} ${group.compromised}`)),
		since: null,
		open: computersWith('compromised:yes'),
		urgency: 'now'
	}
}

async function outcomeUnknown({log, connection, now}: OverviewDependencies): Promise<AttentionItem | null> {
	const left = (await unknownOutcomes(log, connection.id, now)).toReversed()
	const [newest] = left
	if (newest === undefined) return null
	return {
		kind: 'outcome_unknown',
		title: `${counted(left.length, ['change has', 'changes have'])} an unknown outcome`,
		count: left.length,
		names: [...new Set(left.map(({target, command, message}) => target?.label ?? command ?? message))].slice(0, namesShown),
		since: left.at(-1)?.at ?? null,
		// The log would also list older ones, and those that were observed later.
		open: left.length === 1 ? address('/log', {entry: newest.id}) : '/log/handover',
		urgency: 'soon'
	}
}

function forwardingFailed({instances}: OverviewDependencies): AttentionItem | null {
	const {state, problem} = instances.server
	if (state !== 'failed') return null
	return {
		kind: 'forwarding_failed',
		title: 'The forwarding server failed',
		count: 1,
		names: problem === null ? [] : [problem],
		since: null,
		open: '/instances',
		urgency: 'now'
	}
}

function instancesUnhealthy({instances}: OverviewDependencies): AttentionItem | null {
	const ill = instances.rows.filter(({health, exposure}) => health.state === 'unhealthy' && exposure.exposed)
	const [first] = ill
	if (first === undefined) return null
	return {
		kind: 'instance_unhealthy',
		title: `${counted(ill.length, ['exposed instance is', 'exposed instances are'])} unhealthy`,
		count: ill.length,
		names: ill.slice(0, namesShown).map(({instance}) => instance.name),
		since: null,
		open: ill.length === 1 ? `/instances/${encodeURIComponent(first.instance.id)}` : '/instances',
		urgency: 'soon'
	}
}

function listsUncovered({lists}: OverviewDependencies): AttentionItem | null {
	const [first] = lists.uncovered
	if (first === undefined) return null
	const {length} = lists.uncovered
	return {
		kind: 'list_uncovered',
		title: `${counted(length, ['file list is', 'file lists are'])} not enforced on any computer`,
		count: length,
		names: lists.uncovered.slice(0, namesShown).map(({name}) => name),
		since: null,
		open: length === 1 ? `/file-lists/${encodeURIComponent(first.guid)}` : '/file-lists',
		urgency: 'know'
	}
}

/*
 * Compromised computers whose policy only audits, by its name. The service reports no policy mode: neither the list of policies
 * nor a policy's details have it, and the policy XML is undocumented (API reference, "Policies"). Its default set has a policy
 * called Audit, and people keep the word; more must not be claimed.
 */

/** Matches the whole word only: not "auditors" or "Audit2". */
const asWord = /(?<![\p{L}\p{N}])audit(?![\p{L}\p{N}])/iu
const mostPolicies = 1000
/** Rows read for the names of their groups. */
const mostRows = 200

function auditPolicyOnCompromised(inventory: OverviewInventory): AttentionItem | null {
	if (inventory.counts().compromised === 0) return null
	const policies = inventory.suggest('policy', 'audit', mostPolicies).filter(({label}) => asWord.test(label))
	const guids = new Set(policies.map(({value}) => value.toLowerCase()))
	if (!inventory.spread().some(({policyGuid, compromised}) => compromised > 0 && guids.has(policyGuid))) return null
	// By their current names: a policy may have been renamed.
	const names = [...new Set(policies.map(({label}) => label))]
	const filter = `compromised:yes ${anyOf('policy', names)}`
	const {rows, matching} = inventory.few(filter, mostRows, Number.MAX_SAFE_INTEGER)
	if (matching === 0) return null
	return {
		kind: 'audit_policy',
		title: `${counted(matching, ['compromised computer has', 'compromised computers have'])} a policy that by its name only audits`,
		count: matching,
		names: groupsOf(rows),
		since: null,
		open: computersWith(filter),
		urgency: 'know'
	}
}

/** The groups of these rows, those with the most of them first. */
function groupsOf(rows: ReturnType<OverviewInventory['few']>['rows']) {
	const groups = [...Map.groupBy(rows, ({groupName}) => groupName)].toSorted(
		([one, rowsOfOne], [other, rowsOfOther]) => rowsOfOther.length - rowsOfOne.length || one.localeCompare(other)
	)
	return firstOf(groups.map(([name]) => (name === '' ? 'no group' : name)))
}

function firstOf(groups: readonly string[]) {
	const rest = groups.length - namesShown
	return [...groups.slice(0, namesShown), ...(rest > 0 ? [`${formatCount(rest)} more ${formOf(rest, nouns.group)}`] : [])]
}
