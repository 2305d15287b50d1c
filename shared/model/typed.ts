/** What an operator types to confirm a change. Computers name themselves, and one may be in the hands of an attacker. */
import {showUnseen} from '#text/foreign.ts'

import {fold} from './fold.ts'
import type {Confirmation} from './guard.ts'

type Typed = Extract<Confirmation, {readonly expected: unknown}>

export function needsTyping(wanted: Confirmation): wanted is Typed {
	return wanted.kind === 'name' || wanted.kind === 'count'
}

/** Some blanks of a page are shown by number elsewhere. */
const blanks = /(?:\s|‹U\+(?:0009|000A|000D|00A0|202F)›)+/g

/** As it is read: nobody sees a blank at the end or types an invisible character. */
const asRead = (text: string) => fold(showUnseen(text).replace(blanks, ' ').trim())

export function isTyped({kind, expected}: Typed, typed: string): boolean {
	const [wanted = '', given = ''] = [String(expected), typed].map(asRead)
	return given === wanted || (kind === 'count' && given.replaceAll(/[,. ]/g, '') === wanted)
}

/** What is wrong with it, in a sentence; `null` when none is required or it is right. */
export function typedProblem(wanted: Confirmation, typed: string): string | null {
	if (!needsTyping(wanted) || isTyped(wanted, typed)) return null
	return typed.trim() === '' ? `Type ${wanted.expected}.` : `This is not ${wanted.expected}.`
}

/**
 * A value in a line that is pasted into a shell. A name that a shell of any system might run, such as `$(…)`, or take for an
 * option is left to be typed.
 */
export function shellValue(value: string | number, otherwise = 'NAME'): string {
	const text = String(value)
	if (/^\w[\w.-]*$/.test(text)) return text
	return /^(?!-)[\p{L}\p{M}\p{N} .,:@_+-]+$/u.test(text) ? `"${text}"` : otherwise
}
