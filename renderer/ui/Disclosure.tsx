import {ChevronRight} from 'lucide-react'
import {useId, type ReactNode} from 'react'

import {cx} from './cx.ts'
import styles from './Disclosure.module.css'

interface DisclosureProps {
	title: string
	/** A summary of the content, shown while folded. */
	summary?: ReactNode
	isOpen: boolean
	onToggle: (open: boolean) => void
	children: ReactNode
}

export function Disclosure({title, summary, isOpen, onToggle, children}: DisclosureProps) {
	const id = useId()
	return (
		<section className={styles.part}>
			<h3 className={styles.heading}>
				<button type="button" className={styles.button} aria-expanded={isOpen} aria-controls={id} onClick={() => onToggle(!isOpen)}>
					<ChevronRight size={14} className={styles.mark} aria-hidden />
					<span className={styles.title}>{title}</span>
					{summary !== undefined && <span className={cx(styles.summary, 'cut spring dim')}>{summary}</span>}
				</button>
			</h3>
			<div id={id} className={styles.content} hidden={!isOpen}>
				{isOpen && children}
			</div>
		</section>
	)
}
