import type {GroupNode, PolicyRow} from '#contract/directory.ts'
import {formatCount} from '#text/numbers.ts'

import {productTitle} from '#commands/directory/directory-words.ts'
import {EmptyState} from '#ui/States.tsx'
import {Link} from '#ui/Button.tsx'
import {SidePanel, SidePanelActions, SidePanelHeader, SidePanelNote} from '#ui/SidePanel.tsx'
import {Tag} from '#ui/Tag.tsx'
import {Card} from '#ui/Screen.tsx'
import {groupsUsing} from './policy-facts.ts'
import {AboutCard, EditedElsewhere, ListCards, Problem, ReadPolicy, Vanished} from './PolicyParts.tsx'
import styles from './policies.module.css'
import {t} from './text.ts'

interface PolicyPanelProps {
	policy: PolicyRow | undefined
	groups: ReadonlyMap<string, GroupNode>
	onClose: () => void
}

export function PolicyPanel({policy, groups, onClose}: PolicyPanelProps) {
	return (
		<SidePanel label={t.policyCursor} onClose={onClose}>
			{policy === undefined ? <EmptyState title={t.policyNotKnown}>{t.deletedElsewhere}</EmptyState> : <Inside policy={policy} groups={groups} />}
		</SidePanel>
	)
}

function Inside({policy, groups}: {policy: PolicyRow; groups: PolicyPanelProps['groups']}) {
	return (
		<>
			<SidePanelHeader title={policy.name} name={policy.name}>
				{policy.isDefault && <Tag>{t.default}</Tag>}
				<SidePanelNote>{t.policyFor(productTitle(policy.product))}</SidePanelNote>
			</SidePanelHeader>
			<SidePanelActions>
				<Link look="button" href={`/policies/${policy.guid}`}>
					{t.openPolicy}
				</Link>
				<Link look="button" href={`/policies/compare?a=${policy.guid}`}>
					{t.compareMore}
				</Link>
				<ReadPolicy policy={policy} />
			</SidePanelActions>
			<Vanished policy={policy} />
			<Problem policy={policy} />
			<EditedElsewhere />
			<UsedBy policy={policy} groups={groups} />
			<ListCards policy={policy} />
			<AboutCard policy={policy} />
		</>
	)
}

const mostGroups = 12

function UsedBy({policy, groups}: {policy: PolicyRow; groups: PolicyPanelProps['groups']}) {
	const using = groupsUsing(policy, groups)
	return (
		<Card title={t.usedByGroups} aside={using === null ? '?' : formatCount(using.length)}>
			{using === null ? (
				<p className="fact">{t.notLoadedYetTitle}</p>
			) : using.length === 0 ? (
				<p className="fact">{t.noGroupUses}</p>
			) : (
				<ul className={styles.names}>
					{using.slice(0, mostGroups).map(({guid, name, origin}) => (
						<li key={guid}>
							<Link href={`/groups?group=${guid}`}>{name}</Link> <span className="fact">{originMark(origin)}</span>
						</li>
					))}
					{using.length > mostGroups && (
						<li>
							<Link href={`/policies/${policy.guid}?tab=used`}>{t.all(formatCount(using.length))}</Link>
						</li>
					)}
				</ul>
			)}
		</Card>
	)
}

export function originMark(origin: 'own' | 'inherited' | 'unknown') {
	if (origin === 'own') return '● own'
	return origin === 'inherited' ? '◌ inherited' : '? own or inherited'
}
