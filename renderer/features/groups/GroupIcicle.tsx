import {useMemo} from 'react'

import type {GroupNode} from '#contract/directory.ts'
import {formatCount, formOf} from '#text/numbers.ts'
import {useComputersCount} from '#api/hooks.tsx'
import {Button} from '#ui/Button.tsx'
import {type Brick, Icicle} from '#ui/chart/Icicle.tsx'
import {percentOf} from '#ui/chart/shades.ts'
import styles from './GroupPictures.module.css'
import {t} from './text.ts'

interface GroupIcicleProps {
	groups: readonly GroupNode[]
	/** Search results; `null` without a search. */
	matching: ReadonlySet<string> | null
	/** The group whose part is shown. */
	root: string | undefined
	onRoot: (guid: string | undefined) => void
	/** The group in the side panel. */
	chosen: string | undefined
	onChoose: (guid: string) => void
}

const unit = ['computer', 'computers'] as const

/** A chart of a large tenant's tree: widths are computers, children below their parent. */
export function GroupIcicle({groups, matching, root, onRoot, chosen, onChoose}: GroupIcicleProps) {
	const {bricks: all, left} = useMemo(() => bricksOf(groups, root), [groups, root])
	const bricks = useMemo(() => (matching === null ? all : all.map(brick => ({...brick, isFaint: !matching.has(brick.key)}))), [all, matching])
	const isCounted = useComputersCount() !== null
	const known = useMemo(() => new Map(groups.map(group => [group.guid, group])), [groups])
	const [part, at] = [known.get(root ?? ''), known.get(chosen ?? '')]
	const shown = useMemo(() => groups.filter(({guid}) => matching === null || matching.has(guid)), [groups, matching])
	const above = part === undefined || part.parent === null ? undefined : known.get(part.parent)
	return (
		<div className={styles.picture}>
			<div className={styles.line}>
				<span>
					{t.shown} {part === undefined ? t.allGroups : t.andBelow(part.name)}
				</span>
				<Button
					small
					onPress={() => onRoot(at?.guid)}
					reason={at === undefined || at.children.length === 0 || at.guid === part?.guid ? t.chooseAnother : null}
				>
					{at === undefined || at.children.length === 0 ? t.onlyAPart : t.onlyAndBelow(at.name)}
				</Button>
				<Button small onPress={() => onRoot(above?.guid)} reason={part === undefined ? t.allGroupsShown : null}>
					{t.oneLevelUp}
				</Button>
				{left !== 0 && <span className="note">{t.moreTooSmall(formatCount(left), formOf(left, ['group is', 'groups are']))}</span>}
			</div>
			<Icicle
				title={t.groupsComputers}
				summary={t.chartShows(formatCount(bricks.length), formatCount(left))}
				bricks={bricks}
				chosen={chosen}
				unit={unit}
				mark="compromised"
				onOpen={onChoose}
				empty={bricks.length > 0 ? null : isCounted ? t.noGroupHere : t.computersNot}
				fileName="groups"
				table={{
					columns: ['Group', 'Parent', 'computers with subgroups', 'compromised', 'share'],
					rows: shown.map(({guid, name, parent, below}) => ({
						key: guid,
						cells: [
							name,
							known.get(parent ?? '')?.name ?? '–',
							formatCount(below.computers),
							formatCount(below.compromised),
							percentOf({value: below.computers, marked: below.compromised})
						],
						isSelected: guid === chosen,
						onPress: () => onChoose(guid)
					}))
				}}
			/>
		</div>
	)
}

/** Narrower is below a pixel; deeper groups are reached by showing a part. */
const [narrowest, deepest] = [1 / 1400, 10]

interface Place {
	from: number
	to: number
	level: number
}

/**
 * `groups`: parents before children. `root`: only that group and its descendants. A group's own computers are the space not
 * covered by children.
 */
export function bricksOf(groups: readonly GroupNode[], root?: string) {
	const known = new Map(groups.map(group => [group.guid, group]))
	const start = root === undefined ? undefined : known.get(root)
	const first = start === undefined ? groups.filter(({parent}) => parent === null || !known.has(parent)) : [start]
	const bricks: Brick[] = []
	/** Groups with computers that are too narrow or too deep to draw. */
	let left = 0
	const lay = (nodes: readonly GroupNode[], {from, to, level}: Place, whole: number) => {
		let at = from
		for (const node of nodes.toSorted((a, b) => b.below.computers - a.below.computers)) {
			const end = at + (whole === 0 ? 0 : (node.below.computers / whole) * (to - from))
			if (node.below.computers === 0) continue
			const below = node.children.flatMap(guid => known.get(guid) ?? [])
			if (end - at < narrowest || level >= deepest) left += countBelow(node, known)
			else {
				bricks.push(brickOf(node, {from: at, to: end, level}))
				lay(below, {from: at, to: end, level: level + 1}, node.below.computers)
			}
			at = end
		}
	}
	const whole = first.reduce((sum, {below}) => sum + below.computers, 0)
	lay(first, {from: 0, to: 1, level: 0}, whole)
	return {bricks: bricks.toSorted((a, b) => a.level - b.level || a.from - b.from), left}
}

function brickOf({guid, name, below}: GroupNode, place: Place): Brick {
	return {key: guid, name, value: below.computers, marked: below.compromised, ...place}
}

function countBelow(node: GroupNode, known: ReadonlyMap<string, GroupNode>): number {
	if (node.below.computers === 0) return 0
	return node.children.reduce((sum, guid) => {
		const child = known.get(guid)
		return child === undefined ? sum : sum + countBelow(child, known)
	}, 1)
}
