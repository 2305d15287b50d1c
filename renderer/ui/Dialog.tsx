import {X} from 'lucide-react'
import {type KeyboardEvent, type ReactNode, useEffect, useRef, useState} from 'react'
import {Dialog as AriaDialog, Heading, Modal, ModalOverlay} from 'react-aria-components'

import {type Act, ActButton, Button, IconButton} from './Button.tsx'
import {cx} from './cx.ts'
import styles from './Dialog.module.css'
import {anyDialog, keepFocus} from './list-of-screen.ts'
import {t} from './text.ts'

export interface DialogProps {
	title: string
	isOpen?: boolean
	onClose: () => void
	children: ReactNode
	/** Buttons, the acting one last. In a dangerous dialog none may be triggered by Enter in a field. */
	footer?: ReactNode
	/** The acting button, unless the footer has it. */
	act?: Act
	/** A button before the others that closes, *Cancel* or as named. */
	cancel?: boolean | string
	/** It has the focus, so that Enter does nothing. */
	cancelsFirst?: boolean
	size?: 'small' | 'medium' | 'large'
	/** `connection` shows the connection's colour before a change of the service. */
	tone?: 'plain' | 'connection'
	role?: 'dialog' | 'alertdialog'
}

/**
 * A modal dialog: focus is trapped and restored, Escape closes, a click outside does not. Mark the first field with `autoFocus`;
 * never the acting button.
 */
export function Dialog({
	title,
	isOpen = true,
	onClose,
	children,
	footer,
	act,
	cancel = false,
	cancelsFirst = false,
	size = 'medium',
	tone = 'plain',
	role = 'dialog'
}: DialogProps) {
	const body = useRef<HTMLDivElement>(null)
	const buttons = useRef<HTMLElement>(null)
	const hasButtons = footer !== undefined || act !== undefined || cancel !== false
	const press = (event: KeyboardEvent) => {
		// React passes on the keys of a dialog within this one.
		if (!event.currentTarget.contains(event.target as Node)) return
		if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey) || event.repeat || !hasButtons) return
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
			className={cx(styles.scrim)}
		>
			<Modal className={cx(styles.modal, styles[size], styles[tone])}>
				{/* Around it: without a focused part, the dialog itself has the focus. */}
				<div className={styles.content} onKeyDownCapture={press}>
					<AriaDialog role={role} className={cx(styles.dialog)}>
						<FocusBack onClose={onClose} />
						<header className={styles.header} title={title}>
							<Heading slot="title" className={cx(styles.title)}>
								{title}
							</Heading>
							<IconButton label={t.close} small onPress={onClose}>
								<X size={14} />
							</IconButton>
						</header>
						<div ref={body} className={styles.body}>
							{children}
						</div>
						{hasButtons && (
							<footer
								ref={buttons}
								className={styles.footer}
								onClickCapture={() => showWrong(body.current)}
								onKeyUpCapture={({key}) => (key === ' ' || key === 'Enter' ? showWrong(body.current) : undefined)}
							>
								{cancel !== false && (
									<Button autoFocus={cancelsFirst} onPress={onClose}>
										{cancel === true ? t.cancel : cancel}
									</Button>
								)}
								{footer}
								{act !== undefined && <ActButton act={act} tone="primary" />}
							</footer>
						)}
					</AriaDialog>
				</div>
			</Modal>
		</ModalOverlay>
	)
}

/** The last one acts. A hold button must be held by hand. */
function confirmIn(footer: HTMLElement | null) {
	const main = [...(footer?.querySelectorAll<HTMLElement>('button') ?? [])].at(-1)
	if (main?.dataset['phase'] === undefined) main?.click()
	else main.focus()
}

/**
 * A button that did nothing because of a faulty field above would look broken: the first faulty field gets the focus and is
 * scrolled into view. Two frames later, after the button's update.
 */
function showWrong(body: HTMLElement | null) {
	const show = () => body?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus()
	requestAnimationFrame(() => requestAnimationFrame(show))
}

/** The element focused before a dialog: a dialog that replaces it restores the focus there too. */
const openers = new WeakMap<Element, HTMLElement>()

/**
 * Inside a dialog. React Aria restores the focus to the earlier element; when that was in another, closed dialog, such as a
 * loading message, this restores it instead.
 */
function FocusBack({onClose}: Pick<DialogProps, 'onClose'>) {
	const [opener] = useState(() => openerOf(document.activeElement))
	const mark = useRef<HTMLSpanElement>(null)
	useEffect(() => {
		const dialog = dialogOf(mark.current)
		if (dialog === null || opener === null) return undefined
		openers.set(dialog, opener)
		return () => afterOthers(() => giveBack(opener))
	}, [opener])
	// What had the focus may be gone, and React Aria needs a frame: meanwhile no dialog would hear Escape.
	useEffect(() => {
		const press = ({key, target}: globalThis.KeyboardEvent) => {
			const top = [...document.querySelectorAll(anyDialog)].at(-1)
			if (key === 'Escape' && target === document.body && top === dialogOf(mark.current)) onClose()
		}
		document.addEventListener('keydown', press)
		return () => document.removeEventListener('keydown', press)
	}, [onClose])
	return <span ref={mark} hidden />
}

function openerOf(active: Element | null) {
	const dialog = dialogOf(active)
	if (dialog !== null) return openers.get(dialog) ?? null
	return active instanceof HTMLElement && active !== document.body ? active : null
}

function dialogOf(element: Element | null) {
	return element?.closest(anyDialog) ?? null
}

/** React Aria needs a frame first. */
function afterOthers(act: () => void) {
	requestAnimationFrame(() => requestAnimationFrame(act))
}

function giveBack(opener: HTMLElement) {
	const isLost = document.activeElement === null || document.activeElement === document.body
	if (isLost && opener.isConnected) opener.focus({preventScroll: true})
	// The action removed it, such as the undo button.
	else keepFocus()
}
