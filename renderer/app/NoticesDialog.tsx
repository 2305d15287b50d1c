import {useMutation, useQuery} from '@tanstack/react-query'
import {useNavigate} from '@tanstack/react-router'

import {noticeTitles, type ShownNotice} from '#shared/model/notice.ts'

import {useApi} from '../api/ApiProvider.tsx'
import {asCordonError} from '../api/errors.ts'
import {TenantMark} from '../commands/TenantMark.tsx'
import {useChooseConnection} from '../commands/use-choose-connection.ts'
import {Button} from '../ui/Button.tsx'
import {Dialog} from '../ui/Dialog.tsx'
import {EmptyState, ErrorState} from '../ui/EmptyState.tsx'
import {Link} from '../ui/Link.tsx'
import {SkeletonLines} from '../ui/Skeleton.tsx'
import {Tag} from '../ui/Tag.tsx'
import {Time} from '../ui/Time.tsx'
import styles from './Notices.module.css'
import {t} from './text.ts'

export function NoticesDialog({onClose}: {readonly onClose: () => void}) {
	const {client, queries} = useApi()
	const navigate = useNavigate()
	const {data, error, refetch} = useQuery(queries.local.notices.queryOptions())
	const dismiss = useMutation({mutationFn: (id: string | null) => client.local.dismissNotice({id})})
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
					<Button tone="primary" onPress={onClose}>
						{t.done}
					</Button>
				</>
			}
		>
			{error === null ? null : <ErrorState error={asCordonError(error)} onRetry={() => void refetch()} />}
			{data === undefined && error === null ? <SkeletonLines lines={4} label={t.loadingNotifications} /> : null}
			{data?.length === 0 ? <EmptyState title={t.noNotifications}>{t.problemsNeed}</EmptyState> : null}
			{none ? null : (
				<ul className={styles.list} aria-label={t.notifications}>
					{data.map(notice => (
						<NoticeLine key={notice.id} notice={notice} onOpen={onClose} onDismiss={() => dismiss.mutate(notice.id)} />
					))}
				</ul>
			)}
		</Dialog>
	)
}

interface NoticeLineProps {
	readonly notice: ShownNotice
	readonly onOpen: () => void
	readonly onDismiss: () => void
}

function NoticeLine({notice, onOpen, onDismiss}: NoticeLineProps) {
	const {kind, at, title, body, open, recovered, quiet, tenant} = notice
	const choose = useChooseConnection()
	return (
		<li className={styles.line}>
			<div className={styles.head}>
				<Tag tone={recovered ? 'ok' : 'warn'}>{recovered ? t.recovered : t.actionNeeded}</Tag>
				<strong>{title}</strong>
				<TenantMark tenant={tenant} />
				<Time at={at} />
			</div>
			<p className={styles.body} title={noticeTitles[kind]}>
				{body}
				{quiet ? t.desktopNotificationSuppressed : ''}
			</p>
			<div className={styles.acts}>
				{open === null ? null : (
					<Link
						href={open}
						onPress={() => {
							if (tenant !== null) choose(tenant.id)
							onOpen()
						}}
						aria-label={t.show(title)}
					>
						{t.showTitle}
					</Link>
				)}
				<Button size="small" tone="quiet" onPress={onDismiss} aria-label={t.dismissOf(title)}>
					{t.dismiss}
				</Button>
			</div>
		</li>
	)
}
