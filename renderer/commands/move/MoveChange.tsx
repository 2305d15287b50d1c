import type {ComputerDetail} from '#contract/contract.ts'
import type {GroupNode, NamedReference} from '#contract/directory.ts'

import {Button} from '#ui/Button.tsx'
import {usePolicies, useReadDetails} from '../directory/use-directory.ts'
import {t} from '../text.ts'
import styles from './move.module.css'
import {moveEffect, type MoveEffect} from './move-effect.ts'

interface MoveChangeProps {
	detail: ComputerDetail
	from: string
	target: GroupNode | undefined
	paths: ReadonlyMap<string, string>
}

/** Before and after: group, effective policy, lists. Says what is unknown and what loading it costs. */
export function MoveChange({detail, from, target, paths}: MoveChangeProps) {
	const {items: policies = []} = usePolicies()
	const known = new Map(policies.map(policy => [policy.guid, policy]))
	const now = policyNow(detail)
	const effect = target === undefined ? null : moveEffect(now, target, known)
	const isSame = effect?.after != null && effect.after.guid === now.guid.toLowerCase()
	return (
		<>
			<dl className={styles.change} aria-label={t.beforeAndAfter}>
				<dt>{t.group}</dt>
				<dd>
					{from} → <b>{target === undefined ? '…' : (paths.get(target.guid) ?? target.name)}</b>
				</dd>
				<dt>{t.policy}</dt>
				<dd>
					{now.name || t.notKnown} → <b>{effect === null ? '…' : (effect.after?.name ?? '?')}</b>
					{isSame ? t.staysTheSame : effect?.after == null ? '' : t.nextPolicy}
				</dd>
				{effect?.lists == null || isSame ? null : (
					<>
						<dt>{t.fileLists}</dt>
						<dd>
							<Difference change={effect.lists} />
						</dd>
						<dt>{t.exclusions}</dt>
						<dd>
							<Difference change={effect.exclusions} />
						</dd>
					</>
				)}
			</dl>
			{effect !== null && <Unknown effect={effect} />}
		</>
	)
}

export function Difference({change}: {change: MoveEffect['lists']}) {
	if (change === null) return '?'
	if (change.gained.length + change.lost.length === 0) return 'no change'
	return (
		<ul className={styles.lists}>
			{change.gained.map(list => (
				<Line key={list.guid} list={list} sign="+" word="gained" />
			))}
			{change.lost.map(list => (
				<Line key={list.guid} list={list} sign="−" word="lost" />
			))}
		</ul>
	)
}

function Line({list, sign, word}: {list: NamedReference; sign: string; word: string}) {
	return (
		<li data-sign={word}>
			<span role="img" aria-label={word}>
				{sign}
			</span>{' '}
			{list.name}
		</li>
	)
}

function Unknown({effect: {missing, problem}}: {effect: MoveEffect}) {
	const reading = useReadDetails()
	if (problem !== null) return <p className="quiet">{problem}</p>
	if (missing === null) return null
	return (
		<p className="quiet">
			{missing.kind === 'group' ? t.policiesNot(missing.name) : t.listsPolicy(missing.name)}{' '}
			<Button
				small
				onPress={() => reading.mutate({[missing.kind === 'group' ? 'groups' : 'policies']: [missing]})}
				reason={reading.isPending ? t.loadingNow : null}
			>
				{t.load1Call}
			</Button>
			{reading.error !== null && ` ${reading.error.message}`}
		</p>
	)
}

/** The record has the policy's GUID; the row has only its name. */
function policyNow({record, row}: ComputerDetail): {guid: string; name: string} {
	const policy: unknown = record['policy']
	const guid = typeof policy === 'object' && policy !== null && 'guid' in policy ? policy.guid : ''
	return {guid: typeof guid === 'string' ? guid : '', name: row.policyName}
}
