import {useEffect} from 'react'

import {useAnnounce} from './Announcer.tsx'
import {anyDialog} from './list-of-screen.ts'
import {t} from './text.ts'

/** Links, the program's menu, notifications, the back button and reloading leave a dialog with typed text open, and say why. */
export function useTypedKept() {
	const announce = useAnnounce()
	useEffect(() => {
		const mark = ({target}: Event) => {
			if (target instanceof HTMLElement && target.closest(anyDialog) !== null) target.dataset['typed'] = ''
		}
		const look = (event: Event) => {
			const typed = [...document.querySelectorAll<HTMLInputElement>('[data-typed]')].some(({value}) => value !== '')
			// The page's own navigation is no change of the hash to the browser.
			if (!typed || ('hashChange' in event && !event.hashChange) || !event.cancelable) return
			event.preventDefault()
			announce(t.closeDialogFirst)
		}
		const stop = new AbortController()
		const {signal} = stop
		document.addEventListener('input', mark, {capture: true, signal})
		// Older browsers have none.
		if ('navigation' in window) window.navigation.addEventListener('navigate', look, {signal})
		window.addEventListener('beforeunload', look, {signal})
		return () => stop.abort()
	}, [announce])
}
