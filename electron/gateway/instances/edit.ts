/** Changes of instances and server parameters: each is one transaction with its entry in the incident log. */
import { CordonError } from '#shared/contract/errors.ts';
import {
	instanceDefinitionSchema,
	instanceSecretsSchema,
	type Instance,
	type InstanceDefinition,
} from '#shared/model/instance.ts';
import { exposeKey, exposureOf, instanceOfKey, parameterProblem } from '#shared/model/server-parameter.ts';

import type { NewEntry } from '#core/record/incidents/types.ts';
import { addedEntry, changedEntry, confirmed, parameterEntry, removedEntry, type Described } from './changes.ts';
import { freePort, parse, verifiersOf } from './edit-input.ts';
import { withStoredValues } from './environment.ts';
import type { StoreParts } from './parts.ts';
import {
	askForRestart,
	countChange,
	deleteAlias,
	deleteInstance,
	listInstances,
	listParameters,
	putAlias,
	putInstance,
	putParameter,
} from './rows.ts';
import {
	demandConfirmation,
	refuseExposedCertificate,
	refuseOwnPort,
	refuseTaken,
	refuseUselessAccess,
	type Stock,
} from './rules.ts';
import { openSigningKeys } from './signing-keys.ts';
import type { SaveInput } from '#core/app/gateway.ts';
import type { StoredInstance, Verifiers } from './types.ts';

export async function save(parts: StoreParts, input: SaveInput): Promise<Instance> {
	const given = parse(instanceDefinitionSchema, input.definition);
	const secrets = parse(instanceSecretsSchema, input.secrets ?? {});
	const id = input.id ?? Buffer.from(parts.random(8)).toString('hex');
	const known = listInstances(parts.database);
	const old = input.id === undefined ? undefined : storedBy(known, input.id).instance;
	const listenPort = given.listenPort ?? old?.listenPort ?? (await freePort(parts, given.host));
	const definition = { ...given, listenPort };
	// Told before the slow part, and looked at again within the transaction.
	refuseTaken(
		{ id, ...definition },
		known.map(({ instance }) => instance),
	);
	refuseOwnPort(definition, listParameters(parts.database));
	const verifiers = await verifiersOf(parts, secrets);
	const newSecrets = Object.entries(secrets).flatMap(([name, value]) => (value === undefined ? [] : [name]));
	await openSigningKeys(parts.secrets).during(id, secrets.signingKey, () =>
		commit(parts, input.confirm, () => {
			const before = input.id === undefined ? undefined : described(parts, id);
			const stored = merged(parts, id, definition, verifiers, secrets.signingKey !== undefined);
			write(parts, stored, before?.instance, input.exposed);
			const after = described(parts, id);
			if (before === undefined) return addedEntry(after, newSecrets, parts.surface);
			return changedEntry(before, after, newSecrets, parts.surface);
		}),
	);
	parts.changed();
	return described(parts, id).instance;
}

export async function remove(parts: StoreParts, id: string): Promise<void> {
	const { instance } = described(parts, id);
	await openSigningKeys(parts.secrets).during(id, instance.secrets.signingKey ? null : undefined, () =>
		commit(parts, undefined, () => {
			const before = described(parts, id);
			deleteInstance(parts.database, id);
			// Else a later instance of that name would be exposed without anybody having said so.
			putParameter(parts.database, exposeKey(before.instance.name), null);
			return removedEntry(before, parts.surface);
		}),
	);
	parts.changed();
}

/** Changes some fields of the definition. */
export function change(
	parts: StoreParts,
	id: string,
	fields: Partial<Pick<Instance, 'enabled' | 'openPort'>>,
	confirm?: string,
): Instance {
	commit(parts, confirm, () => {
		const before = described(parts, id);
		const stored = storedBy(listInstances(parts.database), id);
		putInstance(parts.database, { ...stored, instance: { ...stored.instance, ...fields } });
		return changedEntry(before, described(parts, id), [], parts.surface);
	});
	parts.changed();
	return described(parts, id).instance;
}

export function setExposed(parts: StoreParts, id: string, exposed: boolean | null, confirm?: string): Instance {
	const { instance } = described(parts, id);
	setParameter(parts, exposeKey(instance.name), exposed === null ? null : String(exposed), confirm);
	return instance;
}

export function setParameter(parts: StoreParts, key: string, value: string | null, confirm?: string): void {
	const problem = value === null ? null : parameterProblem(key, value);
	if (problem !== null) {
		const known = parameterProblem(key, '')?.startsWith('There is no') !== true;
		throw new CordonError('invalid_argument', problem, { field: known ? 'value' : 'key' });
	}
	const name = instanceOfKey(key);
	const normalised = name === null ? key : exposeKey(name.normalize('NFC'));
	commit(parts, confirm, () => {
		const before = listParameters(parts.database)[normalised] ?? null;
		if (before === value) return undefined;
		putParameter(parts.database, normalised, value);
		return parameterEntry(normalised, before, value, parts.surface);
	});
	parts.changed();
}

export function restart(parts: StoreParts, id: string): Instance {
	const { instance } = described(parts, id);
	const { name, program, enabled } = instance;
	if (program.kind === 'external')
		throw new CordonError('usage', `Someone else runs the instance ${name}: Cordon cannot restart it.`);
	if (!enabled) throw new CordonError('usage', `The instance ${name} is switched off: switch it on instead.`);
	parts.database.transaction(() => {
		askForRestart(parts.database, id);
		countChange(parts.database);
	});
	parts.changed();
	return instance;
}

/** The change and its entry stand or fall together; the rules are looked at with everything that is stored after it. */
function commit(parts: StoreParts, typed: string | undefined, work: () => NewEntry | undefined): void {
	const { database } = parts;
	database.transaction(
		() => {
			const before = stockOf(parts);
			const made = work();
			if (made === undefined) return;
			const after = stockOf(parts);
			refuseExposedCertificate(after);
			const wasAsked = demandConfirmation(before, after, typed);
			countChange(database);
			parts.log(wasAsked ? confirmed(made) : made);
		},
		{ durable: true },
	);
}

/** The instance, its aliases and its switch. */
function write(
	{ database }: StoreParts,
	stored: StoredInstance,
	before: Instance | undefined,
	exposed: boolean | undefined,
): void {
	const { instance } = stored;
	refuseTaken(
		instance,
		listInstances(database).map((other) => other.instance),
	);
	refuseOwnPort(instance, listParameters(database));
	refuseUselessAccess(instance);
	putInstance(database, stored);
	deleteAlias(database, instance.name);
	if (before !== undefined && before.name !== instance.name) {
		putAlias(database, before.name, instance.id);
		moveParameter({ database }, exposeKey(before.name), exposeKey(instance.name));
	}
	if (exposed !== undefined && exposureOf(listParameters(database), instance.name).exposed !== exposed)
		putParameter(database, exposeKey(instance.name), String(exposed));
}

function moveParameter({ database }: Pick<StoreParts, 'database'>, from: string, to: string): void {
	const value = listParameters(database)[from];
	if (value === undefined) return;
	putParameter(database, from, null);
	putParameter(database, to, value);
}

/** What is to be stored: secrets that were not given stay as they are. */
function merged(
	{ database, clock }: StoreParts,
	id: string,
	definition: InstanceDefinition & { readonly listenPort: number },
	given: Partial<Verifiers>,
	newKey: boolean,
): StoredInstance {
	const old = listInstances(database).find(({ instance }) => instance.id === id);
	const verifiers = { users: [], tokens: [], ...old?.verifiers, ...given };
	const secrets = {
		users: verifiers.users.map(({ name }) => name),
		tokens: verifiers.tokens.length,
		signingKey: newKey || old?.instance.secrets.signingKey === true,
	};
	const createdAt = old?.instance.createdAt ?? new Date(clock.now()).toISOString();
	return {
		instance: { ...withStoredValues(definition, old?.instance), id, aliases: [], secrets, createdAt, revision: 0 },
		verifiers,
		restarts: old?.restarts ?? 0,
	};
}

function stockOf({ database }: StoreParts): Stock {
	return {
		instances: listInstances(database).map(({ instance }) => instance),
		parameters: listParameters(database),
	};
}

function described({ database }: StoreParts, id: string): Described {
	const { instance } = storedBy(listInstances(database), id);
	return { instance, exposed: exposureOf(listParameters(database), instance.name).exposed };
}

function storedBy(known: readonly StoredInstance[], id: string): StoredInstance {
	const found = known.find(({ instance }) => instance.id === id);
	if (found !== undefined) return found;
	throw new CordonError('unknown_instance', `There is no instance ${id}.`, { field: 'id' });
}
