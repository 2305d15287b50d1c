import { needsEncoding, type Instance } from '#shared/model/instance.ts';
import { exposureOf, type ForwardSettings, type ServerParameters } from '#shared/model/server-parameter.ts';

import { isUnguarded } from './rules.ts';

export interface WarningParts {
	readonly instance: Instance;
	/** Why nobody can use it through the route. */
	readonly problem: string | null;
	/** Whether others on the network were seen to reach its port; `undefined` where that cannot be told yet, or at all. */
	readonly seenOpen: boolean | undefined;
	readonly all: readonly Instance[];
	readonly parameters: ServerParameters;
	readonly settings: ForwardSettings;
}

/** What deserves a look, in sentences. */
export function warningsOf({
	instance,
	seenOpen,
	problem,
	all,
	parameters,
	settings,
}: WarningParts): readonly string[] {
	const { name, listenPort } = instance;
	const twin = all.find((other) => other.name !== name && other.name.toLowerCase() === name.toLowerCase());
	const isToBeOpen = instance.openPort && instance.program.kind !== 'external';
	const found: readonly (readonly [boolean, string])[] = [
		[problem !== null, problem ?? ''],
		[
			settings.lan && exposureOf(parameters, name).exposed && isUnguarded(instance),
			'Anyone on the network can use it through the route: it has no access control.',
		],
		[seenOpen === true, `Port ${listenPort} is open to the network, past the access control of the route.`],
		[
			isToBeOpen && seenOpen === undefined,
			`Port ${listenPort} is to be open to the network, past the access control of the route.`,
		],
		[
			isToBeOpen && seenOpen === false,
			`Port ${listenPort} was to be opened, but its program listens on loopback only.`,
		],
		[
			needsEncoding(name),
			'Its name must be encoded in URLs, which some firewalls and chat services are known to get wrong.',
		],
		[twin !== undefined, `${twin?.name ?? ''} differs from it by capitals only: URLs are case-sensitive.`],
		[listenPort === settings.listen.port, `The forwarding server is to listen on its port, ${listenPort}, too.`],
	];
	return found.flatMap(([applies, text]) => (applies ? [text] : []));
}
