import {useState} from 'react'
import {Button as AriaButton} from 'react-aria-components'

import {useAnnounce} from './Announcer.tsx'
import buttonStyles from './Button.module.css'
import {cx} from './cx.ts'
import styles from './HoldButton.module.css'
import {Tooltip} from './Tooltip.tsx'
import {t} from './text.ts'
import {useTimer} from './use-timer.ts'

export interface HoldButtonProps {
	children: React.ReactNode
	onConfirm: () => void
	/** Why it is disabled; then pressing does nothing. */
	reason: string | null
}

/** Required hold, in milliseconds. */
const holdMs = 1000
/** Time for two presses of a screen reader, which cannot hold (ms). */
const twiceMs = 5000

/** Confirms only after a hold of one second, by pointer, Space or Enter. A screen reader, which cannot hold, presses twice. */
export function HoldButton({children, onConfirm, reason}: HoldButtonProps) {
	const announce = useAnnounce()
	const [phase, setPhase] = useState<'idle' | 'holding' | 'again'>('idle')
	const timer = useTimer()
	const confirm = () => {
		timer.stop()
		setPhase('idle')
		onConfirm()
	}
	const virtualPress = () => {
		if (phase === 'again') return confirm()
		setPhase('again')
		announce('Press again within five seconds to confirm.')
		timer.start(twiceMs, () => setPhase('idle'))
	}
	const start = (isVirtual: boolean) => {
		if (reason !== null) return announce(reason)
		if (isVirtual) return virtualPress()
		setPhase('holding')
		timer.start(holdMs, confirm)
	}
	const end = () => {
		if (phase !== 'holding') return
		timer.stop()
		setPhase('idle')
		announce('Not sent: hold for a second.')
	}
	const hint = reason ?? (phase === 'again' ? 'Press again to confirm.' : 'Production: hold for a second, with the mouse, Space or Enter.')
	return (
		<Tooltip text={hint}>
			<AriaButton
				className={cx(
					buttonStyles['button'],
					buttonStyles['primary'],
					buttonStyles['medium'],
					reason !== null && buttonStyles['locked'],
					styles.hold
				)}
				{...(reason !== null && {'aria-disabled': true})}
				data-phase={phase}
				onPressStart={({pointerType}) => start(pointerType === 'virtual')}
				onPressEnd={({pointerType}) => (pointerType === 'virtual' ? undefined : end())}
			>
				<span className={styles.fill} aria-hidden />
				<span className={styles.text}>
					{phase === 'again' ? t.pressAgain : t.hold}
					{children}
				</span>
			</AriaButton>
		</Tooltip>
	)
}
