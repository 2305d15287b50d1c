import {useState} from 'react'

import {useAnnounce} from '#ui/Announcer.tsx'
import {Banner} from '#ui/States.tsx'
import {Button} from '#ui/Button.tsx'
import {copySecret, pageClipboard, type ClipboardOutcome} from '#ui/secret-clipboard.ts'
import {Time} from '#ui/Time.tsx'
import styles from './RevealedCode.module.css'
import {t} from './text.ts'

interface RevealedCodeProps {
	code: string | null
	/** Where the code came from: the service just now, or this computer's vault. */
	source?: 'service' | 'vault'
	at?: string
}

const outcomes: Readonly<Record<ClipboardOutcome, string>> = {
	failed: 'The code could not be copied.',
	will_clear: 'Copied. Cordon clears the clipboard in 30 seconds unless you copy something else.',
	cannot_clear: 'Copied. This browser does not let Cordon clear the clipboard. Copy something else when you are done.'
}

/** The unlock code, or that there is none. It lives only in the dialog that shows it. */
export function RevealedCode({code, source = 'service', at}: RevealedCodeProps) {
	const announce = useAnnounce()
	const [copied, setCopied] = useState<ClipboardOutcome | null>(null)
	if (code === null) return <Banner>{t.serviceNoUnlock}</Banner>
	const copy = async () => {
		const outcome = await copySecret(pageClipboard(), code)
		setCopied(outcome)
		announce(outcomes[outcome])
	}
	return (
		<>
			{source === 'vault' && at !== undefined && (
				<Banner tone="warning">
					{t.vaultComputer} <Time at={at} />
					{t.serviceNot}
				</Banner>
			)}
			<div className={styles.box}>
				<output className={styles.code}>{code}</output>
				<Button small onPress={() => void copy()}>
					{t.copy}
				</Button>
			</div>
			{copied !== null && <Banner tone={copied === 'will_clear' ? 'info' : 'warning'}>{outcomes[copied]}</Banner>}
		</>
	)
}
