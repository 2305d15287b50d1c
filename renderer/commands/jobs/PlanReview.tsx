import {useMemo, useState} from 'react'

import {type JobAction, type JobPlan, type LeftOut, type PlanTarget, waitBetweenWaves} from '#model/job.ts'
import {asSentence} from '#shared/sentence.ts'
import {formatDuration} from '#text/durations.ts'
import {leaseEnd, termWords} from '#text/isolation.ts'
import {counted, formatCount} from '#text/numbers.ts'
import {nouns} from '#text/terms.ts'
import {targetsWords} from '#text/acts.ts'
import {Banner} from '#ui/States.tsx'
import {cx} from '#ui/cx.ts'
import {Disclosure} from '#ui/Disclosure.tsx'
import {type Fact, KeyValue, fact} from '#ui/Facts.tsx'
import {DataTable} from '#ui/table/DataTable.tsx'
import type {TableColumn} from '#ui/table/types.ts'
import {Time} from '#ui/Time.tsx'
import {inProductOrder, productTitle} from '../directory/directory-words.ts'
import {type LeftOutGroup, leftOutGroups, observedWords, stopShareWords, wavesWords} from './job-words.ts'
import styles from './jobs.module.css'
import {t} from './text.ts'
import {useComputersBelow, useNames} from './use-names.ts'

/**
 * Everything that an operator must see before approving: targets and their last reading, skipped ones and reasons, cost,
 * waves.
 */
export function PlanReview({plan}: {plan: JobPlan}) {
	const {action, targets, leftOut, because, tier} = plan
	const names = useNames(action.kind === 'move' || action.kind === 'policies')
	return (
		<div className={styles.part}>
			{targets.length === 0 && (
				<Banner tone="bad">
					{t.noTargetsLeft} {leftOut.length === 0 ? '' : t.reasonsListed}
				</Banner>
			)}
			{tier === 3 && targets.length > 0 && <Banner tone="warning">{because.map(asSentence).join(' ')}</Banner>}
			{targets.length !== 0 && <Targets plan={plan} names={names} />}
			<LeftOutList leftOut={leftOut} />
			<KeyValue facts={factsOf(plan, names)} />
		</div>
	)
}

function Targets({plan: {action, targets}, names}: {plan: JobPlan; names: (guid: string) => string}) {
	const computers = useComputersBelow(action.kind === 'policies')
	const warned = targets.filter(({warnings}) => warnings.length > 0).length
	const isNoted = warned > 0 || targets.some(({note}) => note !== null)
	const columns = useMemo(
		() => [labelColumn(action), ...stateColumns(action, names, computers), ...(isNoted ? [warnings] : [])],
		[action, names, computers, isNoted]
	)
	return (
		<section aria-label={t.targets} className={styles.targets}>
			<p className="quiet">
				{t.listFrozen(targetsWords(action.kind, targets.length), warned === 0 ? '' : t.warningGoLast(formatCount(warned)))}{' '}
				<Time at={targets[0]?.observedAt ?? null} focusable />
			</p>
			<div className={cx(styles.table, targets.length < 5 && styles.short)}>
				<DataTable
					label={t.targetsPlan}
					source={targets}
					columns={columns}
					rowKey={({id}) => id}
					describe={target => describeTarget(action, target, names)}
				/>
			</div>
		</section>
	)
}

/** No target is dropped silently: each reason lists its rows. */
export function LeftOutList({leftOut}: {leftOut: readonly LeftOut[]}) {
	const groups = useMemo(() => leftOutGroups(leftOut), [leftOut])
	if (groups.length === 0) return null
	return (
		<section className="tight" aria-label={t.skipped}>
			<p className="quiet">{t.skippedByReason(formatCount(leftOut.length))}</p>
			{groups.map(group => (
				<LeftOutRows key={group.kind} group={group} />
			))}
		</section>
	)
}

const mostRows = 200

function LeftOutRows({group: {kind, title, rows}}: {group: LeftOutGroup}) {
	// Targets not found or invalid are never hidden.
	const [isOpen, setOpen] = useState(kind === 'not_found' || kind === 'invalid' || rows.length < 6)
	return (
		<Disclosure title={title} summary={formatCount(rows.length)} isOpen={isOpen} onToggle={setOpen}>
			<ul className={styles.rows} tabIndex={0} aria-label={`${title}: ${rows.length}`}>
				{rows.slice(0, mostRows).map(({id, label, message}, index) => (
					// oxlint-disable-next-line react/no-array-index-key -- a name may be there several times, and rows never move
					<li key={`${id} ${index}`} title={id}>
						<b>{label}</b> <span>{message}</span>
					</li>
				))}
				{rows.length > mostRows && <li>{t.moreSavePlan(formatCount(rows.length - mostRows))}</li>}
			</ul>
		</Disclosure>
	)
}

function factsOf(plan: JobPlan, names: (guid: string) => string) {
	const {action, cost, waves, stopShare, targets} = plan
	const stays = cost.leaves === null ? 'what stays is not known yet' : `${formatCount(cost.leaves)} left for other work`
	const price = `at most ${formatCount(cost.calls)} calls: ${counted(cost.writes, nouns.change)}, ${formatCount(cost.reads)} readings; ${stays}`
	return [
		...agreedFacts(action, names),
		targets.length > 0 && fact('Cost', price),
		targets.length > 0 && fact('Time', timeOf(plan)),
		targets.length > 0 && fact('Waves', `${wavesWords(waves)}; ${stopShareWords(stopShare)}`)
	]
}

function timeOf(plan: JobPlan) {
	const wait = waitBetweenWaves(plan)
	return [
		`${formatDuration(1000 * plan.cost.seconds)} to send, at the pace of the API limit`,
		...(wait === 0 ? [] : [`at most ${formatDuration(1000 * wait)} more between the waves, until their agents have answered`]),
		...(agentsAnswer(plan.action) ? ['agents answer in their own time'] : [])
	].join('; ')
}

function agentsAnswer({kind}: JobAction) {
	return kind === 'isolate' || kind === 'release'
}

/** The approved plan without its targets. */
export function agreedFacts(action: JobAction, names: (guid: string) => string): readonly Fact[] {
	const facts: Fact[] = [fact('Reason', action.reason)]
	if (typeof action.ticket === 'string') facts.push(fact('Ticket', action.ticket))
	if (action.kind === 'isolate') {
		const {hours, auto} = action.lease
		facts.push(fact('Lease', `${hours === null ? '' : `${termWords(hours)}; `}${leaseEnd(hours !== null, auto)}`))
		facts.push(fact('Unlock code', action.code === 'generated' ? 'random for each computer, stored encrypted' : 'made by the service'))
	}
	if (action.kind === 'move') facts.push(fact('To the group', names(action.group)))
	if (action.kind === 'policies')
		for (const [product, policy] of Object.entries(action.policies)) facts.push(fact(`Policy (${productTitle(product)})`, names(policy)))
	return facts
}

/** A plan's targets: as last read, and where it matters as they would be afterwards. */
type Names = (guid: string) => string
type Columns = readonly TableColumn<PlanTarget>[]

function labelColumn({kind}: JobAction): TableColumn<PlanTarget> {
	const isHash = /hashes/.test(kind)
	// The warnings need the room beside a host name.
	const [title, width, grows] = isHash ? ['SHA-256', 300, 300] : kind === 'policies' ? ['Group', 150, 150] : ['Computer', 180, 60]
	return {...{id: 'label', title, width, grows}, look: isHash ? 'mono' : 'name', cell: ({id, label}) => <span title={id}>{label}</span>}
}

/** `computers` of a group and its subgroups; `undefined` if unknown. */
function stateColumns(action: JobAction, names: Names, computers: (guid: string) => number | undefined): Columns {
	const column = (id: string, title: string, cell: (target: PlanTarget) => string): TableColumn<PlanTarget> => ({
		...{id, title, width: 130},
		cell: target => <span title={cell(target)}>{cell(target)}</span>
	})
	const now = (target: PlanTarget) => stateOf(action, target, names)
	switch (action.kind) {
		case 'move':
			return [column('observed', 'From', now), column('to', 'To', () => names(action.group))]
		case 'policies':
			return [
				{...column('computers', 'Computers', ({id}) => countWords(computers(id))), width: 90, align: 'end', yields: 1},
				column('observed', 'Before', now),
				column('to', 'After', () => policiesAfter(action.policies, names))
			]
		default:
			return [{...column('observed', 'Now', now), grows: 0}]
	}
}

const warnings: TableColumn<PlanTarget> = {
	id: 'warnings',
	title: 'Warnings',
	width: 400,
	cell: ({warnings: found, note}) =>
		found.length === 0 ? (
			(note ?? '')
		) : (
			<span className="warn" title={found.join(' ')}>
				▲ {found.join(' ')}
			</span>
		)
}

/** A row as the screen reader announces it. */
export function describeTarget(action: JobAction, target: PlanTarget, names: Names) {
	const after = action.kind === 'policies' ? `then ${policiesAfter(action.policies, names)}` : ''
	const parts = [target.label, stateOf(action, target, names), after, ...target.warnings]
	return parts.filter(part => part !== '').join(', ')
}

function stateOf(action: JobAction, {observed}: PlanTarget, names: Names) {
	if (action.kind === 'policies') return policiesBefore(action.policies, observed, names)
	return observedWords(named(observed, names)).replace(/^group: /, '')
}

/** `Audit · inherited`; of several products `Windows: Audit · inherited, Linux: none`. */
export function policiesBefore(policies: Readonly<Record<string, string>>, observed: PlanTarget['observed'], names: Names) {
	return byProduct(policies, product => {
		const guid = observed[product]
		const how = observed[`${product} inherited`] === true ? ' · inherited' : ' · own'
		return typeof guid === 'string' ? `${names(guid)}${how}` : 'none'
	})
}

export function policiesAfter(policies: Readonly<Record<string, string>>, names: Names) {
	return byProduct(policies, product => `${names(policies[product] ?? '')} · own`)
}

function byProduct(policies: Readonly<Record<string, string>>, words: (product: string) => string) {
	const products = inProductOrder(Object.keys(policies))
	const named = (product: string) => `${productTitle(product)}: ${words(product)}`
	return products.map(product => (products.length === 1 ? words(product) : named(product))).join(', ')
}

function countWords(count: number | undefined) {
	return count === undefined ? '?' : formatCount(count)
}

function named(observed: PlanTarget['observed'], names: Names): PlanTarget['observed'] {
	return Object.fromEntries(Object.entries(observed).map(([name, value]) => [name, typeof value === 'string' ? names(value) : value]))
}
