import type {AttentionItem, AttentionKind} from './contract/insight.ts'

/** Names are complete; for groups, the last one is the number of further ones. */
const isWhole: ReadonlySet<AttentionKind> = new Set(['compromised', 'audit_policy', 'forwarding_failed'])

export function unnamedIn({kind, names, count}: AttentionItem) {
	return isWhole.has(kind) ? 0 : count - names.length
}
