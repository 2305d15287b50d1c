import {ChevronRight} from 'lucide-react'
import {type CSSProperties, type DragEvent, memo, type MouseEvent} from 'react'

import type {GroupNode} from '#contract/directory.ts'
import {inProductOrder, productTitle} from '#commands/directory/directory-words.ts'
import {cx} from '#ui/cx.ts'
import {RowBox} from '#ui/table/RowBox.tsx'
import {RowLink} from '#ui/table/RowLink.tsx'
import {Tag} from '#ui/Tag.tsx'
import table from '#ui/table/DataTable.module.css'
import {formatCount} from '#text/numbers.ts'
import {describeGroup, shareOf} from './group-facts.ts'
import styles from './GroupTree.module.css'
import {t} from './text.ts'
import type {TreeLine} from './tree-model.ts'

/** Callbacks of lines, stable for the life of the tree. */
export interface LineHandlers {
	click(event: MouseEvent, index: number): void
	/** Toggles the selection of the line. */
	pick(index: number): void
	toggle(index: number): void
	over(event: DragEvent, index: number): void
	leave(): void
	drop(event: DragEvent, index: number): void
}

interface TreeRowProps {
	id: string
	index: number
	top: number
	line: TreeLine
	/** Computers of the tenant, the full bar; `null` if not loaded. */
	whole: number | null
	/** Name problems, in sentences. */
	odd: readonly string[] | undefined
	isCursor: boolean
	isTarget: boolean
	isSelected: boolean
	on: LineHandlers
}

/** Maximum indent: a number shows deeper levels. */
const deepest = 12

function Row({id, index, top, line, whole, odd, isCursor, isTarget, isSelected, on}: TreeRowProps) {
	const {node, level, isOpen, isMatch, place, brothers} = line
	return (
		<div
			id={id}
			role="row"
			aria-level={level}
			aria-posinset={place}
			aria-setsize={brothers}
			{...(isOpen !== null && {'aria-expanded': isOpen})}
			aria-label={[describeGroup(node, whole !== null), ...(odd === undefined ? [] : ['look at its name'])].join(', ')}
			aria-rowindex={index + 2}
			aria-selected={isSelected}
			className={cx(
				table.row,
				styles.row,
				isSelected && table.selected,
				isCursor && table.cursor,
				isTarget && styles.target,
				!isMatch && styles.onTheWay,
				node.vanishedAt !== null && styles.gone
			)}
			style={{transform: `translateY(${top}px)`}}
			onClick={event => on.click(event, index)}
			onDragOver={event => on.over(event, index)}
			onDragLeave={on.leave}
			onDrop={event => on.drop(event, index)}
		>
			<span className={table.check} role="presentation">
				<RowBox isTicked={isSelected} onPress={() => on.pick(index)} />
			</span>
			<NameCell line={line} odd={odd} onToggle={() => on.toggle(index)} />
			{counts.map(({of, tone, title}) => (
				<div key={of} role="gridcell" className={styles.cell}>
					<Count
						own={node[of]}
						all={node.below[of]}
						whole={of === 'computers' ? whole : whole && node.below.computers}
						tone={tone}
						title={title ?? titleOf(node)}
					/>
				</div>
			))}
			<div role="gridcell" className={cx(styles.cell, styles.last)}>
				<PolicyCell node={node} />
			</div>
		</div>
	)
}

function NameCell({line, odd, onToggle}: Pick<TreeRowProps, 'line' | 'odd'> & {onToggle: () => void}) {
	const {node, level, isOpen} = line
	const indent = `${(Math.min(level, deepest) - 1) * 16}px`
	return (
		<div role="gridcell" className={styles.name} style={{'--indent': indent} as CSSProperties /* own property */}>
			{isOpen === null ? (
				<span className={styles.leaf} />
			) : (
				<span
					className={styles.twisty}
					aria-hidden
					onClick={event => {
						event.stopPropagation()
						onToggle()
					}}
				>
					<ChevronRight size={14} data-open={isOpen} />
				</span>
			)}
			{level > deepest && <span className={styles.level}>{level}</span>}
			<RowLink href={`/groups/${node.guid}`} className={styles.title} title={node.name}>
				{node.name}
			</RowLink>
			{node.vanishedAt !== null && <Tag>{t.gone}</Tag>}
			{odd !== undefined && (
				<span title={odd.join(' ')}>
					<Tag tone="warn">{t.nameTitle}</Tag>
				</span>
			)}
		</div>
	)
}

const counts = [
	{of: 'computers', tone: 'plain', title: null},
	{of: 'compromised', tone: 'bad', title: t.compromisedOwn},
	{of: 'isolated', tone: 'hold', title: t.isolatedOwn}
] as const

function titleOf({computers, below}: TreeLine['node']) {
	return `${computers} of its own, ${below.computers} with subgroups`
}

/** Redrawn only when its line, place or marks change. */
export const TreeRow = memo(
	Row,
	(a, b) =>
		a.odd?.join() === b.odd?.join() &&
		(['index', 'top', 'whole', 'isCursor', 'isTarget', 'isSelected'] as const).every(name => a[name] === b[name]) &&
		(['node', 'level', 'isOpen', 'isMatch', 'place', 'brothers'] as const).every(name => a.line[name] === b.line[name])
)

/** Own policies by name, and the number of inherited ones; `?` without details. */
function PolicyCell({node}: {node: GroupNode}) {
	if (node.problem !== null)
		return (
			<span className={styles.problem} title={node.problem.message}>
				{t.notReadable}
			</span>
		)
	if (node.policies === null)
		return (
			<span className={styles.unknown} title={t.detailsNotLoaded}>
				?
			</span>
		)
	const own = node.policies.filter(({inherited}) => !inherited)
	const inherited = node.policies.length - own.length
	const order = inProductOrder(own.map(({product}) => product))
	const names = order.flatMap(product => own.filter(use => use.product === product))
	const text = names.map(use => `${productTitle(use.product)}: ${use.name}`).join(' · ')
	const rest = inherited === 0 ? '' : `${inherited} inherited`
	return (
		<div className="cut" title={[text, rest].filter(part => part !== '').join(' · ')}>
			{text}
			{rest !== '' && (
				<span className="dim">
					{text === '' ? '' : ' · '}
					{rest}
				</span>
			)}
			{node.policies.length === 0 && t.none}
		</div>
	)
}

interface CountProps {
	own: number
	/** Own and below. */
	all: number
	/** The value of a full bar; `null`: computers not loaded. */
	whole: number | null
	tone: 'plain' | 'bad' | 'hold'
	title: string
}

/** Own number, and with subgroups, over a small bar of its share. */
function Count({own, all, whole, tone, title}: CountProps) {
	if (whole === null)
		return (
			<span className={styles.count} data-tone="none" title={t.notKnownComputers}>
				<span className={styles.numbers}>?</span>
			</span>
		)
	const style: CSSProperties = {width: `${shareOf(all, whole)}%`}
	return (
		<span className={styles.count} data-tone={all === 0 ? 'none' : tone} title={title}>
			<span className={styles.numbers}>
				<span className={own === 0 ? styles.zero : undefined}>{formatCount(own)}</span>
				{own !== all && <span className={styles.all}> / {formatCount(all)}</span>}
			</span>
			<span className="meter" aria-hidden>
				<span style={style} />
			</span>
		</span>
	)
}
