import {Lock} from 'lucide-react'
import {createContext, useContext, type ReactNode} from 'react'

import {managedSentence} from '#model/managed.ts'

import styles from './Held.module.css'

const HeldContext = createContext(false)

/** Whether an administrator manages the control's setting. */
export function useHeld() {
	return useContext(HeldContext)
}

interface HeldProps {
	by: boolean
	/** The control itself shows the note. */
	quiet?: boolean
	children: ReactNode
}

/** Read-only controls managed by an administrator, with a note. */
export function Held({by, quiet = false, children}: HeldProps) {
	return (
		<HeldContext value={by}>
			{children}
			{by && !quiet && (
				<p className={styles.held}>
					<HeldWords />
				</p>
			)}
		</HeldContext>
	)
}

/** The note, for controls that place it themselves. */
export function HeldWords() {
	return (
		<span className={styles.held}>
			<Lock size={12} aria-hidden />
			{managedSentence}
		</span>
	)
}
