import {useNavigate} from '@tanstack/react-router'
import {Bell} from 'lucide-react'
import {useEffect, useRef} from 'react'
import {Button as AriaButton} from 'react-aria-components'

import {needsAction, type ShownNotice} from '#model/notice.ts'
import {formatCount} from '#text/numbers.ts'

import {useAsked} from '#api/hooks.tsx'
import {useUi} from '#state/ui.tsx'
import {useAnnounce} from '#ui/Announcer.tsx'
import {Tooltip} from '#ui/Tooltip.tsx'
import styles from './Notices.module.css'

/** Screen readers hear new notifications; the browser shows them while the page is hidden. */
export function NoticesBell() {
	const {data, isError} = useAsked(q => q.local.notices)
	const setOverlay = useUi(ui => ui.setOverlay)
	useNewNotices(data)
	const count = data?.filter(needsAction).length ?? 0
	const name = bellName(data)
	return (
		<Tooltip text={name}>
			<AriaButton className={styles.bell ?? ''} aria-haspopup="dialog" aria-label={name} onPress={() => setOverlay('notices')}>
				<Bell size={14} aria-hidden />
				{data === undefined && isError ? '?' : count === 0 ? null : formatCount(count)}
			</AriaButton>
		</Tooltip>
	)
}

export function bellName(notices: readonly Pick<ShownNotice, 'urgency' | 'read'>[] | undefined) {
	const unread = notices?.filter(({read}) => !read) ?? []
	const acts = unread.filter(needsAction).length
	const informs = unread.length - acts
	const counts = [acts === 0 ? '' : formatCount(acts), informs === 0 ? '' : `${formatCount(informs)} for information`].filter(Boolean).join(', ')
	return `Notifications: ${notices === undefined ? 'not known' : counts || 'none unread'}`
}

/** The first list is older than this page; only later ones are new. */
function useNewNotices(list: readonly ShownNotice[] | undefined) {
	const host = useAsked(q => q.app.info).data?.host
	const announce = useAnnounce()
	const navigate = useNavigate()
	// By id: the host's clock may be set back.
	const known = useRef<ReadonlySet<string> | null>(null)
	useEffect(() => {
		if (list === undefined) return
		const old = known.current
		known.current = new Set(list.map(({id}) => id))
		if (old === null) return
		for (const notice of list.filter(({id, quiet}) => !old.has(id) && !quiet)) {
			announce(notice.title, 'news')
			// On the desktop, the system shows notifications.
			if (host === 'headless') showInBrowser(notice, path => void navigate({href: path}))
		}
	}, [list, host, announce, navigate])
}

function showInBrowser({id, title, body, open}: ShownNotice, go: (path: string) => void) {
	if (!('Notification' in window) || Notification.permission !== 'granted' || !document.hidden) return
	const shown = new Notification(title, {body, tag: id})
	shown.addEventListener('click', () => {
		window.focus()
		if (open !== null) go(open)
		shown.close()
	})
}
