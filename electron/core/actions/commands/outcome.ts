import type {CommandSpec} from '#shared/commands/define.ts'
import {mostOnScreen} from '#shared/commands/result.ts'
import {CordonError} from '#contract/errors.ts'
import {counted, formOf, formatCount} from '#text/numbers.ts'

import type {Listing, WalkOptions} from '#core/service/api/pages.ts'
import type {Answered} from '#core/service/api/types.ts'
import type {HandlerContext, HandlerOutcome} from './types.ts'

type Noun = CommandSpec['result']['noun']

/** How a list command pages: options and signal of the run, records handed on as pages arrive. */
export function walkFor<T>(context: HandlerContext, onPage?: WalkOptions<T>['onPage']): WalkOptions<T> {
	return {
		...context.call,
		all: context.options.all,
		...(context.surface === 'screen' && {most: mostOnScreen}),
		onPage(records, progress) {
			context.onRecords(records)
			onPage?.(records, progress)
		}
	}
}

/** A listing as an outcome. Keeps what arrived when pages are missing; throws the reason when nothing arrived. */
export function listOutcome<T>(listing: Listing<T>, noun: Noun, where = ''): HandlerOutcome {
	const {records, total, missing, error} = listing
	if (records.length === 0 && error !== null) throw error
	return {
		data: records,
		message: `${countOf(records.length, total, noun)}${where}.${missingSentence(missing, error)}${oddSentence(listing)}`,
		...(total !== null && {total}),
		...(missing.length > 0 && {missing}),
		...answerFacts(listing)
	}
}

export function recordOutcome<T>(answer: Answered<T>, message: string): HandlerOutcome {
	return {data: answer.data, message, ...answerFacts(answer)}
}

export function answerFacts(answer: Pick<Answered<unknown>, 'status' | 'requestId'>): Pick<HandlerOutcome, 'status' | 'requestId'> {
	return {status: answer.status, ...(answer.requestId !== undefined && {requestId: answer.requestId})}
}

/** The same refusal, worded for this object. */
export function reworded(error: CordonError, message: string, more: CordonError['details'] = {}) {
	return new CordonError(error.code, message, {...error.details, ...more}, {cause: error})
}

function countOf(count: number, total: number | null, noun: Noun) {
	if (total === null || total <= count) return capital(counted(count, noun), count)
	return `${formatCount(count)} of ${counted(total, noun)}`
}

function capital(text: string, count: number) {
	return count === 0 ? text.replace('0', 'No') : text
}

/** One malformed record hides no other: the answer contains it with its text and what is wrong. */
function oddSentence({odd, unusable}: Pick<Listing<unknown>, 'odd' | 'unusable'>) {
	const marked = odd === 0 ? '' : ` ${counted(odd, ['record is', 'records are'])} not as documented: see cordon_odd.`
	return `${marked}${unusable === 0 ? '' : ` ${counted(unusable, ['record without an ID is', 'records without an ID are'])} not shown.`}`
}

function missingSentence(missing: readonly number[], error: CordonError | null) {
	if (missing.length === 0) return ''
	const pages = missing.map(offset => formatCount(offset)).join(', ')
	const which = `${formOf(missing.length, ['The page at offset', 'The pages at offsets'])} ${pages}`
	return ` ${which} could not be read${error === null ? '' : `: ${error.message}`}`
}
