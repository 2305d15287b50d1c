/** Indicator export and webhook in the form. What the form does not show stays as it is. */
import type { IndicatorService, InstanceInput, WebhookService } from '#shared/model/instance.ts';

import { emptyList, listDraftOf, listSourcesOf, type ListDraft } from './list-draft.ts';

type BuiltIn = Extract<NonNullable<InstanceInput['program']>, { kind: 'builtin' }>['builtin'];

/** The form shows the first collection. */
export interface IndicatorDraft {
	readonly title: string;
	readonly name: string;
	readonly description: string;
	/** Its sources. */
	readonly list: ListDraft;
	readonly refreshS: string;
	readonly pageSize: string;
	readonly further: IndicatorService['collections'];
}

export interface WebhookDraft extends Omit<WebhookService, 'service' | 'playbooks'> {
	/** One per line. */
	readonly playbooks: string;
}

const hashes = { ...emptyList, type: 'sha256' } as const;

export const emptyIndicators: IndicatorDraft = {
	title: 'Indicators of Cordon',
	name: 'hashes',
	description: '',
	list: hashes,
	refreshS: '300',
	pageSize: '1000',
	further: [],
};

export const emptyWebhook: WebhookDraft = {
	connection: '',
	notes: true,
	questions: true,
	proposals: false,
	playbooks: '',
};

export function indicatorDraftOf({ title, collections, refreshS, pageSize }: IndicatorService): IndicatorDraft {
	const [first, ...further] = collections;
	const { name = '', description = '', sources = [] } = first ?? {};
	const list = { ...hashes, ...listDraftOf({ sources }) };
	return { title, name, description, list, refreshS: String(refreshS), pageSize: String(pageSize), further };
}

export function webhookDraftOf({ service: _service, playbooks, ...rest }: WebhookService): WebhookDraft {
	return { ...rest, playbooks: playbooks.join('\n') };
}

export function indicatorInputOf({
	title,
	name,
	description,
	list,
	refreshS,
	pageSize,
	further,
}: IndicatorDraft): BuiltIn {
	const first = { name: name.trim(), description, sources: listSourcesOf(list) };
	const numbers = { refreshS: Number(refreshS), pageSize: Number(pageSize) };
	return { service: 'indicators', title, collections: [first, ...further], ...numbers };
}

export function webhookInputOf({ playbooks, ...rest }: WebhookDraft): BuiltIn {
	const names = playbooks.split('\n').flatMap((line) => line.trim() || []);
	return { service: 'webhook', ...rest, playbooks: names };
}
