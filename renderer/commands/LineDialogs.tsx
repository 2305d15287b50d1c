import {ConfirmChange} from './ConfirmChange.tsx'
import {RevealCode} from './RevealCode.tsx'
import type {CommandLine} from './use-command-line.ts'

/** What a command line asks before a change, and the code that it reveals. */
export function LineDialogs({it: {asked, confirm, cancel, reveal, endReveal}}: {it: CommandLine}) {
	return (
		<>
			{asked !== null && (
				<ConfirmChange
					spec={asked.spec}
					args={asked.parsed.args}
					options={asked.parsed.options}
					onConfirm={confirm}
					onCancel={cancel}
				/>
			)}
			{reveal !== null && <RevealCode {...reveal} onClose={endReveal} />}
		</>
	)
}
