/** An entry's command as a line to run again. */
import {findCommand} from '#shared/commands/catalogue.ts'
import {maskedCode} from '#shared/commands/result.ts'
import type {LogEntry} from '#model/incident.ts'

import {keptLine} from '#commands/masked.ts'

/** The line behind an entry: its own arguments, or those of its intent, if loaded. */
export function lineBehind(entry: LogEntry, all: readonly LogEntry[]) {
	const intent = entry.args === null ? all.find(({id}) => id === entry.about) : entry
	return intent === undefined || intent.args === null ? null : lineOf(intent)
}

/** Without the leading `!`; `null` for a command unknown to this version. Masked values are omitted. */
export function lineOf({command, args}: Pick<LogEntry, 'command' | 'args'>) {
	const spec = command === null ? undefined : findCommand(command)
	if (spec === undefined) return null
	const given = Object.entries(args ?? {}).flatMap(([name, value]) => {
		const texts = (Array.isArray(value) ? value : [value]).map(String).filter(text => text !== maskedCode)
		const first = texts[0]
		if (spec.args[name] === undefined || first === undefined) return []
		return [[name, texts.length === 1 ? first : texts] as const]
	})
	return keptLine(spec, Object.fromEntries(given))
}
