/** What no single value shows: two instances that collide, an exposure that cannot be, a port that is ours. */
import { exposureOf, instanceOfKey, type ServerParameters } from '#shared/model/server-parameter.ts';

import type { ForwardFileValue } from './schema.ts';
import type { FileListen } from './types.ts';

type Path = readonly (string | number)[];
type Tell = (path: Path, problem: string, fix: string) => void;

export interface Told {
	readonly tell: Tell;
	readonly warn: Tell;
	lineOf(path: Path): number;
	/** Whether it is written in the file, rather than a default. */
	has(path: Path): boolean;
}

export function checkInstances(value: ForwardFileValue, parameters: ServerParameters, told: Told): void {
	const names = value.instances.map(({ name }) => name);
	tellTwice(names, names, 'name', told);
	tellTwice(
		value.instances.map(({ listenPort }) => listenPort),
		names,
		'listenPort',
		told,
	);
	warnOfCase(names, told);
	for (const key of Object.keys(parameters)) {
		const name = instanceOfKey(key);
		if (name !== null && !names.includes(name))
			told.warn(
				['parameters', key],
				'names no instance of this file',
				`names are case-sensitive; there are ${names.slice(0, 10).join(', ') || 'none'}`,
			);
	}
	for (const [index, instance] of value.instances.entries()) {
		const here = ['instances', index];
		const { exposed, key } = exposureOf(parameters, instance.name);
		if (exposed && instance.certificate !== '')
			told.tell(
				[...here, 'certificate'],
				`must be empty, because ${key} leads the route to plain HTTP`,
				'remove it, or do not expose the instance',
			);
		checkSources(instance, here, told);
	}
}

function checkSources(instance: ForwardFileValue['instances'][number], here: Path, { tell }: Told): void {
	if (instance.program.kind !== 'builtin') return;
	const { builtin } = instance.program;
	const at = [...here, 'program', 'builtin'];
	if (builtin.service === 'webhook')
		return tell([...at, 'service'], 'needs the console', 'run the instance in the console');
	const lists =
		builtin.service === 'list'
			? [{ path: [...at, 'sources'], sources: builtin.sources }]
			: builtin.collections.map(({ sources }, place) => ({ path: [...at, 'collections', place, 'sources'], sources }));
	for (const [path, index, source] of lists.flatMap(({ path, sources }) =>
		sources.map((one, place) => [path, place, one] as const),
	))
		if (source.kind === 'file_list')
			tell(
				[...path, index, 'kind'],
				'needs a connection, which only the console has',
				'use file or text here, or run the instance in the console',
			);
}

function tellTwice(
	values: readonly (string | number)[],
	names: readonly string[],
	key: string,
	{ tell, lineOf }: Told,
): void {
	const first = new Map<string | number, number>();
	for (const [index, value] of values.entries()) {
		const before = first.get(value);
		if (before === undefined) first.set(value, index);
		else
			tell(
				['instances', index, key],
				`${JSON.stringify(value)} is taken by the instance ${names[before]} in line ${lineOf(['instances', before, key])}`,
				'choose another',
			);
	}
}

function warnOfCase(names: readonly string[], { warn }: Told): void {
	const first = new Map<string, string>();
	for (const [index, name] of names.entries()) {
		const other = first.get(name.toLowerCase());
		if (other !== undefined && other !== name)
			warn(['instances', index, 'name'], `differs from ${other} by case only`, 'choose names that nobody mixes up');
		first.set(name.toLowerCase(), other ?? name);
	}
}

export function checkListen(
	value: ForwardFileValue,
	listen: FileListen,
	parameters: ServerParameters,
	told: Told,
): void {
	const loopback = listen.host === null || isLoopback(listen.host);
	if (!loopback && !listen.lan)
		told.tell(['listen', 'host'], 'is reached from the network', 'add lan: true beside it, or listen on 127.0.0.1');
	const ports = [
		{ path: ['listen', 'port'], port: listen.port, what: 'the server itself' },
		{ path: ['listen', 'metricsPort'], port: listen.metricsPort, what: 'the metrics' },
	];
	for (const { path, port, what } of ports)
		for (const [index, instance] of value.instances.entries())
			if (port === instance.listenPort)
				told.tell(
					['instances', index, 'listenPort'],
					`${port} is the port of ${what} (line ${told.lineOf(path)})`,
					'choose another',
				);
	if (listen.port !== null && listen.port !== 0 && listen.port === listen.metricsPort)
		told.tell(['listen', 'metricsPort'], 'is the port of the server itself', 'choose another');
	if (parameters['forward.enabled'] === 'false')
		told.warn(
			['parameters', 'forward.enabled'],
			'has no effect here',
			'this command runs the server because it was asked to',
		);
	if (listen.lan) tellOpenAccess(value, parameters, told);
}

/** What the console asks a typed confirmation for must be said in the file. */
function tellOpenAccess(value: ForwardFileValue, parameters: ServerParameters, { tell, has }: Told): void {
	for (const [index, { name, access, allow }] of value.instances.entries()) {
		const path = ['instances', index, 'access'];
		if (access.kind !== 'none' || allow.length > 0 || has(path) || !exposureOf(parameters, name).exposed) continue;
		tell(
			path,
			'is missing, and everyone on the network could use the instance',
			'choose one, or write access: {kind: none} to say that it is meant',
		);
	}
}

export function isLoopback(host: string): boolean {
	return host === '::1' || host.startsWith('127.');
}
