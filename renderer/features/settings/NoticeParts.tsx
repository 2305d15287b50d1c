import {useState} from 'react'

import {noticeKinds, noticeTitles} from '#model/notice.ts'

import {useSetSettings, useSettings, useAsked} from '#api/hooks.tsx'
import {Button} from '#ui/Button.tsx'
import {TextField, Checkbox, Switch} from '#ui/Field.tsx'
import {Part} from './Part.tsx'
import styles from './Settings.module.css'
import {t} from './text.ts'

export function NotifyPart() {
	const {notify} = useSettings()
	const set = useSetSettings()
	const host = useAsked(q => q.app.info).data?.host
	return (
		<Part title={t.desktopNotifications} sets={['notify']} about={t.problemsNeed}>
			<Switch isSelected={notify} onChange={next => set({notify: next})}>
				{t.notifyWhen}
			</Switch>
			{host === 'headless' && notify && <Permission />}
		</Part>
	)
}

/** In a browser, the operator must allow it; only a button press may ask. */
function Permission() {
	const isKnown = 'Notification' in window
	const [state, setState] = useState(() => (isKnown ? Notification.permission : 'denied'))
	if (!isKnown) return <p className={styles.hint}>{t.browserDoes}</p>
	if (state === 'granted') return <p className={styles.hint}>{t.browserShows}</p>
	if (state === 'denied') {
		return <p className={styles.hint}>{t.browserDoesNot}</p>
	}
	return <Button onPress={() => void Notification.requestPermission().then(setState)}>{t.askBrowser}</Button>
}

export function NotifyKindsPart() {
	const {notifyKinds} = useSettings()
	const set = useSetSettings()
	return (
		<Part title={t.notificationTypes} sets={['notifyKinds']}>
			{noticeKinds.map(kind => (
				<Checkbox
					key={kind}
					isSelected={notifyKinds.includes(kind)}
					onChange={on => set({notifyKinds: noticeKinds.filter(each => (each === kind ? on : notifyKinds.includes(each)))})}
				>
					{noticeTitles[kind]}
				</Checkbox>
			))}
		</Part>
	)
}

const usual = {from: '22:00', to: '07:00'}
const clockTime = /^([01]\d|2[0-3]):[0-5]\d$/

export function QuietHoursPart() {
	const {quietHours, timeZone} = useSettings()
	const set = useSetSettings()
	return (
		<Part title={t.quietHours} sets={['quietHours']} about={t.notificationsWait}>
			<Switch isSelected={quietHours !== null} onChange={on => set({quietHours: on ? usual : null})}>
				{t.muteNotifications}
			</Switch>
			{quietHours !== null && (
				<div className="cluster">
					<Hour label={t.from} value={quietHours.from} onChange={from => set({quietHours: {...quietHours, from}})} />
					<Hour label={t.toTitle} value={quietHours.to} onChange={to => set({quietHours: {...quietHours, to}})} />
					{timeZone === 'utc' && <span className={styles.hint}>{t.utc}</span>}
				</div>
			)}
		</Part>
	)
}

function Hour({label, value, onChange}: {label: string; value: string; onChange: (value: string) => void}) {
	const [typed, setTyped] = useState(value)
	return (
		<TextField
			label={label}
			value={typed}
			className={styles.time}
			maxLength={5}
			onChange={next => {
				setTyped(next)
				if (clockTime.test(next)) onChange(next)
			}}
			error={clockTime.test(typed) ? null : t.such0730}
		/>
	)
}
