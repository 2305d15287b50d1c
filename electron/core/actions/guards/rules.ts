/** Guard rules in `profile.db`: what nobody changed has its default, and every process reads them fresh. */
import { CordonError } from '#shared/contract/errors.ts';
import type { Connection } from '#shared/model/connection.ts';
import { defaultGuardRules, guardRulesSchema, type GuardRules } from '#shared/model/guard.ts';
import type { Surface } from '#shared/model/incident.ts';

import type { NewEntry } from '#core/record/incidents/types.ts';
import type { Database } from '#core/store/database.ts';

/** Throws `storage` when they cannot be read as rules: then nothing is let pass. */
export function readRules(database: Database, connection: string): GuardRules {
	const row = database.get<{ readonly rules: string }>(
		'SELECT rules FROM guard_rules WHERE connection = ?',
		connection,
	);
	if (row === undefined) return defaultGuardRules;
	const parsed = guardRulesSchema.safeParse(parsedJson(row.rules));
	if (parsed.success) return parsed.data;
	throw new CordonError('storage', 'The guard rules of this connection cannot be read: no change is let pass.', {
		fix: 'Open Connections and save the guard rules again.',
	});
}

export interface RuleChange {
	readonly connection: Connection;
	readonly rules: GuardRules;
	readonly surface: Surface;
}

/** The change and its entry stand or fall together. Returns what holds now. */
export function writeRules(
	database: Database,
	log: (entry: NewEntry) => void,
	{ connection, rules, surface }: RuleChange,
): GuardRules {
	const before = readable(database, connection.id);
	const after = tidy(rules);
	database.transaction(
		() => {
			database.run('INSERT OR REPLACE INTO guard_rules VALUES (?, ?)', connection.id, JSON.stringify(after));
			log(entryOf(connection, surface, before, after));
		},
		{ durable: true },
	);
	return after;
}

function readable(database: Database, connection: string): GuardRules | null {
	try {
		return readRules(database, connection);
	} catch {
		return null;
	}
}

function entryOf(
	{ id, name, url }: Connection,
	surface: Surface,
	before: GuardRules | null,
	after: GuardRules,
): NewEntry {
	const changed = changedParts(before, after);
	return {
		kind: 'connection.changed',
		surface,
		message: `Guard rules of ${name} changed (${changed.join(', ') || 'saved again'}).`,
		connection: { id, name, url },
		data: { before, after },
	};
}

const titles: Readonly<Record<keyof GuardRules, string>> = {
	protected: 'protected computers',
	rolling: 'rolling limit',
	wide: 'what counts as many',
	largestJob: 'largest job',
	prevalentHash: 'hash seen by many',
	splitServers: 'servers apart',
	lineReason: 'reason on lines',
	approval: 'approval by others',
	leaseHours: 'proposed lease',
};

function changedParts(before: GuardRules | null, after: GuardRules): readonly string[] {
	const names = Object.keys(titles) as (keyof GuardRules)[]; // the keys of the literal above
	return names
		.filter((name) => JSON.stringify(before?.[name]) !== JSON.stringify(after[name]))
		.map((name) => titles[name]);
}

/** Nothing twice, nothing empty. */
function tidy(rules: GuardRules): GuardRules {
	const { guids, names, groups, roles } = rules.protected;
	const clean = (list: readonly string[]): string[] => [...new Set(list.map((text) => text.trim()).filter(Boolean))];
	return {
		...rules,
		protected: {
			guids: clean(guids.map((guid) => guid.toLowerCase())),
			names: clean(names),
			groups: clean(groups.map((group) => group.toLowerCase())),
			roles: [...new Set(roles)],
		},
	};
}

function parsedJson(text: string): unknown {
	try {
		return JSON.parse(text);
	} catch {
		return undefined;
	}
}
