import type {PolicyRow} from '#contract/directory.ts'
import {formatCount} from '#text/numbers.ts'

import {useComputersCount} from '#api/hooks.tsx'
import {listTypeTitle, productTitle} from '#commands/directory/directory-words.ts'
import {RowLink} from '#ui/table/RowLink.tsx'
import type {TableColumn} from '#ui/table/types.ts'
import {Tag} from '#ui/Tag.tsx'
import type {GroupLine, ListColumns} from './matrix.ts'
import styles from './policies.module.css'
import {t} from './text.ts'

/** A value not loaded. */
function Unknown({title = 'Its details have not been loaded yet. Loading takes 1 call'}: {title?: string}) {
	return (
		<span className={styles.unknown} title={title}>
			?
		</span>
	)
}

function Problem({message}: {message: string}) {
	return (
		<span title={message}>
			<Tag tone="warn">{t.notReadable}</Tag>
		</span>
	)
}

function Name({policy}: {policy: PolicyRow}) {
	return (
		<span title={policy.name}>
			<RowLink href={`/policies/${policy.guid}`}>{policy.name}</RowLink> {policy.isDefault && <Tag>{t.default}</Tag>}{' '}
			{policy.vanishedAt !== null && <Tag>{t.gone}</Tag>}
		</span>
	)
}

function Names({things, row}: {things: readonly {name: string}[] | null; row: PolicyRow}) {
	if (things === null) return row.problem === null ? <Unknown /> : <Problem message={row.problem.message} />
	if (things.length === 0) return '–'
	const text = things.map(({name}) => name).join(', ')
	return (
		<span title={text}>
			{formatCount(things.length)} · {text}
		</span>
	)
}

function Computers({policy}: {policy: PolicyRow}) {
	return useComputersCount() === null ? <Unknown title={t.computersNotLoaded} /> : formatCount(policy.computers)
}

export const policyColumns: readonly TableColumn<PolicyRow>[] = [
	{id: 'name', title: 'Name', width: 210, look: 'name', cell: row => <Name policy={row} />},
	{id: 'product', title: 'Product', width: 84, cell: row => productTitle(row.product)},
	{id: 'computers', title: 'Computers', width: 88, align: 'end', cell: row => <Computers policy={row} />},
	{id: 'serial', title: 'Serial', width: 66, align: 'end', look: 'mono', yields: 3, cell: row => row.serial ?? '?'},
	{id: 'groups', title: 'Used by groups', width: 170, yields: 1, cell: row => <Names things={row.groups} row={row} />},
	{id: 'lists', title: 'File lists', width: 190, yields: 2, cell: row => <Names things={row.fileLists} row={row} />},
	{id: 'exclusions', title: 'Exclusions', width: 150, yields: 4, cell: row => <Names things={row.exclusionSets} row={row} />},
	{
		id: 'description',
		title: 'Description',
		width: 200,
		yields: 5,
		look: 'dim',
		cell: row => <span title={row.description}>{row.description}</span>
	}
]

/** Maximum indent of levels. */
const deepest = 10

/** The matrix of groups and products: each cell names the policy, own or inherited. */
export function groupColumns(products: readonly string[]): readonly TableColumn<GroupLine>[] {
	return [
		{
			id: 'group',
			title: 'Group',
			width: 230,
			isPinned: true,
			look: 'name',
			cell: ({group, level}) => (
				<span title={group.name} style={{paddingLeft: (Math.min(level, deepest) - 1) * 14}}>
					{group.name}
				</span>
			)
		},
		...products.map(product => ({
			id: product,
			title: productTitle(product),
			width: 150,
			cell: (line: GroupLine) => <Use line={line} product={product} />
		}))
	]
}

function Use({line: {uses, group}, product}: {line: GroupLine; product: string}) {
	if (uses === null) return group.problem === null ? <Unknown /> : <Problem message={group.problem.message} />
	const use = uses.get(product)
	if (use === undefined) return '·'
	const how = use.inherited ? 'inherited' : 'own'
	return (
		<span className={styles[how]} title={`${use.name}, ${how}`}>
			{use.inherited ? '◌' : '●'} {use.name}
		</span>
	)
}

export function describeLine({group, uses}: GroupLine) {
	if (uses === null) return `${group.name}, details not loaded`
	const parts = [...uses.values()].map(use => `${productTitle(use.product)}: ${use.name} ${use.inherited ? 'inherited' : 'own'}`)
	return [group.name, ...parts].join(', ')
}

/** Window width at which all columns fit: the navigation, the pinned ones, and the lists. */
export function roomForLists(count: number) {
	return 520 + count * 92
}

export function listMatrixColumns({columns}: ListColumns): readonly TableColumn<PolicyRow>[] {
	return [
		{id: 'name', title: 'Policy', width: 186, look: 'name', isPinned: true, cell: row => <Name policy={row} />},
		{id: 'product', title: 'Product', width: 86, isPinned: true, cell: row => productTitle(row.product)},
		...columns.map(list => ({
			id: list.guid,
			title: list.name,
			band: listTypeTitle(list.type),
			width: 92,
			cell: (row: PolicyRow) => <Uses row={row} list={list.guid} name={list.name} />
		}))
	]
}

function Uses({row, list, name}: {row: PolicyRow; list: string; name: string}) {
	if (row.fileLists === null) return row.problem === null ? <Unknown /> : <Problem message={row.problem.message} />
	if (!row.fileLists.some(({guid}) => guid === list)) return '·'
	return (
		<span className={styles.uses} role="img" aria-label={t.uses(name)} title={t.usesOf(row.name, name)}>
			●
		</span>
	)
}

export function describeLists(row: PolicyRow) {
	const what =
		row.fileLists === null
			? 'lists not loaded'
			: row.fileLists.length === 0
				? 'no lists'
				: `uses ${row.fileLists.map(({name}) => name).join(', ')}`
	return `${row.name}, for ${productTitle(row.product)}, ${what}`
}
