/** What an operator types to confirm. Computers name themselves, and one may be an attacker's. */
import {showUnseen} from '#text/foreign.ts'

import {fold} from './fold.ts'
import type {Confirmation} from './guard.ts'

type Typed = Extract<Confirmation, {expected: unknown}>

export function needsTyping(wanted: Confirmation): wanted is Typed {
	return wanted.kind === 'name' || wanted.kind === 'count'
}

/** Some blanks of a page are shown by number elsewhere. */
const blanks = /(?:\s|‹U\+(?:0009|000A|000D|00A0|202F)›)+/g

/** As it is read: nobody sees a blank at the end or types an invisible character. */
export const asRead = (text: string) => fold(showUnseen(text).replace(blanks, ' ').trim())

export function isTyped({kind, expected}: Typed, typed: string) {
	const [wanted = '', given = ''] = [String(expected), typed].map(asRead)
	if (given === '') return false
	return given === wanted || (kind === 'count' && given.replaceAll(/[,. ]/g, '') === wanted)
}

/** What is wrong, in a sentence; `null` when nothing is required or it is right. */
export function typedProblem(wanted: Confirmation, typed: string): string | null {
	if (!needsTyping(wanted) || isTyped(wanted, typed)) return null
	return typed.trim() === '' ? `Type ${wanted.expected}.` : `This is not ${wanted.expected}.`
}

/** In a line to be pasted into a shell: a name that one might run, such as `$(…)`, is left to be typed. */
export function shellValue(text: string): string {
	if (/^\w[\w.-]*$/.test(text)) return text
	return /^(?!-)[\p{L}\p{M}\p{N} .,:@_+-]+$/u.test(text) ? `"${text}"` : 'NAME'
}

export function confirmOption(value: string | number): string {
	return `--confirm ${shellValue(String(value))}`
}
