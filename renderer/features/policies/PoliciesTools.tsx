import type { Ref } from 'react';

import type { PolicyRow } from '#shared/contract/directory.ts';

import { inProductOrder, productTitle } from '../../commands/directory/directory-words.ts';
import { TextField } from '../../ui/Field.tsx';
import { Segments } from '../../ui/Segments.tsx';
import { Select } from '../../ui/Select.tsx';
import type { PoliciesSearch, PolicyView } from './search.ts';
import styles from './policies.module.css';
import { t } from './text.ts';

interface PoliciesToolsProps {
	readonly search: PoliciesSearch;
	readonly policies: readonly PolicyRow[];
	readonly onChange: (next: Partial<PoliciesSearch>) => void;
	readonly onLeave: () => void;
	readonly searchBox: Ref<HTMLInputElement>;
}

const views: readonly { readonly value: PolicyView; readonly title: string }[] = [
	{ value: 'list', title: 'List' },
	{ value: 'groups', title: 'With groups' },
	{ value: 'lists', title: 'With file lists' },
];
const everyProduct = '';

/** What is shown, and of which product. */
export function PoliciesTools({ search, policies, onChange, onLeave, searchBox }: PoliciesToolsProps) {
	const view = search.view ?? 'list';
	const value = search.search ?? '';
	return (
		<div className={styles['tools']}>
			<Segments
				label={t.view}
				options={views}
				value={view}
				onChange={(next) => onChange({ view: next === 'list' ? undefined : next, from: undefined })}
			/>
			<TextField
				type="search"
				label={view === 'groups' ? t.searchGroups : t.searchThePolicies}
				hideLabel
				placeholder={view === 'groups' ? t.partGroupPolicy : t.partOfNameOrGuid}
				value={value}
				onChange={(text) => onChange({ search: text === '' ? undefined : text })}
				inputRef={searchBox}
				className={styles['search']}
				onKeyDown={(event) => {
					if (event.key !== 'Enter' && event.key !== 'Escape') return;
					event.preventDefault();
					if (event.key === 'Escape' && value !== '') onChange({ search: undefined });
					else onLeave();
				}}
			/>
			<Select
				label={t.product}
				hideLabel
				value={search.product ?? everyProduct}
				onChange={(product) => onChange({ product: product === everyProduct ? undefined : product, from: undefined })}
				options={[
					{ value: everyProduct, label: 'Every product' },
					...inProductOrder(policies.map(({ product }) => product)).map((product) => ({
						value: product,
						label: productTitle(product),
					})),
				]}
				className={styles['product']}
			/>
		</div>
	);
}
