import {partialMatchKey} from '@tanstack/react-query'
import {useMemo} from 'react'

import {completeLine, type CompletionItem, dynamicItems} from '#shared/commands/complete.ts'
import {parseLine} from '#shared/commands/parse.ts'
import {unquote} from '#shared/commands/words.ts'
import {fold} from '#model/fold.ts'
import {useActiveConnectionOrNull, useApi, useAsked} from '#api/hooks.tsx'
import {nameToChoose, problemToChoose} from './line-lint.ts'

type LineCompletion = ReturnType<typeof useCompletion>

/** More would not fit, and nobody reads them. */
const mostItems = 40

export function useCompletion(line: string, caret: number, isWanted: boolean) {
	const {queries} = useApi()
	const connection = useActiveConnectionOrNull()?.id ?? ''
	const completion = useMemo(() => completeLine(line, caret), [line, caret])
	const request = completion.dynamic
	const input = {connection, source: request?.source ?? 'computer', prefix: request?.prefix ?? '', limit: 20} as const
	const sameKind = queries.commands.suggest.key({input: {connection, source: input.source}})
	const found = useAsked(q => q.commands.suggest, {
		input,
		enabled: isWanted && request !== null && connection !== '',
		// Until the new answer arrives, offer only earlier items that still match the text.
		placeholderData: (before, query) =>
			query !== undefined && partialMatchKey(query.queryKey, sameKind) ? stillFitting(before, input.prefix) : undefined,
		gcTime: 5_000
	})
	const values = request === null ? [] : dynamicItems(request, found.data ?? [])
	return {from: completion.from, to: completion.to, items: [...values, ...completion.items].slice(0, mostItems)}
}

export function accept(line: string, completion: LineCompletion, item: CompletionItem): {line: string; caret: number} {
	// A whole value is followed by a blank, `name=` by its value.
	const text = item.kind === 'value' || item.kind === 'option' ? (item.text.endsWith('=') ? item.text : `${item.text} `) : item.text
	const after = line.slice(completion.to)
	const joined = text.endsWith(' ') && after.startsWith(' ') ? text.slice(0, -1) : text
	return {line: line.slice(0, completion.from) + joined + after, caret: completion.from + text.length}
}

/**
 * Puts the object in place of a name that exactly one in the local data has, in any case; `null` when there is none or another
 * mistake, and when several have it.
 */
export function useNamed(): (line: string) => Promise<string | null> {
	const {client} = useApi()
	const connection = useActiveConnectionOrNull()?.id
	return async line => {
		const [problem, name] = [problemToChoose(line), nameToChoose(line)]
		const {spec} = parseLine(line)
		const source = spec?.args[problem?.field ?? '']?.complete
		if (problem === null || name === null || source === undefined || connection === undefined) return null
		const prefix = unquote(name)
		const found = await client.commands.suggest({connection, source, prefix, limit: 50}).catch(() => [])
		const [only, ...others] = found.filter(each => fold(each.name ?? each.label) === fold(prefix))
		if (only === undefined || others.length > 0) return null
		return line.slice(0, problem.to - name.length) + only.value + line.slice(problem.to)
	}
}

interface Suggested {
	value: string
	label: string
}

/** Items of an earlier answer that also match the longer text. */
export function stillFitting<T extends Suggested>(before: readonly T[] | undefined, text: string): T[] | undefined {
	const typed = fold(text)
	return before?.filter(({value, label}) => fold(label).includes(typed) || fold(value).startsWith(typed))
}
