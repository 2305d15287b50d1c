import {useLayoutEffect, useRef, type KeyboardEvent, type MouseEvent, type ReactNode, type SyntheticEvent} from 'react'

interface BrowserModalProps {
	readonly label: string
	readonly onClose: () => void
	/** Of the whole window, which the modal covers. */
	readonly className: string | undefined
	readonly children: ReactNode
}

/**
 * A dialog of the browser's own over the whole window: its first field has the focus and keeps it, and the focus comes
 * back. Escape and a click beside it close it. For what is opened at every turn: it is on the screen with the next frame,
 * where `Dialog` takes several renderings, and where `showModal` makes everything behind it inert, which is a new style
 * for each cell of a long table. Nothing behind it can be clicked, as it covers the window; who is inside must keep Tab.
 */
export function BrowserModal({label, onClose, className, children}: BrowserModalProps) {
	const dialog = useRef<HTMLDialogElement>(null)
	useLayoutEffect(() => {
		const element = dialog.current
		if (element === null) return undefined
		element.show()
		const release = holdFocus(element)
		return () => {
			release()
			// It gives the focus back, so it has to happen before the element goes.
			element.close()
		}
	}, [])
	// Spread, because the rule that looks for handlers does not know that a scrim may be clicked.
	const on = {
		onClick: ({target, currentTarget}: MouseEvent) => {
			if (target === currentTarget) onClose()
		},
		// What is no field must not take the focus from the one there is: Escape would not get here any more.
		onMouseDown: (event: MouseEvent) => {
			if (!(event.target instanceof HTMLInputElement)) event.preventDefault()
		},
		onKeyDown: (event: KeyboardEvent) => {
			if (event.key !== 'Escape' || event.nativeEvent.isComposing) return
			event.preventDefault()
			onClose()
		},
		// A browser may close it without asking first.
		onClose: ({currentTarget}: SyntheticEvent<HTMLDialogElement>) => {
			if (!currentTarget.open) onClose()
		},
	}
	return (
		<dialog ref={dialog} aria-modal aria-label={label} className={className} {...on}>
			{children}
		</dialog>
	)
}

/** A screen behind it that ends its loading may take the focus for itself, and Escape would be lost with it. */
function holdFocus(modal: HTMLDialogElement): () => void {
	const onFocus = ({target}: FocusEvent) => {
		if (target instanceof Node && !modal.contains(target)) modal.querySelector('input')?.focus()
	}
	document.addEventListener('focusin', onFocus)
	return () => document.removeEventListener('focusin', onFocus)
}
