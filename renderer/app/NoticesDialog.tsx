import {useNavigate} from '@tanstack/react-router'

import {groupedNotices, noticeTitles, type ShownNotice} from '#model/notice.ts'

import {useAsked, useCall} from '#api/hooks.tsx'
import {Failure} from '#commands/Failure.tsx'
import {TenantMark} from '#commands/TenantMark.tsx'
import {WayOut} from '#commands/WayOut.tsx'
import {Button} from '#ui/Button.tsx'
import {cx} from '#ui/cx.ts'
import {Dialog} from '#ui/Dialog.tsx'
import {EmptyState, ErrorState, SkeletonLines} from '#ui/States.tsx'
import {Tag, type Tone, LookTag} from '#ui/Tag.tsx'
import {Time} from '#ui/Time.tsx'
import {urgencyWords} from '#ui/event-words.ts'
import styles from './Notices.module.css'
import {t} from './text.ts'

export function NoticesDialog({onClose}: {onClose: () => void}) {
	const navigate = useNavigate()
	const {data, error, refetch} = useAsked(q => q.local.notices)
	const dismiss = useCall((client, id: string | null) => client.local.dismissNotice({id}))
	const read = useCall((client, id: string | null) => client.local.readNotice({id}))
	const none = data === undefined || data.length === 0
	return (
		<Dialog
			title={t.notifications}
			onClose={onClose}
			footer={
				<>
					<Button
						onPress={() => {
							onClose()
							void navigate({to: '/settings', search: {section: 'notices'}})
						}}
					>
						{t.notificationSettings}
					</Button>
					<Button onPress={() => dismiss.mutate(null)} reason={none ? t.listEmpty : null}>
						{t.clearTheList}
					</Button>
					<Button onPress={() => read.mutate(null)} reason={data?.some(notice => !notice.read) === true ? null : t.nothingUnread}>
						{t.markAllRead}
					</Button>
					<Button tone="primary" onPress={onClose}>
						{t.done}
					</Button>
				</>
			}
		>
			<Failure error={dismiss.error} />
			<Failure error={read.error} />
			{error !== null && <ErrorState error={error} onRetry={refetch} />}
			{data === undefined && error === null && <SkeletonLines lines={4} label={t.loadingNotifications} />}
			{data?.length === 0 && <EmptyState title={t.noNotifications}>{t.problemsNeed}</EmptyState>}
			{groupedNotices(data ?? []).map(({tenant, urgency, notices}) => {
				const {shape, word} = urgencyWords[urgency]
				const label = `${tenant?.name ?? t.thisComputer}, ${word}`
				return (
					<section key={`${tenant?.id} ${urgency}`} aria-label={label} className={styles.group}>
						<h3 className={styles.groupTitle}>
							<LookTag tone={tones[urgency]} shape={shape} word={word} />
							{tenant === null ? t.thisComputer : <TenantMark tenant={tenant} />}
						</h3>
						<ul className={styles.list}>
							{notices.map(notice => (
								<NoticeLine key={notice.id} notice={notice} onRead={() => read.mutate(notice.id)} onDismiss={() => dismiss.mutate(notice.id)} />
							))}
						</ul>
					</section>
				)
			})}
		</Dialog>
	)
}

const tones: Readonly<Record<ShownNotice['urgency'], Tone>> = {now: 'bad', soon: 'warn', know: 'plain'}

function NoticeLine({notice, onRead, onDismiss}: {notice: ShownNotice; onRead: () => void; onDismiss: () => void}) {
	const {kind, at, title, body, open, recovered, quiet, read} = notice
	return (
		<li className={cx(styles.line, read && styles.read)}>
			<div className={styles.head}>
				{!read && <span className={styles.unread} role="img" aria-label={t.unread} />}
				{recovered && <Tag tone="ok">{t.recovered}</Tag>}
				<strong>{title}</strong>
				<Time at={at} />
			</div>
			<p className="soft wraps" title={noticeTitles[kind]}>
				{[body, quiet ? t.desktopNotificationSuppressed : ''].filter(Boolean).join(' · ')}
			</p>
			<div className={styles.acts}>
				{open !== null && (
					<WayOut href={open} onPress={onRead} aria-label={t.show(title)}>
						{t.showTitle}
					</WayOut>
				)}
				{!read && (
					<Button small tone="quiet" onPress={onRead} aria-label={t.markReadOf(title)}>
						{t.markRead}
					</Button>
				)}
				<Button small tone="quiet" onPress={onDismiss} aria-label={t.dismissOf(title)}>
					{t.dismiss}
				</Button>
			</div>
		</li>
	)
}
