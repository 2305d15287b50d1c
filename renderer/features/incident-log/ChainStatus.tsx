import type {UseMutationResult} from '@tanstack/react-query'

import type {ChainState} from '#contract/local.ts'
import {counted, formOf, formatCount} from '#text/numbers.ts'
import {nouns} from '#text/terms.ts'

import {Banner} from '#ui/States.tsx'
import {Button, CopyButton} from '#ui/Button.tsx'
import {Time} from '#ui/Time.tsx'
import styles from './IncidentLogScreen.module.css'
import {t} from './text.ts'

type Verifying = UseMutationResult<ChainState, Error, void>

interface ChainStatusProps {
	verifying: Verifying
	/** Shows the log around that entry. */
	onShowAll: () => void
	onShow: (entry: string) => void
}

/** The result of verifying the hash chain; nothing until requested. */
export function ChainStatus({verifying, onShowAll, onShow}: ChainStatusProps) {
	const {data, error, isPending} = verifying
	if (isPending) {
		return (
			<p className={styles.chain} role="status">
				{t.checkingHash}
			</p>
		)
	}
	if (error !== null)
		return (
			<Banner tone="bad">
				{t.couldNotLoadColon} {error.message}
			</Banner>
		)
	if (data === undefined) return null
	if (data.broken !== null) {
		const {seq, id, at, what} = data.broken
		const acts = (
			<>
				{id !== null && <Button onPress={() => onShow(id)}>{t.showEntry(seq)}</Button>}
				<Button onPress={onShowAll}>{t.showAllEntries}</Button>
			</>
		)
		return (
			<Banner tone="bad" action={acts}>
				<strong>{t.hashChainBroken(seq)}</strong>
				{at !== null && (
					<>
						{' '}
						{t.ofInline} <Time at={at} form="exact" />
					</>
				)}
				{t.writtenChain(
					what,
					formatCount(data.checked),
					formOf(data.checked, ['entry before it is as it was', 'entries before it are as they were'])
				)}
			</Banner>
		)
	}
	return (
		<div className={styles.chain} role="status">
			<span className={styles.holds}>{t.hashChainIntact}</span>
			{data.head === null ? (
				<span>{t.logEmpty}</span>
			) : (
				<>
					<span>
						{t.checked(counted(data.checked, nouns.entry))} <Time at={data.at} form="clock" />
						{t.newestHash}
					</span>
					<code className="hashes" title={data.head.hash}>
						{data.head.hash.slice(0, 16)}…
					</code>
					<CopyButton text={`${data.head.seq} ${data.head.hash}`} what={t.numberAndHash} />
					<span className="note">{t.storeHashElsewhere(data.head.seq)}</span>
				</>
			)}
		</div>
	)
}
