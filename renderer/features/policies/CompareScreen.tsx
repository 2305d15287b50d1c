import {useQuery} from '@tanstack/react-query'
import {useNavigate} from '@tanstack/react-router'
import {useMemo, useState} from 'react'

import type {PolicyDetail, PolicyRow} from '#contract/directory.ts'
import {isRecord} from '#shared/is-record.ts'
import {stringifyExact} from '#model/exact-json.ts'
import {useConnected} from '#api/hooks.tsx'
import {CompareFrame} from '#commands/compare/CompareFrame.tsx'
import {type DiffLine, summaryOf, verdictOf} from '#commands/compare/diff-line.ts'
import {DiffRows, type DiffRowsProps, DiffTable} from '#commands/compare/DiffTable.tsx'
import {listTypeTitle, productTitle} from '#commands/directory/directory-words.ts'
import {usePolicies} from '#commands/directory/use-directory.ts'
import {useAddress} from '#kit/use-address.ts'
import {Disclosure} from '#ui/Disclosure.tsx'
import {EmptyState, SkeletonLines, LocalDataError, Unloaded} from '#ui/States.tsx'
import {useKey} from '#ui/keys/KeyRegistry.tsx'
import {Select} from '#ui/Select.tsx'
import {Card} from '#ui/Screen.tsx'
import {usePolicyDetail, usePolicyXml} from './PolicyParts.tsx'
import styles from './policies.module.css'
import {t} from './text.ts'
import {xmlDiff} from './xml-settings.ts'

export function CompareScreen() {
	const {search, change} = useAddress('/policies/compare')
	const navigate = useNavigate()
	const copy = usePolicies()
	const {items: policies} = copy
	useKey('policy.back', () => void navigate({to: '/policies', search: {}}))
	if (copy.error !== null && policies === undefined) return <LocalDataError error={copy.error} onRetry={copy.retry} />
	const first = <Choice label={t.first} policies={policies ?? []} value={search.a} onChange={a => change({a})} />
	const second = <Choice label={t.second} policies={policies ?? []} value={search.b} onChange={b => change({b})} />
	return (
		<CompareFrame
			title={t.compareTwoPolicies}
			list={{href: '/policies', title: 'All policies'}}
			isAll={search.all ?? false}
			onAll={all => change({all: all ? true : undefined})}
			{...{first, second}}
			onExchange={() => change({a: search.b, b: search.a})}
		>
			{policies === undefined ? (
				<SkeletonLines lines={8} label={t.loadingThePolicies} />
			) : search.a === undefined || search.b === undefined ? (
				<EmptyState title={t.chooseTwoPolicies}>{t.comparesFields}</EmptyState>
			) : search.a === search.b ? (
				<EmptyState title={t.bothSidesShow}>{t.chooseAnotherOne}</EmptyState>
			) : (
				<Compared a={search.a} b={search.b} isAll={search.all ?? false} />
			)}
		</CompareFrame>
	)
}

interface ChoiceProps {
	label: string
	policies: readonly PolicyRow[]
	value: string | undefined
	onChange: (guid: string) => void
}

function Choice({label, policies, value, onChange}: ChoiceProps) {
	return (
		<Select
			label={label}
			value={value ?? null}
			onChange={onChange}
			placeholder={t.chooseAPolicy}
			options={policies.map(({guid, name, product, serial}) => ({
				value: guid,
				label: `${name} · ${productTitle(product)}`,
				...(serial !== null && {detail: `serial ${serial}`})
			}))}
		/>
	)
}

function Compared({a, b, isAll}: {a: string; b: string; isAll: boolean}) {
	const [one, other] = [usePolicyDetail(a), usePolicyDetail(b)]
	useDetails(one.data)
	useDetails(other.data)
	if (one.data === undefined || other.data === undefined)
		return <Unloaded of={one.data === undefined && other.error === null ? one : other} lines={8} label={t.loadingThePolicies} />
	if (one.data === null || other.data === null) return <EmptyState title={t.oneThemUnknown}>{t.deletedElsewhere}</EmptyState>
	return <Differences a={one.data} b={other.data} isAll={isAll} />
}

/** Without its details, one call, a policy has no lists to compare. */
function useDetails(policy: PolicyDetail | null | undefined) {
	const {client, connection} = useConnected()
	const {guid = '', fileLists} = policy?.row ?? {}
	useQuery({
		queryKey: ['details', connection, guid],
		queryFn: async () => await client.directory.policies.refreshOne({connection, guid}),
		enabled: fileLists === null,
		retry: false
	})
}

function Differences({a, b, isAll}: {a: PolicyDetail; b: PolicyDetail; isAll: boolean}) {
	const lines = useMemo(() => diffOf(a.record, b.record, {a: a.row.fileLists === null, b: b.row.fileLists === null}), [a, b])
	const names = [a.row.name, b.row.name] as const
	return (
		<>
			<DiffTable
				lines={lines.filter(({title}) => title !== titles['used_in_groups'])}
				{...{names, isAll}}
				more={a.row.product === b.row.product ? '' : t.twoMadeDifferent}
			/>
			<div className={styles.part}>
				<Folded title={t.usedInGroups} lines={lines.filter(({title}) => title === titles['used_in_groups'])} {...{names, isAll}} />
				<Settings a={a.row.guid} b={b.row.guid} {...{names, isAll}} />
			</div>
		</>
	)
}

interface FoldedProps extends DiffRowsProps {
	title: string
	isOpen?: boolean
}

/** A part of the comparison that opens; nothing where all of it is equal, unless asked for. */
function Folded({title, lines, names, isAll, isOpen: begun = false}: FoldedProps) {
	const [isOpen, setOpen] = useState(begun)
	if (lines.every(line => verdictOf(line) === 'same') && (!isAll || lines.length === 0)) return null
	return (
		<Disclosure title={title} summary={summaryOf(lines)} isOpen={isOpen} onToggle={setOpen}>
			<DiffRows {...{lines, names, isAll}} />
		</Disclosure>
	)
}

/** The settings themselves, from the XML for agents: one call for each policy. */
function Settings({a, b, names, isAll}: {a: string; b: string} & Omit<DiffRowsProps, 'lines'>) {
	const [one, other] = [usePolicyXml(a), usePolicyXml(b)]
	const groups = useMemo(
		() => (one.data === undefined || other.data === undefined ? undefined : xmlDiff(one.data.text, other.data.text)),
		[one.data, other.data]
	)
	return (
		<Card title={t.settings}>
			{groups !== undefined ? (
				<div className={styles.part}>
					<p role="status">{summaryOf(groups.flatMap(({lines}) => lines))}.</p>
					{groups.map(({title, lines}) => (
						<Folded key={title} {...{title, lines, names, isAll}} isOpen={lines.some(line => verdictOf(line) === 'differs')} />
					))}
				</div>
			) : (
				<Unloaded of={one.data === undefined ? one : other} lines={4} label={t.loadingTheXml} />
			)}
		</Card>
	)
}

type Fields = Readonly<Record<string, unknown>>

/** Fields unrelated to a policy's effect, which always differ. */
const ownNames: ReadonlySet<string> = new Set(['guid', 'links'])

/** Fields only in a policy's details, one call each. */
const ofDetails: ReadonlySet<string> = new Set(['file_lists', 'ip_lists', 'isolation_ip_lists', 'exclusion_sets', 'used_in_groups'])

/**
 * Fields of two records side by side. Lists of named things are compared by GUID, one line each, so that a thing of only one list
 * has its own line. `unread`: whose details are not loaded, so missing fields are uncertain: also those that neither has.
 */
export function diffOf(a: Fields, b: Fields, unread = {a: false, b: false}): readonly DiffLine[] {
	const known = linesOf(a, b)
	const lacking = unread.a || unread.b ? [...ofDetails].filter(field => !known.some(line => line.field === field)) : []
	return [...known, ...lacking.map(field => ({field, a: '', b: ''}))].map(({field, ...line}) => ({
		title: fieldTitle(field),
		a: unread.a && ofDetails.has(field) ? null : line.a,
		b: unread.b && ofDetails.has(field) ? null : line.b
	}))
}

interface FieldLine {
	field: string
	a: string
	b: string
}

function linesOf(a: Fields, b: Fields): readonly FieldLine[] {
	const fields = [...new Set([...Object.keys(a), ...Object.keys(b)])].filter(field => !ownNames.has(field))
	return fields.flatMap(field => {
		const [one, other] = [a[field], b[field]]
		return isNamedList(one) || isNamedList(other) ? listLines(field, one, other) : [{field, a: wordOf(field, one), b: wordOf(field, other)}]
	})
}

function listLines(field: string, a: unknown, b: unknown): readonly FieldLine[] {
	const [had, has] = [namesOf(a), namesOf(b)]
	const names = new Map([...had, ...has])
	return [...names.keys()]
		.toSorted((x, y) => (names.get(x) ?? '').localeCompare(names.get(y) ?? '', 'en'))
		.map(guid => ({field, a: had.get(guid) ?? '', b: has.get(guid) ?? ''}))
}

function isNamedList(value: unknown): value is readonly Fields[] {
	return Array.isArray(value) && value.length > 0 && value.every(each => isRecord(each) && 'guid' in each)
}

function namesOf(value: unknown): ReadonlyMap<string, string> {
	if (!isNamedList(value)) return new Map()
	return new Map(
		value.map(each => {
			const type = typeof each['type'] === 'string' ? ` (${listTypeTitle(each['type'])})` : ''
			return [String(each['guid']), `${String(each['name'] ?? each['guid'])}${type}`]
		})
	)
}

function wordOf(field: string, value: unknown) {
	if (field === 'product' && typeof value === 'string') return productTitle(value)
	if (typeof value === 'boolean') return value ? 'yes' : 'no'
	return textOf(value)
}

function textOf(value: unknown) {
	if (value === undefined || value === null) return ''
	if (Array.isArray(value) && value.length === 0) return ''
	return typeof value === 'object' ? (stringifyExact(value) ?? '') : String(value)
}

const titles: Readonly<Record<string, string>> = {
	file_lists: 'File list',
	ip_lists: 'IP list',
	isolation_ip_lists: 'Isolation IP list',
	exclusion_sets: 'Exclusion set',
	used_in_groups: 'Used in group',
	serial_number: 'Serial number'
}

/** Readable name of a field; unknown ones keep the service's spelling. */
function fieldTitle(field: string) {
	const known = titles[field]
	if (known !== undefined) return known
	const words = field.replaceAll('_', ' ')
	return `${words.slice(0, 1).toUpperCase()}${words.slice(1)}`
}
