import type {ReactNode} from 'react'

import type {Settings} from '#model/settings.ts'

import {useManaged} from '#api/hooks.tsx'
import {Held, HeldWords} from '#ui/Held.tsx'
import styles from './Settings.module.css'

export interface PartProps {
	title: string
	about?: ReactNode
	/** Its settings: locked while an administrator manages one of them. */
	sets?: readonly (keyof Settings)[]
	/** Whether the control is longer than a window: the managed note then comes first. */
	isLong?: boolean
	children?: ReactNode
}

export function Part({title, about, sets, isLong = false, children}: PartProps) {
	const managed = useManaged()
	const isHeld = sets?.some(name => managed.settings.includes(name)) === true
	return (
		<div className={styles.part} role="group" aria-label={title}>
			<div>
				<h3 className={styles.title}>{title}</h3>
				{about !== undefined && <p className={styles.about}>{about}</p>}
			</div>
			<div className={styles.control}>
				{isHeld && isLong && (
					<p>
						<HeldWords />
					</p>
				)}
				<Held by={isHeld} quiet={isLong}>
					{children}
				</Held>
			</div>
		</div>
	)
}
