import {useQuery} from '@tanstack/react-query'

import type {Lease} from '#model/lease.ts'
import {formatAge} from '#text/durations.ts'

import {useConnected} from '#api/hooks.tsx'
import {useFromNow} from '#ui/Time.tsx'
import {t} from '../text.ts'
import styles from './guard.module.css'

/** How much of a computer's lease is left; empty without a lease. */
export function LeaseHint({guid}: {guid: string}) {
	const {queries, connection} = useConnected()
	// One query for all rows.
	const {data: endsAt = null} = useQuery({...queries.leases.list.queryOptions({input: {connection}}), select: leases => endOf(leases, guid)})
	const left = useFromNow(now => (endsAt === null ? null : leftWords(Date.parse(endsAt) - now)))
	if (left === null) return null
	return (
		<span className={styles.hint} title={t.leaseExpires(endsAt ?? '')}>
			{left}
		</span>
	)
}

function endOf(leases: readonly Lease[], guid: string) {
	return leases.find(lease => lease.guid === guid.toLowerCase())?.endsAt ?? null
}

function leftWords(ms: number) {
	return ms <= 0 ? 'lease expired' : `${formatAge(ms)} left`
}
