import {useNavigate} from '@tanstack/react-router'
import {type Ref, useMemo, useRef, useState} from 'react'

import type {GroupNode, PolicyRow} from '#contract/directory.ts'
import {formatCount, formOf} from '#text/numbers.ts'
import {nouns} from '#text/terms.ts'
import {omitUndefined} from '#shared/omit-undefined.ts'
import {asCordonError} from '#api/errors.ts'
import {useConnected} from '#api/hooks.tsx'
import {inProductOrder, productTitle} from '#commands/directory/directory-words.ts'
import {DirectoryBanner} from '#commands/directory/DirectoryBanner.tsx'
import {DirectoryBar} from '#commands/directory/DirectoryBar.tsx'
import {NothingShown} from '#commands/directory/NothingShown.tsx'
import type {ExportedTable} from '#commands/directory/table-export.ts'
import {TableExportDialog} from '#commands/directory/TableExportDialog.tsx'
import {AddressField} from '#commands/filter/AddressField.tsx'
import {useAddress} from '#kit/use-address.ts'
import {type Copy, type DirectoryRefresh, isReading, useDirectoryRefresh, useGroups, usePolicies} from '#commands/directory/use-directory.ts'
import {useAnnounce} from '#ui/Announcer.tsx'
import {Button, useCopy} from '#ui/Button.tsx'
import {useAtCursor, useKeys} from '#ui/keys/KeyRegistry.tsx'
import {Screen} from '#ui/Screen.tsx'
import {Segments} from '#ui/Segments.tsx'
import {Select} from '#ui/Select.tsx'
import type {TableHandle} from '#ui/table/types.ts'
import {GroupMatrix} from './GroupMatrix.tsx'
import {type GroupLine, groupLines, productsIn} from './matrix.ts'
import styles from './policies.module.css'
import {answering, byProduct} from './policy-facts.ts'
import {PolicyPanel} from './PolicyPanel.tsx'
import {PolicyTable} from './PolicyTable.tsx'
import type {PoliciesSearch, PolicyView} from './search.ts'
import {t} from './text.ts'

const nobody: ReadonlySet<string> = new Set()

export function PoliciesScreen() {
	const screen = usePoliciesScreen()
	const {search, navigate, change, reading, selection, table, searchBox, refreshButton, atGroup, shown, isMatrix} = screen
	const {waiting, compare, nothing} = screen
	return (
		<Screen scrolls>
			<DirectoryBar
				title={t.policies}
				state={shown.policiesState}
				count={waiting ? null : <Counts isMatrix={isMatrix} count={shown.count} all={shown.all} />}
				details={{read: shown.read, of: shown.all}}
				reading={reading}
				refreshButton={refreshButton}
			>
				<Button onPress={compare} tooltip={t.selectTwoCompare} keys="Shift+D">
					{t.compare(selection.size === 2 ? t.theTwoSelected : '…')}
				</Button>
				<Button onPress={() => change({act: 'export'})} opens reason={shown.count === 0 ? t.noRowsExport : null} keys="e">
					{t.exportMore}
				</Button>
			</DirectoryBar>
			<PoliciesTools search={search} policies={shown.policies} onChange={change} onLeave={() => table.current?.focus()} searchBox={searchBox} />
			<DirectoryBanner
				state={shown.copy.state}
				what={isMatrix ? 'groups' : 'policies'}
				isEmpty={shown.all === 0}
				onRefresh={details => reading.refresh(details)}
			/>
			{isMatrix ? (
				<GroupMatrix
					lines={shown.lines}
					products={shown.products}
					asked={shown.asked}
					hasAny={shown.all > 0}
					waiting={waiting}
					empty={waiting ? undefined : nothing}
					handle={table}
					onOpen={({group}) => void navigate({to: '/groups', search: {group: group.guid}})}
					onCursor={line => {
						atGroup.current = line
					}}
				/>
			) : (
				<Policies screen={screen} />
			)}
			{search.act === 'export' && !waiting && <ExportDialog shown={shown} onClose={() => change({act: undefined})} />}
		</Screen>
	)
}

function Policies({screen}: {screen: PoliciesState}) {
	const {search, navigate, change, selection, setSelection, table, atPolicy, shown, waiting, openPolicy, peek} = screen
	const {nothing} = screen
	return (
		<PolicyTable
			view={search.view === 'lists' ? 'lists' : 'list'}
			policies={shown.rows}
			asked={shown.asked}
			from={search.from ?? 0}
			onFrom={from => change({from: from === 0 ? undefined : from})}
			waiting={waiting}
			hasAny={shown.all > 0}
			empty={waiting ? undefined : nothing}
			handle={table}
			selection={selection}
			onSelection={setSelection}
			onOpen={row => openPolicy(row.guid)}
			menu={({guid, name}) => ({
				title: name,
				acts: [
					[t.compareMore, () => void navigate({to: '/policies/compare', search: {a: guid}})],
					[t.usedByGroups, () => openPolicy(guid, 'used')],
					[t.fileLists, () => openPolicy(guid, 'lists')],
					['XML', () => openPolicy(guid, 'xml')]
				],
				copies: [
					['name', name],
					[t.guid, guid]
				]
			})}
			isPeeking={search.policy !== undefined}
			onPeek={peek}
			onCursor={row => {
				atPolicy.current = row
				if (row !== undefined && search.policy !== undefined && row.guid !== search.policy) change({policy: row.guid})
			}}
		>
			{search.policy !== undefined && !waiting && (
				<PolicyPanel
					policy={shown.policies.find(({guid}) => guid === search.policy)}
					groups={shown.known}
					onClose={() => change({policy: undefined})}
				/>
			)}
		</PolicyTable>
	)
}

type PoliciesState = ReturnType<typeof usePoliciesScreen>

function usePoliciesScreen() {
	const {search, change} = useAddress('/policies')
	const navigate = useNavigate()
	const announce = useAnnounce()
	const copy = useCopy()
	const {client, connection} = useConnected()
	const reading = useDirectoryRefresh()
	const [selection, setSelection] = useState(nobody)
	const table = useRef<TableHandle>(null)
	const searchBox = useRef<HTMLInputElement>(null)
	const refreshButton = useRef<HTMLButtonElement>(null)
	const atPolicy = useRef<PolicyRow | undefined>(undefined)
	const atGroup = useRef<GroupLine | undefined>(undefined)

	const shown = useShownPolicies(search, reading.isRefreshing)
	const {isMatrix, waiting} = shown

	const openPolicy = (guid: string, tab?: 'used' | 'lists' | 'xml') =>
		void navigate({to: '/policies/$guid', params: {guid}, search: tab === undefined ? {} : {tab}})
	const compare = () => {
		const [a, b] = selection.size > 0 ? [...selection] : [atPolicy.current?.guid]
		void navigate({to: '/policies/compare', search: omitUndefined({a, b})})
	}
	const policyAtCursor = () => (isMatrix ? undefined : (atPolicy.current?.guid ?? search.policy))
	const readDetails = async () => {
		const [group, policy] = [isMatrix ? atGroup.current?.group.guid : undefined, policyAtCursor()]
		try {
			if (group !== undefined) await client.directory.groups.refreshOne({connection, guid: group})
			else if (policy !== undefined) await client.directory.policies.refreshOne({connection, guid: policy})
			else return announce('Go to a row first')
			announce('Details loaded')
		} catch (error) {
			announce(`Could not load the details: ${asCordonError(error).message}`)
		}
	}
	const view = (next: PolicyView) => change({view: next === 'list' ? undefined : next, from: undefined})
	const onPolicy = useAtCursor(policyAtCursor, () => 'Go to a policy first')
	useKeys({
		'list.filter': () => searchBox.current?.focus(),
		'policies.refresh': () => refreshButton.current?.focus(),
		'policies.export': () => change({act: 'export'}),
		'policies.view1': () => view('list'),
		'policies.view2': () => view('groups'),
		'policies.view3': () => view('lists'),
		'policies.diff': compare,
		'policies.details': () => void readDetails(),
		'policies.groups': onPolicy(guid => openPolicy(guid, 'used')),
		'policies.lists': onPolicy(guid => openPolicy(guid, 'lists')),
		'policies.xml': onPolicy(guid => openPolicy(guid, 'xml')),
		'policies.copy': onPolicy(guid => copy('GUID', guid))
	})
	const peek = (row: PolicyRow) => change({policy: row.guid === search.policy ? undefined : row.guid})
	const nothing = (
		<NoRows
			shown={shown}
			reading={reading}
			text={(search.search ?? '').trim()}
			onShowAll={() => change({search: undefined, product: undefined})}
		/>
	)
	return {
		...{search, navigate, change, reading, selection, setSelection, table, searchBox, refreshButton, atPolicy},
		...{atGroup, shown, isMatrix, waiting, openPolicy, compare, peek, nothing}
	}
}

function Counts({isMatrix, count, all}: Pick<ShownPolicies, 'isMatrix' | 'count' | 'all'>) {
	const noun = formOf(all, isMatrix ? nouns.group : nouns.policy)
	return (
		<span>
			{count === all ? '' : t.of(formatCount(count))}
			{formatCount(all)} {noun}
		</span>
	)
}

interface NoRowsProps {
	shown: ShownPolicies
	reading: DirectoryRefresh
	text: string
	onShowAll: () => void
}

function NoRows({shown, reading, text, onShowAll}: NoRowsProps) {
	return (
		<NothingShown
			copy={shown.copy}
			reading={reading}
			noun={shown.isMatrix ? nouns.group : nouns.policy}
			asked={text === '' ? t.thisProduct : `“${text}”`}
			onShowAll={onShowAll}
		>
			{t.serviceLists(shown.isMatrix ? t.group : t.policy)}
		</NothingShown>
	)
}

function ExportDialog({shown, onClose}: {shown: ShownPolicies; onClose: () => void}) {
	const {isMatrix, lines, products, rows, read, all} = shown
	return (
		<TableExportDialog
			title={isMatrix ? t.exportTheMatrix : t.exportThePolicies}
			table={isMatrix ? exportedMatrix(lines, products) : exportedPolicies(rows)}
			lacks={read === all ? null : t.whatNotLoaded}
			onClose={onClose}
		/>
	)
}

/** Policies as a table. Values not loaded are `?`. */
export function exportedPolicies(policies: readonly PolicyRow[]): ExportedTable {
	const names = (things: readonly {name: string}[] | null) => (things === null ? '?' : things.map(({name}) => name).join('; '))
	return {
		name: 'policies',
		columns: [
			...['Product', 'Name', 'GUID', 'Default', 'Serial', 'Computers', 'Groups', 'File lists', 'Exclusion sets'],
			...['IP lists', 'Description', 'Gone since']
		],
		rows: policies.map(policy => [
			...[policy.product, policy.name, policy.guid, policy.isDefault ? 'yes' : 'no', String(policy.serial ?? '')],
			...[String(policy.computers), names(policy.groups), names(policy.fileLists), names(policy.exclusionSets)],
			...[names(policy.ipLists), policy.description, policy.vanishedAt ?? '']
		]),
		records: policies
	}
}

/** The matrix of groups and products: own policies by name, inherited ones in brackets. */
export function exportedMatrix(lines: readonly GroupLine[], products: readonly string[]): ExportedTable {
	return {
		name: 'policies-of-groups',
		columns: ['Group', 'GUID', ...products],
		rows: lines.map(({group, uses}) => [
			group.name,
			group.guid,
			...products.map(product => {
				if (uses === null) return '?'
				const use = uses.get(product)
				return use === undefined ? '' : use.inherited ? `(${use.name})` : use.name
			})
		]),
		records: lines.map(({group}) => ({guid: group.guid, name: group.name, policies: group.policies}))
	}
}

const noPolicies: readonly PolicyRow[] = []
const noGroups: readonly GroupNode[] = []

type ShownPolicies = ReturnType<typeof useShownPolicies>

function useShownPolicies(search: PoliciesSearch, isRefreshing: boolean) {
	const copy = usePolicies()
	const tree = useGroups()
	const isMatrix = search.view === 'groups'
	const {product} = search
	const text = (search.search ?? '').trim()
	const policies = copy.items ?? noPolicies
	const groups = tree.items ?? noGroups
	const known = useMemo(() => new Map(groups.map(group => [group.guid, group])), [groups])
	const rows = useMemo(() => byProduct(answering(policies, text, product)), [policies, text, product])
	const lines = useMemo(() => groupLines(groups, text, product), [groups, text, product])
	const products = useMemo(() => (product === undefined ? productsIn(groups, policies) : [product]), [groups, policies, product])
	const shared = {isMatrix, asked: `${product} ${text}`, policies, policiesState: copy.state, known, rows, lines, products}
	const waits = ({items, state}: Copy<unknown>) => items === undefined || (items.length === 0 && isReading(state, isRefreshing))
	// With the copy behind the rows, and of the view its shown rows, all rows, and rows with details.
	if (isMatrix) {
		const read = groups.filter(group => group.policies !== null).length
		return {...shared, copy: tree, waiting: waits(tree), count: lines.length, all: groups.length, read}
	}
	const read = policies.filter(({fileLists}) => fileLists !== null).length
	return {...shared, copy, waiting: waits(copy), count: rows.length, all: policies.length, read}
}

interface PoliciesToolsProps {
	search: PoliciesSearch
	policies: readonly PolicyRow[]
	onChange: (next: Partial<PoliciesSearch>) => void
	onLeave: () => void
	searchBox: Ref<HTMLInputElement>
}

const views: readonly {value: PolicyView; title: string}[] = [
	{value: 'list', title: 'List'},
	{value: 'groups', title: 'With groups'},
	{value: 'lists', title: 'With file lists'}
]
const everyProduct = ''

function PoliciesTools({search, policies, onChange, onLeave, searchBox}: PoliciesToolsProps) {
	const view = search.view ?? 'list'
	return (
		<div className="tools">
			<Segments
				label={t.view}
				options={views}
				value={view}
				onChange={next => onChange({view: next === 'list' ? undefined : next, from: undefined})}
			/>
			<AddressField
				label={view === 'groups' ? t.searchGroups : t.searchThePolicies}
				hideLabel
				placeholder={view === 'groups' ? t.partGroupPolicy : t.partOfNameOrGuid}
				value={search.search}
				onChange={text => onChange({search: text})}
				inputRef={searchBox}
				className={styles.search}
				onLeave={onLeave}
			/>
			<Select
				label={t.product}
				hideLabel
				value={search.product ?? everyProduct}
				onChange={product => onChange({product: product === everyProduct ? undefined : product, from: undefined})}
				options={[
					{value: everyProduct, label: 'Every product'},
					...inProductOrder(policies.map(({product}) => product)).map(product => ({value: product, label: productTitle(product)}))
				]}
				className={styles.product}
			/>
		</div>
	)
}
