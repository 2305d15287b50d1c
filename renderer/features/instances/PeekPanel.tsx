import type {ForwarderStatus, InstanceRow} from '#contract/instances.ts'
import {formatCount} from '#text/numbers.ts'

import {useAsked} from '#api/hooks.tsx'
import {Banner} from '#ui/States.tsx'
import {Button} from '#ui/Button.tsx'
import {KeyValue, fact} from '#ui/Facts.tsx'
import {SidePanel, SidePanelActions, SidePanelHeader, SidePanelNote} from '#ui/SidePanel.tsx'
import {Time} from '#ui/Time.tsx'
import {Card} from '#ui/Screen.tsx'
import {Address} from './Address.tsx'
import {ExposureControl} from './ExposureControl.tsx'
import {RequestsChart} from './LastHour.tsx'
import styles from './PeekPanel.module.css'
import {EnabledControl} from './RunControls.tsx'
import type {InstanceAct} from './search.ts'
import {State} from './State.tsx'
import {t} from './text.ts'
import {accessWords, formatRate, kindWords, routeUrl, trafficWords} from './words.ts'

interface PeekPanelProps {
	row: InstanceRow
	server: ForwarderStatus
	onClose: () => void
	onOpen: (act?: InstanceAct) => void
}

/** One instance beside the list: address, switches, last hour. */
export function PeekPanel({row, server, onClose, onOpen}: PeekPanelProps) {
	const {instance, health, traffic} = row
	const {data} = useAsked(q => q.instances.detail, {input: {id: instance.id}})
	return (
		<SidePanel label={t.instanceCursor} onClose={onClose}>
			<SidePanelHeader title={instance.name} name={instance.name}>
				<SidePanelNote>
					<State health={health} /> {t.for} <Time at={health.since} form="age" /> {t.portOf(kindWords(instance.program), instance.listenPort)}
				</SidePanelNote>
				{health.reason !== null && <SidePanelNote>{health.reason}</SidePanelNote>}
			</SidePanelHeader>
			<SidePanelActions>
				<Button tone="primary" onPress={() => onOpen()} keys="Enter">
					{t.open}
				</Button>
				<Button onPress={() => onOpen('probe')} opens keys="t">
					{t.probe}
				</Button>
				<Button onPress={() => onOpen('edit')} opens keys="e">
					{t.changeMore}
				</Button>
			</SidePanelActions>
			{row.warnings.length !== 0 && (
				<div className={styles.warnings}>
					{row.warnings.map(warning => (
						<Banner key={warning} tone="warning">
							{warning}
						</Banner>
					))}
				</div>
			)}
			<Card title={t.route}>
				<Address text={routeUrl(server, row)} what={t.addressRoute} />
				<ExposureControl row={row} />
				<EnabledControl row={row} />
			</Card>
			<Card title={t.lastHour} aside={t.requestsSNow(formatRate(traffic.requestsPerSecond))}>
				{data === undefined ? <div className={styles.chart} /> : <RequestsChart series={data.traffic} />}
			</Card>
			<Card title={t.about}>
				<KeyValue
					facts={[
						fact('Access', accessWords[instance.access.kind]),
						fact('Last request', <Time at={traffic.lastRequest} unknown={t.noneYet} />),
						fact('Running now', formatCount(traffic.running)),
						fact('Requests', trafficWords(traffic))
					]}
				/>
			</Card>
		</SidePanel>
	)
}
