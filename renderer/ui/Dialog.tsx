import {X} from 'lucide-react'
import {type KeyboardEvent, type ReactNode, useEffect, useRef, useState} from 'react'
import {Dialog as AriaDialog, Heading, Modal, ModalOverlay} from 'react-aria-components'

import {IconButton} from './Button.tsx'
import {cx} from './cx.ts'
import styles from './Dialog.module.css'
import {keepFocus} from './list-of-screen.ts'
import {t} from './text.ts'

export interface DialogProps {
	readonly title: string
	readonly isOpen: boolean
	readonly onClose: () => void
	readonly children: ReactNode
	/** Buttons, the one that acts last. None of them may be reached by Enter from a field of a dangerous dialog. */
	readonly footer?: ReactNode
	readonly size?: 'small' | 'medium' | 'large'
	/** `connection` draws the edge in the connection's colour: a change of the service is about to happen. */
	readonly tone?: 'plain' | 'connection'
	readonly role?: 'dialog' | 'alertdialog'
}

/**
 * A modal dialog: focus is trapped and comes back, Escape closes, a click outside does not.
 * Mark the field that must have the focus first with `autoFocus`; never the button that acts.
 */
export function Dialog({
	title,
	isOpen,
	onClose,
	children,
	footer,
	size = 'medium',
	tone = 'plain',
	role = 'dialog',
}: DialogProps) {
	const body = useRef<HTMLDivElement>(null)
	const buttons = useRef<HTMLElement>(null)
	const press = (event: KeyboardEvent) => {
		if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey) || event.repeat || footer === undefined) return
		event.preventDefault()
		event.stopPropagation()
		confirmIn(buttons.current)
		showWrong(body.current)
	}
	return (
		<ModalOverlay
			isOpen={isOpen}
			onOpenChange={open => {
				if (!open) onClose()
			}}
			className={styles['scrim'] ?? ''}
		>
			<Modal className={cx(styles['modal'], styles[size], styles[tone])}>
				<AriaDialog role={role} className={styles['dialog'] ?? ''}>
					<div className={styles['content']} onKeyDownCapture={press}>
						<FocusBack />
						<header className={styles['header']}>
							<Heading slot="title" className={styles['title'] ?? ''}>
								{title}
							</Heading>
							<IconButton label={t.close} size="small" onPress={onClose}>
								<X size={14} />
							</IconButton>
						</header>
						<div ref={body} className={styles['body']}>
							{children}
						</div>
						{footer === undefined ? null : (
							<footer
								ref={buttons}
								className={styles['footer']}
								onClickCapture={() => showWrong(body.current)}
								onKeyUpCapture={({key}) => (key === ' ' || key === 'Enter' ? showWrong(body.current) : undefined)}
							>
								{footer}
							</footer>
						)}
					</div>
				</AriaDialog>
			</Modal>
		</ModalOverlay>
	)
}

/** The one that acts is the last. One that has to be held is held by hand. */
function confirmIn(footer: HTMLElement | null): void {
	const main = [...(footer?.querySelectorAll<HTMLElement>('button') ?? [])].at(-1)
	if (main?.dataset['phase'] === undefined) main?.click()
	else main.focus()
}

/**
 * A button that did nothing because of a field further up would look dead: the first field that is wrong gets the focus,
 * and is scrolled into view with it. Two frames later, when the button's work is drawn.
 */
function showWrong(body: HTMLElement | null): void {
	const show = () => body?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus()
	requestAnimationFrame(() => requestAnimationFrame(show))
}

/** Who had the focus before a dialog that is shown: one that takes its place gives it back there too. */
const openers = new WeakMap<Element, HTMLElement>()

/**
 * Stands inside a dialog. React Aria gives the focus back to what had it when the dialog opened; where that was another
 * dialog, such as the one that said that something is being read, there is nothing left of it. Then this does.
 */
function FocusBack() {
	const [opener] = useState(() => openerOf(document.activeElement))
	const mark = useRef<HTMLSpanElement>(null)
	useEffect(() => {
		const dialog = dialogOf(mark.current)
		if (dialog === null || opener === null) return undefined
		openers.set(dialog, opener)
		return () => afterOthers(() => giveBack(opener))
	}, [opener])
	return <span ref={mark} hidden />
}

function openerOf(active: Element | null): HTMLElement | null {
	const dialog = dialogOf(active)
	if (dialog !== null) return openers.get(dialog) ?? null
	return active instanceof HTMLElement && active !== document.body ? active : null
}

function dialogOf(element: Element | null): Element | null {
	return element?.closest('[role="dialog"], [role="alertdialog"]') ?? null
}

/** React Aria takes a frame for its part. */
function afterOthers(act: () => void): void {
	requestAnimationFrame(() => requestAnimationFrame(act))
}

function giveBack(opener: HTMLElement): void {
	const isLost = document.activeElement === null || document.activeElement === document.body
	if (isLost && opener.isConnected) opener.focus({preventScroll: true})
	// The action removed it, such as the offer to undo.
	else keepFocus()
}
