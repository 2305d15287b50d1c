import type {ComputerDetail} from '#contract/contract.ts'
import {roleTold, type ComputerRow} from '#model/computer.ts'
import {isHeld} from '#model/isolation.ts'

import {useWriteRefusal, useConnected, useAsked, useAskedHere} from '#api/hooks.tsx'
import {Button} from '#ui/Button.tsx'
import {EmptyState, Loaded} from '#ui/States.tsx'
import {Receipt} from '#ui/isolation/Receipt.tsx'
import {StateLine} from '#ui/isolation/StateLine.tsx'
import {Tag} from '#ui/Tag.tsx'
import {KeyValue, fact, copiedFact} from '#ui/Facts.tsx'
import {OddRecord} from '#ui/OddRecord.tsx'
import {SidePanel, SidePanelActions, SidePanelHeader, SidePanelNote} from '#ui/SidePanel.tsx'
import {Time} from '#ui/Time.tsx'
import {Card} from '#ui/Screen.tsx'
import {t} from './text.ts'

interface PeekPanelProps {
	guid: string
	onClose: () => void
	onOpen: (row: ComputerRow, act?: 'isolate' | 'release') => void
	onAsk: (row: ComputerRow, what: 'copy' | 'move') => void
	onLabel: (row: ComputerRow) => void
}

export function PeekPanel({guid, onClose, ...on}: PeekPanelProps) {
	const detail = useAskedHere(q => q.computers.detail, {guid})
	return (
		<SidePanel label={t.computerCursor} onClose={onClose}>
			<Loaded of={detail} lines={8} empty={<EmptyState title={t.notInLocalData}>{t.computerDeleted}</EmptyState>}>
				{data => <Peek detail={data} {...on} />}
			</Loaded>
		</SidePanel>
	)
}

type PeekProps = Omit<PeekPanelProps, 'guid' | 'onClose'> & {detail: ComputerDetail}

function Peek({detail, onOpen, onAsk, onLabel}: PeekProps) {
	const {row, receipt, stateSince, groupPath} = detail
	const refusal = useWriteRefusal()
	const held = isHeld(row.isolation)
	return (
		<>
			<SidePanelHeader title={row.hostname} name={row.hostname}>
				{row.compromised && <Tag tone="bad">{t.compromised}</Tag>}
				<SidePanelNote>
					{t.seenOf(groupPath.length === 0 ? row.groupName : groupPath.join(' ▸ '), row.os)} <Time at={row.lastSeen} unknown="never" />
				</SidePanelNote>
			</SidePanelHeader>
			<SidePanelActions>
				<Button tone="primary" onPress={() => onOpen(row)} keys="Enter">
					{t.open}
				</Button>
				<Button
					tone="hold"
					lock={refusal}
					reason={row.isolation === 'unavailable' ? t.policySystem : null}
					onPress={() => onOpen(row, held ? 'release' : 'isolate')}
					keys={held ? 'u' : 'i'}
				>
					{held ? t.releaseMore : t.isolateMore}
				</Button>
				<Button lock={refusal} onPress={() => onAsk(row, 'move')} keys="m">
					{t.moveMore}
				</Button>
				<Button onPress={() => onLabel(row)} keys="l">
					{t.tagsAndRoles}
				</Button>
				<Button onPress={() => onAsk(row, 'copy')} keys="Shift+Y">
					{t.copyAsMore}
				</Button>
			</SidePanelActions>
			<Card title={t.isolation}>
				<StateLine state={row.isolation} since={stateSince} />
				{row.isolation === 'unavailable' && <SidePanelNote>{t.notAvailable}</SidePanelNote>}
				{receipt !== null && <Receipt receipt={receipt} />}
			</Card>
			{row.compromised && <LastDetections guid={row.guid} />}
			<Card title={t.about}>
				<KeyValue
					facts={[
						fact('Address', row.internalIps.join(', ') || '–', 'mono'),
						fact('External', row.externalIp || '–', 'mono'),
						fact('MAC', row.macs.join(', ') || '–', 'mono'),
						fact('Policy', row.policyName || '–'),
						fact('Connector', row.connectorVersion || '–', 'mono'),
						copiedFact('GUID', row.guid, t.guid),
						fact('Role', roleTold(row) ?? '–'),
						fact('Tags', row.tags.length === 0 ? '–' : row.tags.map(tag => <Tag key={tag}>{tag}</Tag>)),
						fact('Loaded', <Time at={row.readAt} />)
					]}
				/>
			</Card>
			<OddRecord record={detail.record} />
		</>
	)
}

/** Why it is compromised: its last detections in stored events. */
function LastDetections({guid}: {guid: string}) {
	const {connection} = useConnected()
	const input = {connection, filter: `guid=${guid} -detection:empty`, offset: 0, limit: 3}
	const rows = useAsked(q => q.events.query, {input}).data?.rows ?? []
	return (
		<Card title={t.lastDetections}>
			{rows.length === 0 && <SidePanelNote>{t.noStoredDetection}</SidePanelNote>}
			{rows.map(({key, at, detection, fileName}) => (
				<SidePanelNote key={key}>
					{[detection, fileName].filter(text => text !== null).join(' · ')} · <Time at={at} />
				</SidePanelNote>
			))}
		</Card>
	)
}
