/** Two groups, line by line: pure, so that it can be tested without a page. */
import type { GroupNode, GroupPolicyUse, NamedReference, PolicyRow } from '#shared/contract/directory.ts';
import { formatCount } from '#shared/text/numbers.ts';

import type { DiffLine } from '../../commands/compare/diff-line.ts';
import { inProductOrder, listTypeTitle, productTitle } from '../../commands/directory/directory-words.ts';
import { filterOf, listsOf, policiesOf } from './group-facts.ts';
import { pathOf, withBelow } from './tree-model.ts';

/** What is known of all groups and policies. */
export interface Known {
	readonly groups: ReadonlyMap<string, GroupNode>;
	readonly policies: ReadonlyMap<string, PolicyRow>;
	/** Whether the computers were ever read: else nobody can count them. */
	readonly isCounted: boolean;
}

/** Place in the tree, computers, policies product by product with where they come from, and what these bring along. */
export function groupDiff(a: GroupNode, b: GroupNode, known: Known): readonly DiffLine[] {
	return [
		...placeLines(a, b, known),
		...countLines(a, b, known),
		...policyLines(a, b, known),
		...thingLines('File list', filesOf(a, known), filesOf(b, known)),
		...thingLines('Exclusion set', exclusionsOf(a, known), exclusionsOf(b, known)),
	];
}

/** Policies of both whose lists nobody has read. */
export function unreadPolicies(both: readonly GroupNode[], { policies }: Known): readonly GroupPolicyUse[] {
	const unread = both.flatMap((group) => listsOf(group.policies ?? [], policies).unknown);
	return [...new Map(unread.map((use) => [use.guid, use])).values()];
}

function placeLines(a: GroupNode, b: GroupNode, { groups }: Known): readonly DiffLine[] {
	const above = (group: GroupNode) =>
		pathOf(groups, group.guid)
			.slice(0, -1)
			.map(({ name }) => name)
			.join(' ▸ ') || 'at the top';
	return [
		{ title: 'Under', a: above(a), b: above(b) },
		{ title: 'Groups directly below', a: formatCount(a.children.length), b: formatCount(b.children.length) },
		...(a.description === '' && b.description === ''
			? []
			: [{ title: 'Description', a: a.description, b: b.description }]),
		...(a.source === null && b.source === null ? [] : [{ title: 'Source', a: a.source ?? '', b: b.source ?? '' }]),
	];
}

const counted = [
	{ title: 'Computers', key: 'computers', more: '' },
	{ title: 'Compromised', key: 'compromised', more: ' compromised:yes' },
	{ title: 'Isolated', key: 'isolated', more: ' isolation:isolated' },
] as const;

/** Of its own, and with subgroups where there are any. Each number leads to its rows. */
function countLines(a: GroupNode, b: GroupNode, { groups, isCounted }: Known): readonly DiffLine[] {
	const all = [...groups.values()];
	const isNested = a.children.length + b.children.length > 0;
	const line = (title: string, count: (group: GroupNode) => number, rows: (group: GroupNode) => string | null) => ({
		title,
		a: isCounted ? formatCount(count(a)) : null,
		b: isCounted ? formatCount(count(b)) : null,
		links: { a: count(a) === 0 ? null : rows(a), b: count(b) === 0 ? null : rows(b) },
	});
	return counted.flatMap(({ title, key, more }) => [
		line(
			title,
			(group) => group[key],
			(group) => listOf([group], more),
		),
		...(isNested
			? [
					line(
						`${title}, with subgroups`,
						(group) => group.below[key],
						(group) => listOf(withBelow(all, group.guid), more),
					),
				]
			: []),
	]);
}

function listOf(groups: readonly GroupNode[], more: string): string | null {
	const filter = filterOf(groups);
	return filter === null ? null : `/computers?filter=${encodeURIComponent(filter + more)}`;
}

/** Two groups that have the same policy differ all the same when one of them inherits it. */
function policyLines(a: GroupNode, b: GroupNode, { groups }: Known): readonly DiffLine[] {
	const [one, other] = [a, b].map((group) => policiesOf(pathOf(groups, group.guid)));
	const products = inProductOrder([...(one ?? []), ...(other ?? [])].map(({ product }) => product));
	if (products.length === 0) return one == null || other == null ? [{ title: 'Policies', a: null, b: null }] : [];
	const value = (uses: ReturnType<typeof policiesOf> | undefined, product: string): string | null => {
		if (uses == null) return null;
		const use = uses.find((each) => each.product === product);
		if (use === undefined) return '';
		return `${use.name} · ${use.inherited ? `inherited${use.from === null ? '' : ` from ${use.from.name}`}` : 'own'}`;
	};
	const link = (group: GroupNode, product: string): string | null => {
		const use = group.policies?.find((each) => each.product === product);
		return use === undefined ? null : `/policies/${use.guid}`;
	};
	return products.map((product) => ({
		title: `Policy for ${productTitle(product)}`,
		a: value(one, product),
		b: value(other, product),
		links: { a: link(a, product), b: link(b, product) },
	}));
}

/** What policies bring to a group: things by GUID, and whether these are all. */
interface Brought {
	readonly things: ReadonlyMap<string, string>;
	readonly isWhole: boolean;
}

function filesOf(group: GroupNode, { policies }: Known): Brought {
	const { lists, unknown } = listsOf(group.policies ?? [], policies);
	const words = lists.map(({ guid, name, type, through }) => {
		const ways = through.map(({ product }) => productTitle(product)).join(', ');
		return [guid, `${name} (${listTypeTitle(type)}) · ${ways}`] as const;
	});
	return { things: new Map(words), isWhole: group.policies !== null && unknown.length === 0 };
}

function exclusionsOf(group: GroupNode, { policies }: Known): Brought {
	const sets = new Map<string, { readonly set: NamedReference; readonly products: readonly string[] }>();
	let isWhole = group.policies !== null;
	for (const use of group.policies ?? []) {
		const policy = policies.get(use.guid);
		// Sets come with the details; phones have none.
		if (policy?.fileLists == null) isWhole = false;
		for (const set of policy?.exclusionSets ?? [])
			sets.set(set.guid, { set, products: [...(sets.get(set.guid)?.products ?? []), productTitle(use.product)] });
	}
	const words = [...sets.values()].map(
		({ set, products }) => [set.guid, `${set.name} · ${products.join(', ')}`] as const,
	);
	return { things: new Map(words), isWhole };
}

/** What only one of them has; what is not known of the other is not said to be missing. */
function thingLines(title: string, a: Brought, b: Brought): readonly DiffLine[] {
	const guids = [...new Set([...a.things.keys(), ...b.things.keys()])];
	const value = ({ things, isWhole }: Brought, guid: string) => things.get(guid) ?? (isWhole ? '' : null);
	if (guids.length === 0) return a.isWhole && b.isWhole ? [] : [{ title, a: null, b: null }];
	return guids.map((guid) => ({ title, a: value(a, guid), b: value(b, guid) }));
}
