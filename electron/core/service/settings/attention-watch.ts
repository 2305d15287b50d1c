/**
 * Turns lines that need attention into notices: once when a line has stood for a while, and once when it is gone again
 * (ux.md, requirement 51: no notice of what has healed before it arrives).
 */
import {unnamedIn} from '#shared/attention-names.ts'
import type {AttentionItem, AttentionKind} from '#contract/insight.ts'
import type {NoticeKind} from '#model/notice.ts'
import {counted} from '#text/numbers.ts'

import type {RaisedNotice} from './notices.ts'

interface Rule {
	kind: NoticeKind
	/** How long an item must last before it is announced. */
	afterMs: number
	/** Several items are of this kind, each with its own address: an absent one may be outranked, so no recovery is announced. */
	isEach?: true
}

/** Other items are only shown on the overview. Isolations that wait too long are announced one by one. */
const rules: Partial<Readonly<Record<AttentionKind, Rule>>> = {
	compromised: {kind: 'detections', afterMs: 0},
	detection_group: {kind: 'detections', afterMs: 0, isEach: true},
	// Whoever starts one usually answers it.
	playbook_waits: {kind: 'playbook_waits', afterMs: 30_000, isEach: true},
	isolated_and_silent: {kind: 'isolated_and_silent', afterMs: 0},
	key_rejected: {kind: 'key_rejected', afterMs: 0},
	forwarding_failed: {kind: 'forwarding', afterMs: 120_000},
	instance_unhealthy: {kind: 'forwarding', afterMs: 300_000}
}

/** Detection groups that are told one by one, the worst first; loaded events may bring hundreds at once. */
const mostAtOnce = 3

interface Standing {
	since: number
	item: AttentionItem
	toldCount: number
}

export function makeAttentionWatch(raise: (notice: RaisedNotice) => void) {
	const standing = new Map<string, Map<string, Standing>>()
	return {
		/** What needs attention now on a connection. What stood at the first look is listed without a message of the system. */
		look({id}: {id: string; name: string}, items: readonly AttentionItem[], now: number) {
			const known = standing.get(id)
			const before = known ?? new Map<string, Standing>()
			const after = new Map<string, Standing>()
			const told: RaisedNotice[] = []
			let groups = 0
			for (const item of items) {
				const rule = rules[item.kind]
				if (rule === undefined) continue
				// The same group by any of its events: they come and go.
				const keys = rule.isEach === true ? (item.keys ?? [item.open]).map(key => `${item.kind} ${key}`) : [item.kind]
				const {since, toldCount} = keys.map(key => before.get(key)).find(Boolean) ?? {since: now, toldCount: 0}
				const isTold = now - since >= rule.afterMs && item.count > toldCount
				if (isTold && item.kind === 'detection_group') groups += 1
				if (isTold && (item.kind !== 'detection_group' || groups <= mostAtOnce))
					told.push({...noticeOf(rule, item, id), isSilent: known === undefined && rule.kind === 'detections'})
				for (const key of keys) after.set(key, {since, item, toldCount: isTold ? item.count : Math.min(toldCount, item.count)})
			}
			if (groups > mostAtOnce) {
				const title = counted(groups - mostAtOnce, ['more detection group', 'more detection groups'])
				told.push({kind: 'detections', title, body: '', open: '/detections', connection: id, isSilent: known === undefined})
			}
			// The newest is listed first: it is the worst.
			for (const notice of told.toReversed()) raise(notice)
			for (const [key, {item, toldCount}] of before) {
				const rule = rules[item.kind]
				if (!after.has(key) && toldCount > 0 && rule !== undefined && rule.isEach !== true) raise(recoveryOf(rule, item, id))
			}
			standing.set(id, after)
		}
	}
}

function noticeOf({kind}: Rule, item: AttentionItem, connection: string): RaisedNotice {
	const more = unnamedIn(item)
	const names = `${item.names.join(', ')}${more > 0 && item.names.length > 0 ? ` and ${more} more` : ''}`
	return {kind, title: item.title, body: names, open: item.open, urgency: item.urgency, connection}
}

function recoveryOf({kind}: Rule, {title, open}: AttentionItem, connection: string): RaisedNotice {
	return {kind, title: `No longer: ${title}`, body: '', open, recovered: true, connection}
}
