import type {AuditState} from '#contract/log.ts'
import type {LastAction} from '#contract/insight.ts'
import {asSentence} from '#shared/sentence.ts'
import {common} from '#text/common.ts'
import {counted} from '#text/numbers.ts'
import {nouns} from '#text/terms.ts'
import {useConnected, useCall} from '#api/hooks.tsx'
import type {TimeRange} from '#ui/chart/histogram-shapes.ts'
import {Link} from '#ui/Button.tsx'
import {Reason} from '#ui/States.tsx'
import {Tag} from '#ui/Tag.tsx'
import {Time} from '#ui/Time.tsx'
import {Card} from '#ui/Screen.tsx'
import {unseen} from '#ui/cx.ts'
import styles from './OverviewScreen.module.css'
import {t} from './text.ts'
import {pathDuring} from './use-chosen-time.ts'

/** The latest changes, from the incident log and, as far as loaded, from the tenant's audit log. */
export function LastActions({actions, audit, range}: {actions: readonly LastAction[]; audit: AuditState; range: TimeRange | null}) {
	return (
		<Card
			title={range === null ? t.lastActionsTitle : t.lastActionsChosen}
			aside={<Link href={pathDuring('/log?writes=true', range)}>{t.allChanges}</Link>}
		>
			{actions.length === 0 ? (
				<p className="note">{range !== null ? t.noKnownChanges : isRead(audit) ? t.noKnownChangesYet : t.noChangesConsole}</p>
			) : (
				<ul className={styles.actions}>
					{actions.map(action => (
						<Line key={action.open} action={action} />
					))}
				</ul>
			)}
			<AuditNote audit={audit} />
		</Card>
	)
}

function Line({action: {ok, open, text, who, where, at}}: {action: LastAction}) {
	return (
		<li className={styles.action}>
			<span className={ok ? styles.fine : styles.wrong}>
				<span aria-hidden>{ok ? '✓' : '✕'}</span>
				<span className={unseen}>{ok ? t.wentWell : t.failedOrUnknown}</span>
			</span>
			<span>
				<Link href={open} className={styles.actionText}>
					{text}
				</Link>{' '}
				<span className={styles.by}>
					{t.by(who)} {where === 'elsewhere' && <Tag>{t.elsewhere}</Tag>}
				</span>
			</span>
			<span className={styles.since}>
				<Time at={at} />
			</span>
		</li>
	)
}

/** How far changes outside Cordon are loaded, which happens only on request. */
function AuditNote({audit}: {audit: AuditState}) {
	const {queries, cache, connection} = useConnected()
	const {mutate, isPending, error} = useCall(client => client.log.readAudit({connection}), {
		onSettled: async () => {
			for (const query of [queries.overview, queries.overviewDuring, queries.log]) await cache.invalidateQueries({queryKey: query.key()})
		}
	})
	const failed = error ?? (audit.problem?.code === 'rate_limited' ? audit.problem : null)
	const words = failed === null ? auditWords(audit) : [`${common.auditNotLoaded} `, <Reason key="why" error={failed} />]
	return (
		<p className={styles.audit} role="status">
			{isPending ? (
				t.queryingService
			) : (
				<>
					{words ?? (
						<>
							{t.storedAudit} <Time at={audit.readAt} />.
						</>
					)}{' '}
					<Link onPress={() => mutate()}>
						{askWords(audit)}: {priceOf(audit)}
					</Link>
				</>
			)}
		</p>
	)
}

function priceOf({price, complete}: AuditState) {
	return `${complete ? '' : 'at least '}${counted(price, nouns.call)}`
}

/** How complete changes elsewhere are, in a sentence; `null`: complete. */
export function auditWords({readAt, problem, elsewhere, own}: AuditState) {
	if (readAt === null) return 'Changes outside Cordon are unknown. Load the audit log.'
	if (problem === null) return null
	const kept = elsewhere + own > 0
	switch (problem.code) {
		case 'forbidden':
			return `This API key may not read the audit log. ${kept ? 'Later changes' : 'Changes'} outside Cordon are unknown.`
		case 'incomplete':
			return 'Only the newest audit entries were loaded. Load older changes in the Incident log.'
		default:
			return `Could not ${kept ? 'refresh' : 'load'} the audit log: ${asSentence(problem.message)}`
	}
}

/** Complete for its period, so an empty list means no changes. */
export function isRead({readAt, problem}: AuditState) {
	return readAt !== null && problem === null
}

export function askWords({readAt, problem}: AuditState): string {
	if (readAt === null) return common.load
	return problem === null || problem.code === 'incomplete' ? common.loadNewEntries : 'Try again'
}
