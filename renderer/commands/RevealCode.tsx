import type {CordonError} from '#contract/errors.ts'

import {Dialog} from '#ui/Dialog.tsx'
import {SkeletonLines} from '#ui/States.tsx'
import {RevealedCode} from './RevealedCode.tsx'
import {t} from './text.ts'
import {Failure} from './Failure.tsx'

interface RevealCodeProps {
	/** `undefined` while loading, `null` without a code. */
	code: string | null | undefined
	error: CordonError | null
	onClose: () => void
}

/** Shows the unlock code once. The reason goes into the incident log; the code stays in this dialog only. */
export function RevealCode({code, error, onClose}: RevealCodeProps) {
	return (
		<Dialog title={t.unlockCode} onClose={onClose} size="small" act={[t.close, onClose]}>
			<Failure error={error} />
			{code === undefined && error === null && <SkeletonLines lines={1} label={t.queryingTheService} />}
			{code !== undefined && <RevealedCode code={code} />}
			<p>{t.codeShownOnce}</p>
		</Dialog>
	)
}
