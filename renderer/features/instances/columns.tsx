import {TriangleAlert} from 'lucide-react'

import type {InstanceRow} from '#contract/instances.ts'
import {formatCount} from '#text/numbers.ts'

import {RowLink} from '#ui/table/RowLink.tsx'
import type {TableColumn} from '#ui/table/types.ts'
import {Time} from '#ui/Time.tsx'
import styles from './InstancesScreen.module.css'
import {State} from './State.tsx'
import {t} from './text.ts'
import {accessWords, exposureSentence, exposureSource, formatRate, kindWords} from './words.ts'

export const instanceColumns: readonly TableColumn<InstanceRow>[] = [
	{id: 'name', title: 'Name', width: 160, look: 'name', cell: row => <Name row={row} />},
	// Wide enough for a reason in a window of 1280 pixels.
	{id: 'state', title: 'State', width: 288, cell: row => <State health={row.health} withReason />},
	{id: 'exposure', title: 'Exposed', width: 118, cell: row => <Exposed row={row} />},
	{id: 'route', title: 'Route', width: 160, yields: 2, look: 'mono', cell: row => <Route row={row} />},
	{id: 'access', title: 'Access', width: 112, yields: 3, cell: row => <Access row={row} />},
	{id: 'rate', title: 'Req./s', width: 62, align: 'end', cell: row => formatRate(row.traffic.requestsPerSecond)},
	{id: 'failures', title: 'Errors', width: 66, align: 'end', cell: row => <Failures row={row} />},
	{id: 'last', title: 'Last request', width: 92, yields: 4, look: 'dim', cell: row => <Time at={row.traffic.lastRequest} unknown={t.noneYet} />},
	{id: 'port', title: 'Port', width: 96, yields: 1, look: 'mono', cell: row => <Port row={row} />},
	{id: 'kind', title: 'Kind', width: 84, yields: 5, look: 'dim', cell: row => kindWords(row.instance.program)}
]

function Name({row}: {row: InstanceRow}) {
	const {id, name} = row.instance
	return (
		<span className={styles.name} title={[name, ...row.warnings].join('\n')}>
			<RowLink href={`/instances/${id}`} className="cut">
				{name}
			</RowLink>
			{row.warnings.length !== 0 && <TriangleAlert size={13} className={styles.warning} role="img" aria-label={row.warnings.join(' ')} />}
		</span>
	)
}

function Exposed({row}: {row: InstanceRow}) {
	const {exposed} = row.exposure
	return (
		<span title={exposureSentence(row.exposure, row.instance.name)}>
			<span className={exposed ? styles.on : 'dim'}>{exposed ? t.on : t.off}</span> <span className="note">{exposureSource(row.exposure)}</span>
		</span>
	)
}

function Route({row: {route}}: {row: InstanceRow}) {
	const at = route.lastIndexOf('/') + 1
	return (
		<span className={styles.route} title={route}>
			<span className={styles.prefix}>{route.slice(0, at)}</span>
			<span className="cut">{route.slice(at)}</span>
		</span>
	)
}

function Access({row}: {row: InstanceRow}) {
	const {access, allow} = row.instance
	const from = allow.length === 0 ? '' : ' · IP list'
	return (
		<span className={access.kind === 'none' ? 'dim' : undefined} title={allow.join(', ')}>
			{accessWords[access.kind]}
			{from}
		</span>
	)
}

function Failures({row}: {row: InstanceRow}) {
	const {failures, total} = row.traffic
	return (
		<span className={failures > 0 ? styles.failures : 'dim'} title={t.ofRequests(formatCount(total))}>
			{formatCount(failures)}
		</span>
	)
}

function Port({row}: {row: InstanceRow}) {
	return (
		<span title={row.direct === null ? t.listensLoopbackOnly : t.reachableAt(row.direct)}>
			{row.instance.listenPort}
			{row.direct !== null && <span className={styles.open}> {t.openInline}</span>}
		</span>
	)
}
