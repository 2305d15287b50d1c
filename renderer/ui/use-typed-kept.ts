import {useEffect} from 'react'

import {useAnnounce} from './Announcer.tsx'
import {anyDialog} from './Dialog.tsx'
import {t} from './text.ts'

/** A link, the program's menu, a notification and the back button leave a dialog with typed text open, and say why. */
export function useTypedKept(): void {
	const announce = useAnnounce()
	useEffect(() => {
		const mark = ({target}: Event) => {
			if (target instanceof HTMLElement && target.closest(anyDialog) !== null) target.dataset['typed'] = ''
		}
		const look = (event: NavigateEvent) => {
			const typed = [...document.querySelectorAll<HTMLInputElement>('[data-typed]')].some(({value}) => value !== '')
			// The page's own navigation is no change of the hash to the browser.
			if (!typed || !event.hashChange || !event.cancelable) return
			event.preventDefault()
			announce(t.closeDialogFirst)
		}
		// Older browsers have none.
		const steps = 'navigation' in window ? window.navigation : undefined
		document.addEventListener('input', mark, true)
		steps?.addEventListener('navigate', look)
		return () => {
			document.removeEventListener('input', mark, true)
			steps?.removeEventListener('navigate', look)
		}
	}, [announce])
}
