import type {CordonError} from '#contract/errors.ts'
import {Dialog} from '#ui/Dialog.tsx'
import {SkeletonLines} from '#ui/States.tsx'
import {ConfirmChange} from './ConfirmChange.tsx'
import type {CommandLine} from './use-command-line.ts'
import {RevealedCode} from './RevealedCode.tsx'
import {t} from './text.ts'
import {Failure} from './Failure.tsx'

/** What a command line asks before a change, and the code that it reveals. */
export function LineDialogs({it: {asked, confirm, cancel, reveal, endReveal}}: {it: CommandLine}) {
	return (
		<>
			{asked !== null && (
				<ConfirmChange spec={asked.spec} args={asked.parsed.args} options={asked.parsed.options} onConfirm={confirm} onCancel={cancel} />
			)}
			{reveal !== null && <RevealCode {...reveal} onClose={endReveal} />}
		</>
	)
}

interface RevealCodeProps {
	/** `undefined` while loading, `null` without a code. */
	code: string | null | undefined
	error: CordonError | null
	onClose: () => void
}

/** Shows the unlock code once. The reason goes into the incident log; the code stays in this dialog only. */
function RevealCode({code, error, onClose}: RevealCodeProps) {
	return (
		<Dialog title={t.unlockCode} onClose={onClose} size="small" act={[t.close, onClose]}>
			<Failure error={error} />
			{code === undefined && error === null && <SkeletonLines lines={1} label={t.queryingTheService} />}
			{code !== undefined && <RevealedCode code={code} />}
			<p>{t.codeShownOnce}</p>
		</Dialog>
	)
}
