/**
 * Compromised computers whose policy only audits, by its name. The service tells no policy's mode: neither the list of
 * policies nor a policy's details has it, and what its XML looks like is not documented (API reference, "Policies").
 * Its default set has a policy called Audit, and people keep the word; more than that must not be claimed.
 */
import type { AttentionItem } from '#shared/contract/sight.ts';
import { counted, formOf, formatCount } from '#shared/text/numbers.ts';
import { nouns } from '#shared/text/terms.ts';

import type { OverviewInventory } from './types.ts';
import { anyOf, computersWith, namesShown } from './words.ts';

/** The word by itself: not in auditors, and not in Audit2. */
const asWord = /(?<![\p{L}\p{N}])audit(?![\p{L}\p{N}])/iu;
const mostPolicies = 1000;
/** So many rows are looked at for the names of their groups. */
const mostRows = 200;

export function auditPolicyOnCompromised(inventory: OverviewInventory): AttentionItem | null {
	if (inventory.counts().compromised === 0) return null;
	const policies = inventory.suggest('policy', 'audit', mostPolicies).filter(({ label }) => asWord.test(label));
	const guids = new Set(policies.map(({ value }) => value.toLowerCase()));
	if (!inventory.spread().some(({ policyGuid, compromised }) => compromised > 0 && guids.has(policyGuid))) return null;
	// By their names of today: a policy may have been called so once.
	const names = [...new Set(policies.map(({ label }) => label))];
	const filter = `compromised:yes ${anyOf('policy', names)}`;
	const { rows, matching } = inventory.few(filter, mostRows, Number.MAX_SAFE_INTEGER);
	if (matching === 0) return null;
	return {
		kind: 'audit_policy',
		title: `${counted(matching, ['compromised computer has', 'compromised computers have'])} a policy that by its name only audits`,
		count: matching,
		names: groupsOf(rows),
		since: null,
		open: computersWith(filter),
		urgency: 'know',
	};
}

/** The groups of these rows, those with the most of them first. */
function groupsOf(rows: ReturnType<OverviewInventory['few']>['rows']): readonly string[] {
	const groups = [...Map.groupBy(rows, ({ groupName }) => groupName)].toSorted(
		([one, rowsOfOne], [other, rowsOfOther]) => rowsOfOther.length - rowsOfOne.length || one.localeCompare(other),
	);
	const rest = groups.length - namesShown;
	return [
		...groups.slice(0, namesShown).map(([name]) => (name === '' ? 'no group' : name)),
		...(rest > 0 ? [`${formatCount(rest)} more ${formOf(rest, nouns.group)}`] : []),
	];
}
