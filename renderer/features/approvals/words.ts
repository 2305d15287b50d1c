import type {Approval, ApprovalAnswer, ApprovalState} from '#model/approval.ts'

import {type Fact, fact} from '#ui/Facts.tsx'
import type {Tone} from '#ui/Tag.tsx'
import {t} from './text.ts'

export const states: Readonly<Record<ApprovalState, {word: string; tone: Tone}>> = {
	pending: {word: 'pending', tone: 'warn'},
	approved: {word: 'approved', tone: 'accent'},
	used: {word: 'carried out', tone: 'ok'},
	failed: {word: 'failed', tone: 'bad'},
	denied: {word: 'denied', tone: 'bad'},
	timed_out: {word: 'timed out', tone: 'hold'},
	withdrawn: {word: 'withdrawn', tone: 'plain'}
}

export const waits = ({state}: Approval): boolean => state === 'pending' || state === 'approved'

/** Splits `name: value`; other lines stay whole. */
export function detailFacts(details: readonly string[]): readonly Fact[] {
	return details.map((line, index) => {
		const at = line.indexOf(': ')
		return at < 0 ? fact(`${index + 1}`, line) : fact(line.slice(0, at), line.slice(at + 2))
	})
}

export function approversOf({answers, needed, groups, requesterMay}: Approval) {
	const given = new Set(answers.flatMap(({verdict, by}) => (verdict === 'approved' ? [by.toLowerCase()] : []))).size
	const who = groups.length === 0 ? t.anyKey : t.keysOf(groups.join(', '))
	return `${t.given(given, needed)}, ${who}${requesterMay ? t.requesterToo : ''}`
}

export function answerWords({verdict, by, key, reason}: ApprovalAnswer) {
	const signed = key === null ? '' : ` ${t.withKey(key.slice(0, 16))}`
	return `${t.verdictBy(verdict, by)}${signed}${reason === null || reason === '' ? '' : `: ${reason}`}`
}

export interface Told {
	tone: 'info' | 'bad'
	text: string
}

export function toldOf({title, state, outcome}: Approval): Told {
	const text = `${title}: ${states[state].word}. ${outcome ?? ''}`.trim()
	return {tone: state === 'failed' ? 'bad' : 'info', text}
}
