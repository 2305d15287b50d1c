/** Empty for `help` alone, the command for `help NAME`; `null` when the line asks for no help. */
export function helpTopic(line: string): string | null {
	const match = /^\s*!?\s*help(?:\s+!?(\S+))?\s*$/.exec(line)
	return match && (match[1] ?? '')
}
