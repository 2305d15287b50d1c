import type {Connection} from '#model/connection.ts'
import type {FrameState} from '#model/frame.ts'
import {formatCount} from '#text/numbers.ts'

import {useActiveConnection, useConnections, useFrame} from '#api/hooks.tsx'
import {useChooseConnection} from '#commands/use-choose-connection.ts'
import {connectionTitle} from '#ui/connection-words.ts'
import {cx} from '#ui/cx.ts'
import {Link} from '#ui/Button.tsx'
import {PlainTable} from '#ui/Facts.tsx'
import {Time} from '#ui/Time.tsx'
import {Card} from '#ui/Screen.tsx'
import styles from './AllConnections.module.css'
import {t} from './text.ts'

export function AllConnections() {
	const connections = useConnections() ?? []
	if (connections.length < 2) return null
	return (
		<Card title={t.connections} aside={<Link href="/connections">{t.allConnections}</Link>}>
			<PlainTable
				columns={[
					t.connection,
					t.service,
					...[t.computers, t.compromisedTitle, t.isolated, t.pendingChanges].map(title => [title, styles.number] as const),
					t.data
				]}
			>
				{connections.map(connection => (
					<Row key={connection.id} connection={connection} />
				))}
			</PlainTable>
		</Card>
	)
}

function Row({connection}: {connection: Connection}) {
	const frame = useFrame(connection.id)
	const choose = useChooseConnection()
	const isCurrent = useActiveConnection().id === connection.id
	const title = connectionTitle(connection)
	return (
		<tr>
			<th scope="row" className={styles.name}>
				<span className={styles.swatch} style={{background: `var(--connection-${connection.colour})`}} aria-hidden />
				{isCurrent ? t.thisOne(title) : <Link onPress={() => choose(connection.id)}>{title}</Link>}
			</th>
			<td>
				<Service frame={frame} />
			</td>
			{frame === null || !isKnown(frame) ? (
				<td colSpan={5} className="dim">
					{frame?.link.kind === 'failing' ? t.computersNotLoaded : isCurrent ? t.loadingComputers : t.notOpenedSince}
				</td>
			) : (
				<Numbers frame={frame} />
			)}
		</tr>
	)
}

/** Its local copy was opened: no rows then means none. */
function isKnown({inventory, counts}: FrameState) {
	return counts.computers > 0 || inventory.completeAt !== null
}

function Service({frame}: {frame: FrameState | null}) {
	const link = frame?.link
	if (link?.kind === 'failing')
		return (
			<span className="bad" title={link.error.message}>
				<span aria-hidden>✕</span> {t.failsSince} <Time at={link.since} form="clock" />
			</span>
		)
	return link?.kind === 'ok' ? 'answers' : <span className="dim">{t.notQueriedYet}</span>
}

function Numbers({frame: {counts, alarms, inventory}}: {frame: FrameState}) {
	const pending = counts.pendingStart + counts.pendingStop
	const late = counts.pendingTooLong === 0 ? '' : ` (${formatCount(counts.pendingTooLong)} overdue)`
	const silent = alarms.silent === 0 ? '' : ` (${formatCount(alarms.silent)} offline)`
	return (
		<>
			<td className={styles.number}>{formatCount(counts.computers)}</td>
			<td className={cx(styles.number, counts.compromised > 0 && 'bad')}>{formatCount(counts.compromised)}</td>
			<td className={styles.number}>
				{formatCount(counts.isolated)}
				{silent}
			</td>
			<td className={styles.number}>
				{formatCount(pending)}
				{late}
			</td>
			<td>
				<Time at={inventory.completeAt ?? inventory.readAt} form="age" unknown={t.notLoadedYet} /> {t.old}
			</td>
		</>
	)
}
