/**
 * Turns lines that need attention into notices: once when a line has stood for a while, and once when it is gone again
 * (ux.md, requirement 51: no notice of what has healed before it arrives).
 */
import type {AttentionItem, AttentionKind} from '#shared/contract/sight.ts'
import type {NoticeKind} from '#shared/model/notice.ts'

import type {RaisedNotice} from './notices.ts'

interface Rule {
	readonly kind: NoticeKind
	/** How long an item must last before it is announced. */
	readonly afterMs: number
}

/** Other items are only shown on the overview. Isolations that wait too long are announced one by one. */
const rules: Partial<Readonly<Record<AttentionKind, Rule>>> = {
	isolated_and_silent: {kind: 'isolated_and_silent', afterMs: 0},
	key_rejected: {kind: 'key_rejected', afterMs: 0},
	forwarding_failed: {kind: 'forwarding', afterMs: 120_000},
	instance_unhealthy: {kind: 'forwarding', afterMs: 300_000},
}

export interface AttentionWatch {
	/** What needs attention now on a connection. */
	look(connection: {readonly id: string; readonly name: string}, items: readonly AttentionItem[], now: number): void
}

interface Standing {
	readonly since: number
	readonly title: string
	readonly open: string
	readonly toldCount: number
}

export function makeAttentionWatch(raise: (notice: RaisedNotice) => void): AttentionWatch {
	const standing = new Map<string, Standing>()
	return {
		look(connection, items, now) {
			for (const [kind, rule] of ruleEntries()) {
				const key = `${connection.id} ${kind}`
				const item = items.find(each => each.kind === kind)
				const before = standing.get(key)
				if (item === undefined) {
					standing.delete(key)
					if (before !== undefined && before.toldCount > 0) raise(recoveryOf(rule, before, connection.id))
					continue
				}
				const since = before?.since ?? now
				const toldCount = before?.toldCount ?? 0
				const isTold = now - since >= rule.afterMs && item.count > toldCount
				if (isTold) raise(noticeOf(rule, item, connection.id))
				const count = isTold ? item.count : Math.min(toldCount, item.count)
				standing.set(key, {since, title: item.title, open: item.open, toldCount: count})
			}
		},
	}
}

function ruleEntries(): readonly (readonly [AttentionKind, Rule])[] {
	return Object.entries(rules) as (readonly [AttentionKind, Rule])[] // the entries of the literal above
}

function noticeOf({kind}: Rule, item: AttentionItem, connection: string): RaisedNotice {
	const more = item.count - item.names.length
	const names = `${item.names.join(', ')}${more > 0 && item.names.length > 0 ? ` and ${more} more` : ''}`
	return {kind, title: item.title, body: names, open: item.open, urgency: item.urgency, connection}
}

function recoveryOf({kind}: Rule, before: Standing, connection: string): RaisedNotice {
	const {title, open} = before
	return {kind, title: `No longer: ${title}`, body: '', open, recovered: true, connection}
}
