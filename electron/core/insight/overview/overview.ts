import type {InventorySums} from '#core/replicas/computers/aggregates.ts'
import type {Overview, Tile} from '#contract/insight.ts'
import {tileTitles} from '#text/terms.ts'
import {funnelMs, funnelOf, lastActionsOf} from './actions.ts'
import {attentionOf, shownOf} from './attention.ts'
import type {OverviewInventory, OverviewDependencies} from './types.ts'
import {anyOf, computersWith} from './words.ts'

const dayMs = 86_400_000
/** The service lists so many computers with one call. */
const pageSize = 500

/** Everything on the first screen, from local data: no query to the service. */
export async function overviewOf(deps: OverviewDependencies): Promise<Overview> {
	const {inventory, now, events} = deps
	const state = inventory.state()
	return {
		checkedAt: new Date(now).toISOString(),
		computersAt: state.completeAt ?? state.readAt,
		eventsAt: events.readAt,
		refreshCalls: Math.max(1, Math.ceil((state.total ?? state.rows) / pageSize)) + 1 + (events.refreshCalls ?? 0),
		attention: shownOf(await attentionOf(deps)),
		tiles: tilesOf(inventory, now),
		groups: groupsOf(inventory),
		connectors: connectorsOf(inventory),
		// To the minute: what was counted once is counted on.
		isolation: await funnelOf(deps, {since: new Date(now - (now % 60_000) - funnelMs).toISOString()}),
		lastActions: await lastActionsOf(deps),
		audit: deps.audit
	}
}

function tilesOf(inventory: OverviewInventory, now: number) {
	const counts = inventory.counts()
	const {rows, total, completeAt} = inventory.state()
	const atLeast = completeAt === null && total !== null && total > rows
	const old = behind(inventory.sums().builds)
	const tile = (kind: Tile['kind'], count: number, filter: string): Tile => ({
		kind,
		title: tileTitles[kind],
		count,
		atLeast,
		open: computersWith(filter)
	})
	return [
		tile('computers', counts.computers, ''),
		tile('seen_24h', inventory.seenBetween(now - dayMs, Number.MAX_SAFE_INTEGER), 'last_seen<24h'),
		tile('stale_30d', inventory.seenBetween(0, now - 30 * dayMs), 'last_seen>30d'),
		tile('compromised', counts.compromised, 'compromised:yes'),
		tile('isolated', counts.isolated, 'isolation:isolated'),
		tile('pending', counts.pendingStart + counts.pendingStop, 'isolation:pending*'),
		tile(
			'behind',
			old.computers,
			// Nothing is older than 0: an empty list.
			old.versions.length === 0 ? 'connector<0' : anyOf('connector', old.versions)
		)
	]
}

function groupsOf(inventory: OverviewInventory): Overview['groups'] {
	return inventory
		.sums()
		.groups.map(({guid, name, computers, compromised}) => ({
			guid,
			name: name === '' ? 'No group' : name,
			computers,
			compromised,
			open: computersWith(guid === '' ? 'group:empty' : anyOf('group', [guid]))
		}))
}

function connectorsOf(inventory: OverviewInventory): Overview['connectors'] {
	return byFamily(inventory.sums().builds).map(({connector, family, computers, systems}) => ({
		version: connector === '' ? 'unknown' : connector,
		os: family,
		computers,
		open: computersWith(`${connector === '' ? 'connector:empty' : anyOf('connector', [connector])} ${systemTerm(systems)}`.trim())
	}))
}

function systemTerm(systems: readonly string[]) {
	if (systems.every(system => system === '')) return 'os:empty'
	return anyOf(
		'os',
		systems.filter(system => system !== '')
	)
}

type Build = InventorySums['builds'][number]

/** Families of operating systems, few enough for a chart. */
const families = ['Windows', 'Windows Server', 'macOS', 'Linux', 'other'] as const
type Family = (typeof families)[number]

function familyOf(os: string): Family {
	if (/windows/i.test(os)) return /server/i.test(os) ? 'Windows Server' : 'Windows'
	if (/mac ?os|os ?x|darwin/i.test(os)) return 'macOS'
	if (/linux|ubuntu|debian|cent ?os|red ?hat|rhel|fedora|suse|rocky|alma|amazon|oracle/i.test(os)) return 'Linux'
	return 'other'
}

interface FamilyBuild {
	connector: string
	family: Family
	computers: number
	/** The systems behind the family. */
	systems: readonly string[]
}

/** Sums by connector version and family, newest version first. */
function byFamily(builds: readonly Build[]): readonly FamilyBuild[] {
	const groups = Map.groupBy(builds, ({connector, os}) => `${connector}\n${familyOf(os)}`)
	return [...groups.values()]
		.flatMap(group => {
			const [first] = group
			if (first === undefined) return []
			const computers = group.reduce((sum, build) => sum + build.computers, 0)
			const systems = group.map(({os}) => os)
			return [{connector: first.connector, family: familyOf(first.os), computers, systems}]
		})
		.toSorted((a, b) => compareVersions(b.connector, a.connector) || families.indexOf(a.family) - families.indexOf(b.family))
}

/**
 * Versions behind the newest release (major and minor) in use here. Windows and other connectors are numbered separately, so each
 * is compared with its own.
 */
function behind(builds: readonly Build[]): {versions: readonly string[]; computers: number} {
	const lines = Map.groupBy(
		builds.filter(({connector}) => connector !== ''),
		({os}) => /windows/i.test(os)
	)
	const old = [...lines.values()].flatMap(line => {
		const newest = line.map(({connector}) => releaseOf(connector)).reduce(later, '')
		return line.filter(({connector}) => compareVersions(releaseOf(connector), newest) < 0)
	})
	const versions = [...new Set(old.map(({connector}) => connector))].toSorted(compareVersions)
	// Counts by version, not from the lists: the same as the opened list shows.
	const computers = builds.filter(({connector}) => versions.includes(connector)).reduce((sum, build) => sum + build.computers, 0)
	return {versions, computers}
}

function releaseOf(version: string) {
	return version.split('.').slice(0, 2).join('.')
}

function later(a: string, b: string) {
	return compareVersions(a, b) >= 0 ? a : b
}

/** By numbers; a version without numbers comes first. */
function compareVersions(a: string, b: string) {
	return a.localeCompare(b, 'en', {numeric: true})
}
