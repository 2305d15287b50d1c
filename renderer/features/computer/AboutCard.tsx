import type {ComputerDetail} from '#contract/contract.ts'
import {roleTold} from '#model/computer.ts'
import {stringifyExact} from '#model/exact-json.ts'

import {KeyValue, fact} from '#ui/Facts.tsx'
import {Link} from '#ui/Button.tsx'
import {Tag} from '#ui/Tag.tsx'
import {Time} from '#ui/Time.tsx'
import {Card} from '#ui/Screen.tsx'
import {t} from './text.ts'

interface AboutCardProps {
	detail: ComputerDetail
	/** Opens the dialog of tags and roles. */
	onLabel: () => void
}

export function AboutCard({detail, onLabel}: AboutCardProps) {
	const {row} = detail
	return (
		<Card
			title={t.about}
			aside={
				<>
					{t.loadedInline} <Time at={row.readAt} focusable />
				</>
			}
		>
			<KeyValue
				facts={[
					fact('Group', row.groupGuid === '' ? '–' : <Link href={`/groups/${row.groupGuid}`}>{groupWords(detail)}</Link>),
					fact('Policy', <PolicyWords detail={detail} />),
					fact('System', row.os || '–'),
					fact('Connector', row.connectorVersion || '–', 'mono'),
					fact('Address', row.internalIps.join(', ') || '–', 'mono'),
					fact('External', row.externalIp || '–', 'mono'),
					fact('MAC', row.macs.join(', ') || '–', 'mono'),
					fact('Installed', <Time at={row.installDate} form="exact" unknown="–" />),
					fact('Faults', <Faults detail={detail} />),
					fact('Last seen', <Time at={row.lastSeen} form="exact" unknown="never" />),
					fact(
						'Role',
						<>
							{roleTold(row) ?? '–'} <Link onPress={onLabel}>{t.changeInline}</Link>
						</>
					),
					fact('Tags', row.tags.length === 0 ? '–' : row.tags.map(tag => <Tag key={tag}>{tag}</Tag>))
				]}
			/>
		</Card>
	)
}

/** Names from the root group down. */
export function groupWords({row, groupPath}: ComputerDetail) {
	return groupPath.length === 0 ? row.groupName || row.groupGuid : groupPath.join(' ▸ ')
}

function Faults({detail}: {detail: ComputerDetail}) {
	const faults = faultsOf(detail)
	if (faults === null) return 'not told'
	if (faults.length === 0) return 'none'
	return faults.join(', ')
}

/** The form of a fault is undocumented: its title if present, otherwise as received. `null`: no such field in the record. */
export function faultsOf({record}: ComputerDetail): readonly string[] | null {
	const faults = record['faults']
	return Array.isArray(faults) ? faults.map(faultWords) : null
}

function faultWords(fault: unknown) {
	if (typeof fault === 'string') return fault
	const isRecord = typeof fault === 'object' && fault !== null
	const title: unknown = isRecord ? (Reflect.get(fault, 'title') ?? Reflect.get(fault, 'name')) : null
	return typeof title === 'string' ? title : stringifyExact(fault)
}

/** The name, linked to the policy, and its serial number if the local copy has it. */
export function PolicyWords({detail: {row, policy}}: {detail: ComputerDetail}) {
	if (policy === null) return row.policyName || '–'
	return (
		<>
			<Link href={`/policies/${policy.guid}`}>{row.policyName || policy.guid}</Link>
			{policy.serial === null ? '' : t.serial(policy.serial)}
		</>
	)
}
