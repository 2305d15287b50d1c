import {leaseEndingMs, type Lease} from '#model/lease.ts'
import {formatCountdown, formatLeft} from '#text/durations.ts'
import {leaseEnd, termWords} from '#text/isolation.ts'

import {useFromNow, Time} from '#ui/Time.tsx'
import {Tag} from '#ui/Tag.tsx'
import {t} from '../text.ts'

export function LeaseLeft({lease}: {lease: Pick<Lease, 'endsAt' | 'auto' | 'state'>}) {
	const {endsAt, auto, state} = lease
	const left = useFromNow(now => (endsAt === null ? null : leftWords(endsAt, now)))
	if (state === 'releasing') return <Tag tone="hold">{t.releasing}</Tag>
	if (endsAt === null || left === null) return <span>{termWords(null)}</span>
	if (left === 'over')
		return (
			<>
				<Tag tone="bad">{auto ? t.expiredReleaseDue : t.expired}</Tag> <Time at={endsAt} focusable />
			</>
		)
	const [kind, text = ''] = left.split('|')
	return (
		<span title={t.expires(endsAt)}>
			{kind === 'ending' ? <Tag tone="warn">{t.expiresIn(text)}</Tag> : <>{t.expiresIn(text)}</>}
			{auto ? `; ${leaseEnd(true, true)}` : ''}
		</span>
	)
}

function leftWords(endsAt: string, now: number) {
	const ms = Date.parse(endsAt) - now
	if (ms <= 0) return 'over'
	if (ms > 2 * 3_600_000) return `running|${formatLeft(ms)}`
	return `${ms <= leaseEndingMs ? 'ending' : 'running'}|${formatCountdown(ms)}`
}
