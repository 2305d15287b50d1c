import {pages} from '#core/actions/isolation/watches.ts'
import {isolateWarnings, releaseWarnings} from '#core/actions/isolation/warnings.ts'
import {breaths} from '#base/breaths.ts'
import {type ComputersArgs, getComputer, getComputers} from '#core/service/api/endpoints/computers.ts'
import {getIsolation, getIsolationMethods} from '#core/service/api/endpoints/isolation.ts'
import {pageSize, type WalkOptions} from '#core/service/api/pages.ts'
import type {ApiClient, CallOptions} from '#core/service/api/types.ts'
import {CordonError, foundOrNull} from '#contract/errors.ts'
import type {Computer} from '#model/computer.ts'
import {isGuid, isSameGuid, normalGuid} from '#model/formats.ts'
import {type Isolation, isHeld, pendingTooLongMs, isolateCommand, releaseCommand} from '#model/isolation.ts'
import type {JobAction, ObservedState} from '#model/job.ts'
import {jobMark} from '#text/isolation.ts'
import {hashAction} from './hashes.ts'
import {policiesAction} from './policies.ts'
import type {Action, ReadHow, ReadServices, Seen} from './types.ts'

/** `job` goes into the comment of an isolation, so that the service's own record leads to our log. */
export function actionOf(services: ReadServices, action: JobAction, job: string): Action {
	switch (action.kind) {
		case 'isolate':
		case 'release':
			return isolationAction(services, action, commentOf(action.reason, action.ticket, job))
		case 'move':
			return moveAction(services, action)
		case 'policies':
			return policiesAction(services, action)
		case 'add_hashes':
		case 'remove_hashes':
		case 'change_hashes':
			return hashAction(services, action)
	}
}

function commentOf(reason: string, ticket: string | null, job: string) {
	return `${reason}${ticket === null || ticket === '' ? '' : ` [${ticket}]`} ${jobMark(job)}`
}

type MoveAction = Extract<JobAction, {kind: 'move'}>

const patienceMs = 120_000
const moveCommand = 'svc_move_computer'

function moveAction(services: ReadServices, {group}: MoveAction): Action {
	const {inventory} = services
	return {
		resolve: typed => resolveComputer(inventory, typed),
		read: (ids, how) => readGroups(services, ids, how),
		// The old group does not lead to a computer that was moved.
		cost: ids => computersCost(services, ids, true),
		leaveOut: ({observed}) => (observed['group'] === group ? {kind: 'nothing_to_do', message: 'It is in this group already.'} : null),
		warnings: ({row}) => [
			...(row?.duplicate === true ? ['Another computer has the same host name: compare the GUID.'] : []),
			...(row?.isolation === 'isolated' ? ['It is isolated: the new policy may not allow isolation.'] : [])
		],
		command: ({id}) => ({name: moveCommand, args: {connector_guid: id, group_guid: group}}),
		progress: observed => (observed['group'] === group ? 'reached' : 'not_yet'),
		opposes: ({command, args}) => command === moveCommand && !isSameGuid(args?.['group_guid'], group),
		words: ({group: found}) => groupName(inventory, String(found ?? '')),
		// The answer names the new group, but an answer is no observation.
		answered: () => null,
		settledBy: () => null,
		patienceMs,
		agents: false
	}
}

async function readGroups(services: ReadServices, ids: readonly string[], how: ReadHow) {
	const read = await readComputers(services, ids, {...how, whole: true})
	const seen = new Map<string, Seen | null>()
	for (const [id, found] of read) {
		const observed = {group: found?.computer.group_guid?.toLowerCase() ?? null}
		const row = services.inventory.row(id) ?? null
		seen.set(id, found && {label: found.computer.hostname ?? id, observed, at: found.at, row})
	}
	return seen
}

function groupName(inventory: ReadServices['inventory'], guid: string) {
	return inventory.groups().find(group => group.guid === guid)?.name ?? guid
}

type IsolationAction = Extract<JobAction, {kind: 'isolate' | 'release'}>

/** So many that the listing calls unavailable are asked one by one; the rest is believed. */
const mostDoubtful = 20

function isolationAction(services: ReadServices, action: IsolationAction, comment: string): Action {
	const isolates = action.kind === 'isolate'
	return {
		resolve: typed => resolveComputer(services.inventory, typed),
		read: (ids, how) => readStates(services, ids, how, isolates),
		cost: (ids, whole) => computersCost(services, ids, whole),
		leaveOut: ({observed}) => (isolates ? notIsolatable(observed) : notReleasable(observed)),
		warnings: ({row}, now) => (row === null ? [] : isolates ? isolateWarnings(row, now) : releaseWarnings(row, now)),
		command: ({id}) => ({name: isolates ? isolateCommand : releaseCommand, args: {connector_guid: id, comment}}),
		progress: observed => progressOf(observed, isolates),
		opposes: ({command}) => command === (isolates ? releaseCommand : isolateCommand),
		words: ({isolation}) => String(isolation),
		// Both answer with the state; so does a refused release.
		answered: ({data}) => stateIn(data as Partial<Isolation> | null),
		settledBy: error => settled(error, isolates),
		patienceMs: pendingTooLongMs,
		agents: isolates
	}
}

async function readStates(services: ReadServices, ids: readonly string[], how: ReadHow, isolates: boolean) {
	const read = await readComputers(services, ids, how)
	const seen = new Map<string, Seen | null>()
	const breath = breaths()
	for (const [id, found] of read) {
		await breath()
		const state = found?.computer.isolation
		const observed = {isolation: state?.status ?? 'unknown', available: state?.available ?? false}
		const label = found?.computer.hostname ?? id
		seen.set(id, found && {label, observed, at: found.at, row: services.inventory.row(id) ?? null})
	}
	return how.whole && isolates ? await withoutDoubt(services, seen, how) : seen
}

/** The service itself is asked where the listing says that it cannot be done. */
async function withoutDoubt(services: ReadServices, seen: Map<string, Seen | null>, how: ReadHow) {
	const doubtful = [...seen].filter(([, one]) => one?.observed['isolation'] === 'not_isolated' && one.observed['available'] !== true)
	if (doubtful.length > mostDoubtful) return seen
	for (const [id, one] of doubtful)
		if (one !== null && (await offersPut(services, id, how))) seen.set(id, {...one, observed: {...one.observed, available: true}})
	return seen
}

async function offersPut({client}: ReadServices, id: string, {signal}: ReadHow) {
	try {
		const {data} = await getIsolationMethods(client, {connector_guid: id}, {signal, purpose: 'job'})
		return data.includes('PUT')
	} catch (error) {
		if (error instanceof CordonError && error.code !== 'cancelled') return false
		throw error
	}
}

function notIsolatable({isolation, available}: ObservedState) {
	if (isolation === 'isolated') return nothing('It is isolated already.')
	if (isolation === 'pending_start') return nothing('It is starting isolation already.')
	if (isolation === 'pending_stop') return not('Release in progress. Wait for confirmation.')
	if (isolation !== 'not_isolated') return not(`Its state is ${JSON.stringify(isolation)}, which is not known here.`)
	return available === true ? null : not('Isolation is not allowed by its policy, or not supported by its system.')
}

function notReleasable({isolation}: ObservedState) {
	if (isolation === 'not_isolated') return nothing('It is not isolated.')
	if (isolation === 'pending_stop') return nothing('Release already in progress.')
	if (isHeld(isolation)) return null
	return not(`Its state is ${JSON.stringify(isolation)}, which is not known here.`)
}

function nothing(message: string): ReturnType<Action['leaveOut']> {
	return {kind: 'nothing_to_do', message}
}

function not(message: string): ReturnType<Action['leaveOut']> {
	return {kind: 'not_possible', message}
}

function progressOf({isolation}: ObservedState, isolates: boolean) {
	const [wanted, pending] = isolates ? ['isolated', 'pending_start'] : ['not_isolated', 'pending_stop']
	return isolation === wanted ? 'reached' : isolation === pending ? 'under_way' : 'not_yet'
}

function stateIn(data: Partial<Isolation> | null): ObservedState | null {
	if (typeof data?.status !== 'string') return null
	return {isolation: data.status, available: data.available === true}
}

/** 409 is a state, not a fault. A lost answer to an isolation tells of a wanted state only where that is somebody else's. */
function settled(error: CordonError, isolates: boolean) {
	const {state} = error.details
	const isRead = error.code === 'conflict' || (isolates && error.code === 'outcome_unknown')
	if (!isRead || state === undefined) return null
	return progressOf({isolation: state}, isolates) === 'not_yet' ? null : state
}

/** Reads many computers the cheapest way: one by one, by their groups, or through the whole listing (500 a call). */
interface ReadComputer {
	computer: Computer
	at: number
}
type ReadComputers = ReadonlyMap<string, ReadComputer | null>

type Way = {kind: 'single'} | {kind: 'listing'; groups: readonly string[] | null}

/** So many groups still make a short address. */
const mostGroups = 20

function computersCost({inventory}: ReadServices, ids: readonly string[], whole: boolean) {
	const way = wayTo({inventory}, ids, whole)
	if (way.kind === 'single') return ids.length
	return way.groups === null ? pages({inventory}) : groupPages(inventory, way.groups)
}

async function readComputers(services: ReadServices, ids: readonly string[], how: ReadHow): Promise<ReadComputers> {
	const options: CallOptions = {signal: how.signal, purpose: 'job'}
	const way = wayTo(services, ids, how.whole)
	if (way.kind === 'single') return await readSingly(services, ids, options)
	return await readListing(services, new Set(ids), way.groups, {...options, ...how})
}

function wayTo({inventory}: Pick<ReadServices, 'inventory'>, ids: readonly string[], whole: boolean): Way {
	const all = pages({inventory})
	// By groups, one that moved elsewhere would not be seen.
	const groups = whole ? null : groupsOf(inventory, ids)
	const byGroups = groups === null ? Number.POSITIVE_INFINITY : groupPages(inventory, groups)
	if (ids.length <= Math.min(all, byGroups)) return {kind: 'single'}
	return {kind: 'listing', groups: byGroups < all ? groups : null}
}

function groupsOf(inventory: ReadServices['inventory'], ids: readonly string[]): readonly string[] | null {
	const groups = inventory.groupsOf(ids)
	return groups.includes('') || groups.length > mostGroups ? null : groups
}

function groupPages(inventory: ReadServices['inventory'], groups: readonly string[]) {
	const wanted = new Set(groups)
	const computers = inventory
		.groups()
		.filter(({guid}) => wanted.has(guid))
		.reduce((sum, group) => sum + group.computers, 0)
	return Math.max(1, Math.ceil(computers / pageSize))
}

async function readSingly(services: ReadServices, ids: readonly string[], options: CallOptions) {
	const read = new Map<string, ReadComputer | null>()
	for (const id of ids) read.set(id, await readOne(services, id, options))
	return read
}

async function readOne({client, inventory, clock}: ReadServices, id: string, options: CallOptions): Promise<ReadComputer | null> {
	const at = clock.now()
	const computer = await foundOrNull(readWhole(client, id, options))
	if (computer === null) inventory.vanished(id, clock.now())
	else inventory.observe([computer], at)
	return computer && {computer, at}
}

/** Records of older generations tell nothing of isolation. */
async function readWhole(client: ApiClient, id: string, options: CallOptions): Promise<Computer> {
	const {data: computer} = await getComputer(client, {connector_guid: id}, options)
	if (computer.isolation !== undefined) return computer
	const {available, status} = (await getIsolation(client, {connector_guid: id}, options)).data
	return {...computer, isolation: {available, status}}
}

async function readListing(
	{client, inventory}: ReadServices,
	ids: ReadonlySet<string>,
	groups: readonly string[] | null,
	options: CallOptions & ReadHow
) {
	const read = new Map<string, ReadComputer | null>()
	const walk: WalkOptions<Computer> = {
		...options,
		all: true,
		keep: false,
		onPage: (_new, {page, sentAt}) => {
			inventory.observe(page, sentAt)
			for (const computer of page) {
				const id = normalGuid(computer.connector_guid)
				if (ids.has(id)) read.set(id, {computer, at: sentAt})
			}
		}
	}
	const args: ComputersArgs = groups === null ? {} : {group_guid: groups}
	const listing = await getComputers(client, args, walk)
	if (listing.error !== null && (options.whole || read.size === 0)) throw listing.error
	if (options.whole) for (const id of ids) if (!read.has(id)) read.set(id, null)
	return read
}

/** A GUID as it is, or the exact name of one computer of the local copy. */
function resolveComputer(inventory: ReadServices['inventory'], typed: string): ReturnType<Action['resolve']> {
	if (isGuid(typed)) return {id: normalGuid(typed)}
	if (typed === '' || /["\\\s]/.test(typed)) return {left: {kind: 'invalid', message: 'This is neither a GUID nor a host name.'}}
	const guids = inventory.named(typed)
	const [only, second] = guids
	if (only === undefined) return {left: {kind: 'not_found', message: 'No computer that was read has this name.'}}
	if (second === undefined) return {id: only}
	return {left: {kind: 'invalid', message: `${guids.length} computers have this name: give the GUID.`}}
}
