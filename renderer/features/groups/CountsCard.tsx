import type {GroupNode} from '#contract/directory.ts'
import {formatCount} from '#text/numbers.ts'

import {useComputersCount} from '#api/hooks.tsx'
import {Link} from '#ui/Button.tsx'
import {Card} from '#ui/Screen.tsx'
import {unseen} from '#ui/cx.ts'
import {filterOf} from './group-facts.ts'
import styles from './GroupParts.module.css'
import {t} from './text.ts'

/** Number of computers, own and with subgroups; each number opens its rows. */
export function CountsCard({group, below}: {group: GroupNode; below: readonly GroupNode[]}) {
	const isCounted = useComputersCount() !== null
	const own = filterOf([group])
	const all = filterOf(below)
	const rows = [
		{name: 'Computers', own: group.computers, all: group.below.computers, more: ''},
		{name: 'Compromised', own: group.compromised, all: group.below.compromised, more: ' compromised:yes'},
		{name: 'Isolated', own: group.isolated, all: group.below.isolated, more: ' isolation:isolated'}
	]
	return (
		<Card title={t.counts}>
			<table className={styles.counts}>
				<thead>
					<tr>
						<th scope="col">
							<span className={unseen}>{t.what}</span>
						</th>
						<th scope="col">{t.ownInline}</th>
						<th scope="col">{t.withSubgroups}</th>
					</tr>
				</thead>
				<tbody>
					{rows.map(row => (
						<tr key={row.name}>
							<th scope="row">{row.name}</th>
							<td>
								<Rows count={isCounted ? row.own : null} filter={own} more={row.more} />
							</td>
							<td>
								<Rows count={isCounted ? row.all : null} filter={all} more={row.more} />
							</td>
						</tr>
					))}
				</tbody>
			</table>
		</Card>
	)
}

/** A number that opens its rows. */
function Rows({
	count,
	filter,
	more
}: {
	/** `null`: the computers have not been loaded yet. */
	count: number | null
	filter: string | null
	more: string
}) {
	if (count === null) return <span title={t.notKnownComputers}>?</span>
	if (count === 0 || filter === null) return formatCount(count)
	return <Link href={`/computers?filter=${encodeURIComponent(filter + more)}`}>{formatCount(count)}</Link>
}
