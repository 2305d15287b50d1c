import {useEffect} from 'react'

import {formatAge} from '#text/durations.ts'

import {useApi, useWireState} from '#api/hooks.tsx'
import {Button} from '#ui/Button.tsx'
import {useFromNow} from '#ui/Time.tsx'
import styles from './HostLost.module.css'
import {t} from './text.ts'

/** Covers the last view, which stays readable, while the host is unreachable. */
export function HostLost() {
	const state = useWireState()
	const {wire} = useApi()
	const isLost = state.kind !== 'connected' && state.kind !== 'connecting'
	useEffect(() => void document.body.toggleAttribute('data-lost', isLost), [isLost])
	if (!isLost) return null
	return (
		// The mark keeps dialogs from making it inert.
		<div className={styles.veil} data-react-aria-top-layer>
			<div className={styles.card} role="alert">
				<h2 className={styles.title}>{titles[state.kind]}</h2>
				{state.kind === 'reconnecting' ? <Waiting since={state.since} nextAt={state.nextAt} /> : <p>{texts[state.kind]}</p>}
				{state.kind !== 'closed' && (
					<div className={styles.actions}>
						<Button onPress={() => (state.kind === 'refused' ? location.reload() : wire.retryNow())}>
							{state.kind === 'refused' ? t.reloadThePage : t.reconnectNow}
						</Button>
					</div>
				)}
			</div>
		</div>
	)
}

const titles = {reconnecting: 'Cordon is not responding', refused: 'This browser is not signed in', closed: 'Cordon has stopped'} as const

const texts = {
	refused: 'Open the entry URL that Cordon printed when it started. You are viewing old data.',
	closed: 'Close this window and start Cordon again. You are viewing old data.'
} as const

function Waiting({since, nextAt}: {since: number; nextAt: number}) {
	const text = useFromNow(now => {
		const wait = Math.ceil((nextAt - now) / 1000)
		const next = wait <= 0 ? 'Reconnecting…' : `Next attempt in ${wait} s.`
		return `Connection lost ${formatAge(now - since)} ago. ${next}`
	})
	return (
		<p>
			{t.youViewingOld} <span aria-live="off">{text}</span>
		</p>
	)
}
