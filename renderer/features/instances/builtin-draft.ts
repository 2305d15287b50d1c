/** Indicator export and webhook in the form. Values not shown stay unchanged. */
import type {IndicatorService, InstanceInput, WebhookService} from '#model/instance.ts'

import {linesOf} from '#ui/form.ts'

import {emptyList, listDraftOf, listSourcesOf, type ListDraft} from './list-draft.ts'

type BuiltIn = Extract<NonNullable<InstanceInput['program']>, {kind: 'builtin'}>['builtin']

export interface CollectionDraft {
	/** Only of the form: stable while others are added and removed. */
	key: string
	name: string
	description: string
	/** Its sources. */
	list: ListDraft
}

export interface IndicatorDraft {
	title: string
	/** At least one. */
	collections: readonly CollectionDraft[]
	refreshS: string
	pageSize: string
}

export interface WebhookDraft extends Omit<WebhookService, 'service' | 'playbooks'> {
	/** One per line. */
	playbooks: string
}

const hashes = {...emptyList, type: 'sha256'} as const

export function emptyCollection(name: string): CollectionDraft {
	return {key: crypto.randomUUID(), name, description: '', list: hashes}
}

export const emptyIndicators: IndicatorDraft = {
	title: 'Indicators of Cordon',
	collections: [emptyCollection('hashes')],
	refreshS: '300',
	pageSize: '1000'
}

export const emptyWebhook: WebhookDraft = {connection: '', notes: true, questions: true, proposals: false, playbooks: ''}

export function indicatorDraftOf({title, collections, refreshS, pageSize}: IndicatorService): IndicatorDraft {
	const shown = collections.map(({name, description, sources}) => ({
		...{...emptyCollection(name), description},
		list: {...hashes, ...listDraftOf({sources})}
	}))
	return {title, collections: shown, refreshS: String(refreshS), pageSize: String(pageSize)}
}

export function webhookDraftOf({service: _service, playbooks, ...rest}: WebhookService): WebhookDraft {
	return {...rest, playbooks: playbooks.join('\n')}
}

export function indicatorInputOf({title, collections, refreshS, pageSize}: IndicatorDraft): BuiltIn {
	const read = collections.map(({name, description, list}) => ({...{name: name.trim(), description, sources: listSourcesOf(list)}}))
	const numbers = {refreshS: Number(refreshS), pageSize: Number(pageSize)}
	return {service: 'indicators', title, collections: read, ...numbers}
}

export function webhookInputOf({playbooks, ...rest}: WebhookDraft): BuiltIn {
	return {service: 'webhook', ...rest, playbooks: linesOf(playbooks)}
}
