/** Differences between two versions of a playbook. */
import type {PlaybookDocument} from './playbook-document.ts'

export type Difference = Readonly<{
	/** Name of the step; `null`: of the document itself. */
	step: string | null
	/** Path within it; empty: the step itself. */
	field: string
	/** `null`: missing. */
	before: string | null
	after: string | null
}>

/** In the order of the newer one. Ignores the modification time. */
export function differencesOf(before: PlaybookDocument, after: PlaybookDocument): readonly Difference[] {
	const {workflow: old, modified: _before, ...rest} = before
	const {workflow: now, modified: _after, ...others} = after
	const ids = [...new Set([...Object.keys(now), ...Object.keys(old)])]
	return [
		...leaves(rest, others).map(one => ({step: null, ...one})),
		...ids.flatMap(id => {
			const [one, other] = [own(old, id), own(now, id)]
			const named = [other, one].map(step => (step as {name?: string} | undefined)?.name)
			const step = named.find(name => name !== undefined && name !== '') ?? id
			return leaves(one, other).map(leaf => ({step, ...leaf}))
		})
	]
}

function own(value: unknown, key: string): unknown {
	return typeof value === 'object' && value !== null && Object.hasOwn(value, key) ? Reflect.get(value, key) : undefined
}

const isInner = (value: unknown): value is object => typeof value === 'object' && value !== null

function leaves(before: unknown, after: unknown, path: readonly string[] = []): readonly Omit<Difference, 'step'>[] {
	if (isInner(before) && isInner(after)) {
		const keys = [...new Set([...Object.keys(after), ...Object.keys(before)])]
		return keys.flatMap(key => leaves(own(before, key), own(after, key), [...path, key]))
	}
	const [one, other] = [textOf(before), textOf(after)]
	return one === other ? [] : [{field: path.join('.'), before: one, after: other}]
}

function textOf(value: unknown) {
	if (value === undefined) return null
	return typeof value === 'string' ? value : JSON.stringify(value)
}
