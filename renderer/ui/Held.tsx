import {Lock} from 'lucide-react'
import {createContext, useContext, type ReactNode} from 'react'

import {managedSentence} from '#shared/model/managed.ts'

import styles from './Held.module.css'

const HeldContext = createContext(false)

/** Whether an administrator holds what a control would change. */
export function useHeld(): boolean {
	return useContext(HeldContext)
}

interface HeldProps {
	readonly by: boolean
	/** The control itself says whose it is. */
	readonly quiet?: boolean
	readonly children: ReactNode
}

/** Controls that can be read and not changed while an administrator holds them, with the sentence that says so. */
export function Held({by, quiet = false, children}: HeldProps) {
	return (
		<HeldContext value={by}>
			{children}
			{by && !quiet ? (
				<p className={styles['held']}>
					<HeldWords />
				</p>
			) : null}
		</HeldContext>
	)
}

/** Whose it is, where the control has a place of its own for that. */
export function HeldWords() {
	return (
		<span className={styles['held']}>
			<Lock size={12} aria-hidden="true" />
			{managedSentence}
		</span>
	)
}
