import {useLayoutEffect, useRef, type KeyboardEvent, type MouseEvent, type ReactNode, type SyntheticEvent} from 'react'

interface BrowserModalProps {
	label: string
	onClose: () => void
	/** For the element over the whole window. */
	className: string | undefined
	children: ReactNode
}

/**
 * A native dialog over the whole window: its first field gets and keeps the focus, which is restored on close. Escape and a click
 * outside close it. For frequently opened dialogs: it appears with the next frame, whereas `Dialog` needs several renders, and
 * `showModal` makes everything behind it inert, which restyles each cell of a long table. It covers the window, so nothing behind
 * can be clicked; its content must keep Tab inside.
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
			// Restores the focus, so this must precede the removal of the element.
			element.close()
		}
	}, [])
	// Spread, because the lint rule does not know that a scrim may be clicked.
	const on = {
		onClick: ({target, currentTarget}: MouseEvent) => {
			if (target === currentTarget) onClose()
		},
		// Other elements must not take the focus from the field: Escape would no longer arrive here.
		onMouseDown: (event: MouseEvent) => {
			if (!(event.target instanceof HTMLInputElement)) event.preventDefault()
		},
		onKeyDown: (event: KeyboardEvent) => {
			if (event.key !== 'Escape' || event.nativeEvent.isComposing) return
			event.preventDefault()
			onClose()
		},
		// A browser may close it without asking.
		onClose: ({currentTarget}: SyntheticEvent<HTMLDialogElement>) => {
			if (!currentTarget.open) onClose()
		}
	}
	return (
		<dialog ref={dialog} aria-modal aria-label={label} className={className} {...on}>
			{children}
		</dialog>
	)
}

/** A loading screen behind it may take the focus, and Escape would be lost. */
function holdFocus(modal: HTMLDialogElement) {
	const onFocus = ({target}: FocusEvent) => {
		if (target instanceof Node && !modal.contains(target)) modal.querySelector('input')?.focus()
	}
	document.addEventListener('focusin', onFocus)
	return () => document.removeEventListener('focusin', onFocus)
}
