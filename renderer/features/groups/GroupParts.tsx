import {useMemo} from 'react'

import type {GroupNode} from '#contract/directory.ts'
import {asSentence} from '#shared/sentence.ts'
import {formatCount} from '#text/numbers.ts'

import {useActiveConnection} from '#api/hooks.tsx'
import {calls, inProductOrder, listTypeTitle, productTitle} from '#commands/directory/directory-words.ts'
import {usePolicies, useReadDetails} from '#commands/directory/use-directory.ts'
import {Button, Link} from '#ui/Button.tsx'
import {KeyValue, fact, copiedFact} from '#ui/Facts.tsx'
import {Tag} from '#ui/Tag.tsx'
import {Time} from '#ui/Time.tsx'
import {Card} from '#ui/Screen.tsx'
import {WebConsole} from '#ui/WebConsole.tsx'
import {listsOf, policiesOf} from './group-facts.ts'
import styles from './GroupParts.module.css'
import {t} from './text.ts'

interface PartProps {
	group: GroupNode
	/** From the root to the group itself. */
	path: readonly GroupNode[]
}

export function Ancestry({path, onGo}: {path: readonly GroupNode[]; onGo: (guid: string) => void}) {
	return (
		<div className={styles.path}>
			{path.length === 1 && t.groupTop}
			{path.slice(0, -1).map(above => (
				<span key={above.guid}>
					<Link onPress={() => onGo(above.guid)}>{above.name}</Link> ▸{' '}
				</span>
			))}
			{path.length !== 1 && path.at(-1)?.name}
		</div>
	)
}

/** Policies per product, own or inherited and from where. */
export function PoliciesCard({group, path}: PartProps) {
	const uses = policiesOf(path)
	const reading = useReadDetails()
	const problem = group.problem ?? reading.error
	const isUnread = uses === null
	const order = inProductOrder((uses ?? []).map(({product}) => product))
	return (
		<Card
			title={t.policies}
			aside={
				<Button
					small
					tone={isUnread ? 'plain' : 'quiet'}
					onPress={() => reading.mutate({groups: [group]})}
					reason={reading.isPending ? t.loadingNow : null}
				>
					{t.forOneCall(isUnread ? t.load : t.refresh)}
				</Button>
			}
		>
			{problem !== null && (
				<p className={styles.problem}>
					{group.problem !== null && <Tag tone="warn">{t.notReadableInline}</Tag>} {asSentence(problem.message)}
				</p>
			)}
			{isUnread ? (
				group.problem === null && <p className="fact">{t.detailsNot}</p>
			) : uses.length === 0 ? (
				<p className="fact">{t.serviceNames}</p>
			) : (
				<KeyValue
					facts={order.flatMap(product =>
						uses
							.filter(use => use.product === product)
							.map(use =>
								fact(
									productTitle(product),
									<>
										<Link href={`/policies/${use.guid}`}>{use.name}</Link>{' '}
										{use.inherited ? (
											<span className="fact">{t.inheritedOf(use.from === null ? '' : t.fromOf(use.from.name))}</span>
										) : (
											<Tag>{t.own}</Tag>
										)}
									</>
								)
							)
					)}
				/>
			)}
		</Card>
	)
}

/** File lists that apply here through the policies; missing data is named, with its cost. */
export function ListsCard({group}: {group: GroupNode}) {
	const {items: policies} = usePolicies()
	const known = useMemo(() => new Map((policies ?? []).map(policy => [policy.guid, policy])), [policies])
	const applied = useMemo(() => group.policies && listsOf(group.policies, known), [group, known])
	const reading = useReadDetails()
	if (applied === null)
		return (
			<Card title={t.fileListsApply}>
				<p className="fact">{t.theyPartPolicies}</p>
			</Card>
		)
	const {lists, unknown} = applied
	return (
		<Card title={t.fileListsApply} aside={unknown.length === 0 ? formatCount(lists.length) : `≥ ${lists.length}`}>
			{lists.length === 0 && unknown.length === 0 ? (
				<p className="fact">{t.nonePolicies}</p>
			) : (
				<ul className={styles.lists}>
					{lists.map(list => (
						<li key={list.guid}>
							<span className="wraps">
								<Link href={`/file-lists/${list.guid}`}>{list.name}</Link>
							</span>
							<span className="fact">
								{t.through(listTypeTitle(list.type), list.through.map(({name, product}) => `${name} (${productTitle(product)})`).join(', '))}
							</span>
						</li>
					))}
				</ul>
			)}
			{unknown.length !== 0 && (
				<p className="fact">
					{t.listsNotLoaded(unknown.map(({name, product}) => `${name} (${productTitle(product)})`).join(', '))}{' '}
					<Button small onPress={() => reading.mutate({policies: unknown})} reason={reading.isPending ? t.loadingNow : null}>
						{t.loadOf(calls(unknown.length))}
					</Button>
					{reading.error !== null && ` ${asSentence(reading.error.message)}`}
				</p>
			)}
		</Card>
	)
}

/** Actions without a command are explained where they would be expected. */
export function AboutCard({group}: {group: GroupNode}) {
	const connection = useActiveConnection()
	const cannot = 'Moving a group under another, making, renaming and removing one are not among the commands of this console'
	return (
		<Card title={t.about}>
			<KeyValue
				facts={[
					group.description !== '' && fact('Description', group.description),
					group.source !== null && fact('Source', group.source),
					copiedFact('GUID', group.guid, t.guid),
					fact('Loaded', <Time at={group.readAt} focusable />)
				]}
			/>
			<p className="aside">
				<WebConsole server={connection.url} without={`${cannot}.`}>
					{t.inWebConsole(cannot)}
				</WebConsole>
			</p>
		</Card>
	)
}
