import {X} from 'lucide-react'
import {type ReactNode, useRef} from 'react'

import {IconButton} from './Button.tsx'
import {cx} from './cx.ts'
import {useKey} from './keys/KeyRegistry.tsx'
import styles from './SidePanel.module.css'
import {t} from './text.ts'

interface SidePanelProps {
	label: string
	onClose: () => void
	/** `wide` for a panel with a list. */
	size?: 'usual' | 'wide'
	children: ReactNode
}

export function SidePanel({label, onClose, size = 'usual', children}: SidePanelProps) {
	const panel = useRef<HTMLElement>(null)
	const close = () => {
		const list = panel.current?.parentElement?.querySelector<HTMLElement>('[role="grid"], [role="treegrid"]')
		onClose()
		// A focus inside would be lost with the panel.
		list?.focus()
	}
	useKey('list.close', close)
	return (
		<aside ref={panel} className={cx(styles.panel, styles[size])} aria-label={label}>
			<div className={styles.close}>
				<IconButton label={t.closeThePanel} small onPress={close}>
					<X size={14} />
				</IconButton>
			</div>
			{children}
		</aside>
	)
}

/** `name` is shown in full on hover; `children` are lines below the title. */
export function SidePanelHeader({title, name, children}: {title: ReactNode; name?: string; children?: ReactNode}) {
	return (
		<header>
			<h2 className={styles.title} title={name}>
				{title}
			</h2>
			{children}
		</header>
	)
}

export function SidePanelNote({children}: {children: ReactNode}) {
	return <p className={styles.note}>{children}</p>
}

export function SidePanelActions({label, children}: {label?: string; children: ReactNode}) {
	return (
		<div className={styles.actions} {...(label !== undefined && {role: 'group', 'aria-label': label})}>
			{children}
		</div>
	)
}
